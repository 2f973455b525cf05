/** The record: whole, it verifies; one bit of it changed, the place is named. */
import { randomInt } from "node:crypto";
import { must } from "../lib/client.mjs";
import { answers, chapter, expect, tells } from "./stage.mjs";

export async function tellOfTheRecord(agent, send, key) {
  chapter(16, "The record can be checked by anyone");
  const text = await agent.ledger("monday");
  const verify = async (body) =>
    (
      await must(send, "POST", "/v1/ledger/verify", {
        key,
        headers: { "content-type": "application/x-ndjson" },
        body,
      })
    ).json;
  const whole = await verify(text);
  answers(whole.ok ? "holds" : "broken", `${whole.entries} entries, each bound to the one before it`);
  expect("the export as it came", [whole.ok, whole.entries], [true, text.trimEnd().split("\n").length]);

  const bytes = Buffer.from(text);
  const at = randomInt(bytes.length);
  bytes[at] ^= 1 << randomInt(8);
  const line =
    Buffer.from(text)
      .subarray(0, at)
      .filter((byte) => byte === 0x0a).length + 1;
  tells("someone", `flips one bit of byte ${at + 1} of ${bytes.length}, in line ${line}`);
  const flipped = await verify(bytes);
  answers(
    flipped.ok ? "holds" : "broken",
    `line ${flipped.broken?.line}, ${flipped.broken?.code}: ${flipped.broken?.message}`,
  );
  expect("the export with one bit flipped", [flipped.ok, flipped.broken?.line], [false, line]);
}
