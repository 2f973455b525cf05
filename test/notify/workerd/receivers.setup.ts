/** Receivers on loopback for tests that run inside the runtime, which cannot listen themselves. One path, one manner. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    readonly receivers: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stolen: string[] = [];
  const written = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    request.resume();
    request.on("error", () => {});
    response.on("error", () => {});
    switch (path) {
      case "/hang":
        return;
      case "/late":
        setTimeout(() => response.end("ok"), 1_500);
        return;
      case "/close":
        request.socket.destroy();
        return;
      case "/half":
        response.writeHead(200, { "content-length": "100" });
        response.write("begun");
        setTimeout(() => request.socket.destroy(), 20);
        return;
      case "/redirect":
        response.writeHead(307, { location: "/stolen" }).end();
        return;
      case "/stolen":
        stolen.push(path);
        response.end("ok");
        return;
      case "/open":
        response.writeHead(200);
        response.write("…");
        return;
      case "/gigabyte": {
        response.writeHead(200, { "content-length": String(1024 ** 3) });
        const chunk = Buffer.alloc(1024 * 1024, "x");
        let sent = 0;
        const pump = (): void => {
          while (sent < 1024 && !response.destroyed) {
            sent += 1;
            written.set(path, sent);
            if (!response.write(chunk)) {
              response.once("drain", pump);
              return;
            }
          }
        };
        pump();
        return;
      }
      case "/seen":
        response.end(JSON.stringify({ stolen: stolen.length, megabytes: written.get("/gigabyte") ?? 0 }));
        return;
      default:
        response.writeHead(Number(path.slice(1)) || 404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("receivers", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
