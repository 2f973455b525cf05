/** Shapes: the product's mark, and one for each verdict, so that no verdict is told by its colour alone. */
import { type EvidenceVerdict, VERDICT_NAMES } from "./evidence-words.ts";

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <g fill="none" stroke="var(--surface)" stroke-linecap="round" stroke-linejoin="round">
        <path d="M7 23h18" stroke-width="2" stroke-opacity="0.55" />
        <path d="M8 14l5 5L22 7" stroke-width="3" />
        <path d="M19 19l5-7" stroke-width="3" />
      </g>
    </svg>
  );
}

const SHAPES = {
  allow: (
    <>
      <circle cx="8" cy="8" r="7" />
      <path d="M4.8 8.3l2.2 2.2 4.2-4.6" />
    </>
  ),
  block: (
    <>
      <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" />
      <path d="M4.8 8h6.4" />
    </>
  ),
  ask: (
    <>
      <path d="M8 1.2l7 13.3H1z" />
      <path d="M8 6v3.8M8 12v.2" />
    </>
  ),
} as const;

const WORDS = { allow: "Allow", block: "Block", ask: "Ask" } as const;

/** A verdict as a word, a shape and, last, a colour. */
export function VerdictMark({ verdict }: { verdict: string | null }) {
  if (verdict !== "allow" && verdict !== "block" && verdict !== "ask")
    return <span class="verdict verdict-none">Unknown</span>;
  return <Pill shape={verdict} colour={verdict} word={WORDS[verdict]} />;
}

/** What became of a claim. One that was only recorded has no colour: nothing was answered for it. */
const CLAIMS = {
  pass: ["allow", "allow"],
  would_block: ["block", "none"],
  asked: ["ask", "ask"],
  blocked: ["block", "block"],
} as const satisfies Readonly<Record<EvidenceVerdict, readonly [keyof typeof SHAPES, string]>>;

/** What was found of a claim, as a word, a shape and a colour. */
export function ClaimMark({ verdict }: { verdict: string }) {
  if (!Object.hasOwn(CLAIMS, verdict)) return <span class="verdict verdict-none">Unknown</span>;
  const known = verdict as EvidenceVerdict;
  const [shape, colour] = CLAIMS[known];
  return <Pill shape={shape} colour={colour} word={VERDICT_NAMES[known]} />;
}

export function Pill({ shape, colour, word }: { shape: keyof typeof SHAPES; colour: string; word: string }) {
  return (
    <span class={`verdict verdict-${colour}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <g
          fill="none"
          stroke="currentColor"
          stroke-width="1.7"
          stroke-linecap="round"
          stroke-linejoin="round"
        >
          {SHAPES[shape]}
        </g>
      </svg>
      {word}
    </span>
  );
}
