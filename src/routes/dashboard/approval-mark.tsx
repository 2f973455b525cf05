import type { ApprovalStatus, GrantStatus } from "../../policy/approval/index.ts";
import { standingName } from "./approval-words.ts";
import { Pill } from "./marks.tsx";
import { When } from "./recorded.tsx";

/** What nobody answered has no colour: it means no, and nobody said it. */
const MARKS = {
  pending: ["ask", "ask"],
  approved: ["allow", "allow"],
  denied: ["block", "block"],
  expired: ["block", "none"],
} as const satisfies Readonly<Record<ApprovalStatus, readonly [string, string]>>;

/** An approval that came to nothing, or to something that nobody knows, must not look like one that did its work. */
const GRANT_MARKS: Partial<Readonly<Record<GrantStatus, readonly ["ask" | "block", string]>>> = {
  overruled: ["block", "none"],
  lapsed: ["block", "none"],
  ambiguous: ["ask", "ask"],
};

export interface Standing {
  readonly status: string;
  readonly grant?: string | null;
  /** What an approver made of it instead. */
  readonly replaced_by?: string | null;
}

/** How an approval stands, as a word, a shape and, last, a colour. */
export function ApprovalMark({ status, grant = null, replaced_by = null }: Standing) {
  if (!Object.hasOwn(MARKS, status)) return <span class="verdict verdict-none">Unknown</span>;
  const known = status as ApprovalStatus;
  const [shape, colour] =
    (known === "approved" ? GRANT_MARKS[(grant ?? "live") as GrantStatus] : undefined) ?? MARKS[known];
  return <Pill shape={shape} colour={colour} word={standingName({ status: known, grant, replaced_by })} />;
}

/** That nobody is told of an ask yet; nothing once they are. @param small where it stands in a list */
export function Held({ at, now, small = false }: { at: number; now: number; small?: boolean }) {
  if (at <= now) return null;
  const words = (
    <>
      Nobody is told before <When at={at} />: quiet hours.
    </>
  );
  return small ? <p class="small soft">{words}</p> : <p class="note note-strong">{words}</p>;
}
