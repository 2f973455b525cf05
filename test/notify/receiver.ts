/** A receiver on loopback that does whatever a test wants, and remembers what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly text: string;
}

export type Behaviour = (response: ServerResponse, received: Received, nth: number) => void;

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Bytes that it has written, over all connections. */
  written(): number;
}

/** Starts one; `await using` closes it, with every connection. */
export async function receiver(behaviour: Behaviour = (response) => response.end("ok")): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let finished = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("error", () => {});
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
        text: body.toString("utf8"),
      };
      received.push(one);
      behaviour(response, one, received.length);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      finished += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    written: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, finished),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
