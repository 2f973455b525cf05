/** A model's endpoint on loopback that does whatever a test wants, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { CompileInput } from "../../src/compiler/index.ts";
import { compilerSettings, compileWithModel } from "../../src/compiler/index.ts";
import { WORDS } from "./answers.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export type Behaviour = (asked: Asked, response: ServerResponse, nth: number) => void | Promise<void>;

export interface FakeModel {
  readonly url: string;
  readonly port: number;
  readonly asked: Asked[];
  /** Bytes that left the machine, over all connections. */
  sent(): number;
  /** Connections that are open now. */
  open(): number;
  close(): Promise<void>;
}

export async function fakeModel(behaviour: Behaviour): Promise<FakeModel> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let finished = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const body = JSON.parse(text === "" ? "{}" : text) as Record<string, unknown>;
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        text,
        body,
      };
      asked.push(one);
      void behaviour(one, response, asked.length);
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
    url: `http://127.0.0.1:${port}/v1`,
    port,
    asked,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, finished),
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export function answer(response: ServerResponse, body: string, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
}

export const KEY = "sk-the-key-of-the-test-that-nothing-may-hold";

/** The way in for every test: settings as they are stored, an address on loopback. */
export function compile(
  url: string,
  settings: Record<string, unknown> = {},
  input: Partial<CompileInput> = {},
): ReturnType<typeof compileWithModel> {
  const stored = {
    compiler: "model",
    provider: "openai-compatible",
    model: "fake",
    base_url: url,
    ...settings,
  };
  return compileWithModel(
    {
      settings: { ...compilerSettings(stored), timeout_ms: 2_000 },
      key: KEY,
      reach: { own: ["countersign.example.com"], loopback: true },
      turns: [{ text: WORDS }],
      ...input,
    },
    { fetch, now: Date.now },
  );
}
