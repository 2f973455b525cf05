/** What was judged of a timestamp proof, a line a check, as both verifiers print it. Pure and total. */
import { bytesOfBase64 } from "../bytes.ts";
import type { AnchorJudge, Check, ReceiptAnchor } from "../receipt.ts";
import { type JudgedAttestation, type JudgedProof, judgeProof } from "./judge.ts";

/** Longest text of a calendar's address that a line shows. */
const SHOWN_CHARACTERS = 200;

export function checksOfProof(judged: JudgedProof): Check[] {
  const checks: Check[] = [];
  if (judged.matches !== null)
    checks.push(
      judged.matches
        ? { status: "ok", text: `the proof is over these bytes (${judged.proof.hash} ${judged.digest})` }
        : { status: "fail", text: `the proof is over other bytes (${judged.proof.hash} ${judged.digest})` },
    );
  const lines = judged.attestations.map(checkOf);
  // Where one block confirms, what others still promise holds nothing up, and what is wrong of them takes nothing away.
  checks.push(
    ...(judged.confirmed === null
      ? lines
      : lines.map((one): Check => (one.status === "ok" ? one : { ...one, status: "note" }))),
  );
  if (!lines.some(({ status }) => status !== "note"))
    checks.push({
      status: "pending",
      text: "no attestation of this proof is of a kind that is checked here: nothing is established",
    });
  return checks;
}

function checkOf({ attestation, state, header, depth, why }: JudgedAttestation): Check {
  if (attestation.kind === "pending")
    return { status: "pending", text: `pending: ${attestation.uri.slice(0, SHOWN_CHARACTERS)}` };
  if (attestation.kind === "unknown")
    return { status: "note", text: `an attestation of a kind that is not known here (${attestation.tag})` };
  const block = `${attestation.kind} block ${attestation.height}`;
  if (header !== null)
    return {
      status: "ok",
      text: `${depth} operations lead to the merkle root of ${block}, ${header.hash}, of ${utcOf(header.time)}`,
    };
  if (state === "header-missing")
    return {
      status: "pending",
      text: `${block} is named; its header is not at hand, so its time is not known`,
    };
  if (state === "too-early")
    return {
      status: "pending",
      text: `${block} is named: a header with the work of so early a block is cheap to make, and shows nothing here`,
    };
  if (state === "not-checked") return { status: "note", text: `${block} is named, and not checked here` };
  return { status: "fail", text: `${block}: ${why ?? "it does not confirm this"}` };
}

/**
 * For `verifyReceipt`: judges the anchor of its checkpoint by the headers that it brings.
 * @param since epoch milliseconds of what was stamped. A block that says it is more than two hours older holds something
 *   else, or one of the two times is wrong: nothing that stands on both is right
 * @param given headers that the reader has from elsewhere, by height: what the file brings must not differ from them
 */
export const judgeAnchor = ((anchor, digest, since = 0, given: ReceiptAnchor["headers"] = {}) => {
  const file = bytesOfBase64(anchor.ots);
  if (file === null) return { pointer: "/anchor/ots", message: "The proof is not base64." };
  for (const [height, hex] of Object.entries(anchor.headers))
    if (Object.hasOwn(given, height) && given[height]?.toLowerCase() !== hex.toLowerCase())
      return {
        pointer: `/anchor/headers/${height}`,
        message: `bitcoin block ${height}: the header that the file brings is not the one that was given`,
      };
  const all = Object.entries({ ...anchor.headers, ...given });
  const headers = new Map(all.map(([height, hex]) => [Number(height), hex]));
  const judged = judgeProof(file, { digest }, headers, since);
  if (!judged.ok) return { pointer: "/anchor/ots", message: `${judged.message} (byte ${judged.byte})` };
  // A proof by another hash is over other bytes than those whose SHA-256 this is, whatever its digest.
  if (judged.proof.hash !== "sha256")
    return { pointer: "/anchor/ots", message: `The proof is by ${judged.proof.hash}, not by sha256.` };
  if (judged.matches === false) return { pointer: "/anchor/ots", message: "The proof is over other bytes." };
  const wrong = judged.attestations.find(({ state }) => state === "header-refused" || state === "refuted");
  if (judged.confirmed === null && wrong !== undefined && "height" in wrong.attestation)
    return { pointer: `/anchor/headers/${wrong.attestation.height}`, message: checkOf(wrong).text };
  const checks = checksOfProof(judged);
  const failed = checks.find(({ status }) => status === "fail");
  return failed === undefined ? checks : { pointer: "/anchor/ots", message: failed.text };
}) satisfies AnchorJudge;

/** `2009-01-03 18:15:05 UTC` of seconds since 1970 (days to civil, in the proleptic Gregorian calendar). */
export function utcOf(seconds: number): string {
  const day = Math.floor(seconds / 86_400);
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const two = (n: number) => String(n).padStart(2, "0");
  const rest = seconds - day * 86_400;
  const civil = [
    era * 400 + year + (month >= 10 ? 1 : 0),
    two(month < 10 ? month + 3 : month - 9),
    two(ofYear - Math.floor((153 * month + 2) / 5) + 1),
  ];
  return `${civil.join("-")} ${two(Math.floor(rest / 3_600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)} UTC`;
}
