/** HTTP to a server that may die at any moment: a request ends with a whole answer, or with {@link Dead}. */
import { Agent, request } from "node:http";

/** A wait takes 25 s at most. */
const TIMEOUT_MS = 40_000;

/** No whole answer came: what was asked for may have happened or not. */
export class Dead extends Error {}

export class Client {
  #port;
  #agent;

  constructor(port, connections = 256) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * @param {{key?: string, cookie?: string, headers?: Record<string, string>, json?: unknown, body?: string}} [options]
   * @returns {Promise<{status: number, headers: object, text: string, json: any}>}
   */
  send(method, path, { key, cookie, headers = {}, json, body = "" } = {}) {
    const text = json === undefined ? body : JSON.stringify(json);
    return new Promise((done, failed) => {
      const dead = (error) => failed(new Dead(`${method} ${path}: ${error.message}`));
      const outgoing = request(
        {
          host: "127.0.0.1",
          port: this.#port,
          method,
          path,
          agent: this.#agent,
          timeout: TIMEOUT_MS,
          headers: {
            ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
            ...(cookie === undefined ? {} : { cookie }),
            ...(json === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
            "content-length": Buffer.byteLength(text),
          },
        },
        (incoming) => {
          const chunks = [];
          incoming.on("data", (chunk) => chunks.push(chunk));
          incoming.on("error", dead);
          incoming.on("end", () => {
            if (!incoming.complete) return dead(new Error("the answer was cut off"));
            const answer = Buffer.concat(chunks).toString();
            done({
              status: incoming.statusCode,
              headers: incoming.headers,
              text: answer,
              json: parsed(answer),
            });
          });
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
      outgoing.on("error", dead);
      outgoing.end(text);
    });
  }

  /** The answer, or an error that says what was refused. */
  async must(method, path, options) {
    const answer = await this.send(method, path, options);
    if (answer.status < 400) return answer;
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 400)}`);
  }

  close() {
    this.#agent.destroy();
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
