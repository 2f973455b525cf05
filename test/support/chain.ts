/** Chains that nobody recorded, made outside of the product: of any length and size. */
import { createHash } from "node:crypto";

/** The lines of a chain as an export writes it, each with a body of so many bytes. */
export function* chainOf(org: string, length: number, size: number): Generator<string> {
  const hash = (tag: string, text: string) =>
    createHash("sha256").update(`countersign/${tag}/v1\n${text}`).digest("hex");
  const body = JSON.stringify({ filling: "x".repeat(size) });
  const name = JSON.stringify(org);
  let prev = hash("genesis", `{"org":${name},"session":null,"v":1}`);
  for (let seq = 1; seq <= length; seq += 1) {
    const entry = `{"at":${seq},"body_hash":"${hash("body", body)}","kind":"x","org":${name},"prev":"${prev}","seq":${seq},"session":null,"v":1}`;
    prev = hash("entry", entry);
    yield `${JSON.stringify({ hash: prev, entry, body })}\n`;
  }
}
