import type { ApprovalStatus } from "../../policy/approval/index.ts";
import { STATUS_NAMES } from "./approval-words.ts";
import { Pill } from "./marks.tsx";

/** What nobody answered has no colour: it means no, and nobody said it. */
const MARKS = {
  pending: ["ask", "ask"],
  approved: ["allow", "allow"],
  denied: ["block", "block"],
  expired: ["block", "none"],
} as const satisfies Readonly<Record<ApprovalStatus, readonly [string, string]>>;

/** How an approval stands, as a word, a shape and, last, a colour. */
export function ApprovalMark({ status }: { status: string }) {
  if (!Object.hasOwn(MARKS, status)) return <span class="verdict verdict-none">Unknown</span>;
  const known = status as ApprovalStatus;
  const [shape, colour] = MARKS[known];
  return <Pill shape={shape} colour={colour} word={STATUS_NAMES[known]} />;
}
