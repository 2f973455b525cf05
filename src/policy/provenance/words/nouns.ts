/**
 * Participles and nouns that stand for a decision without a subject and a verb of their own: `approved by the user`,
 * `the user's decision`. How they are read is in `../nouns.ts`.
 */
import type { DecisionKind } from "./roles.ts";

const words = (list: string): Set<string> => new Set(list.split(" "));

export const PARTICIPLES: ReadonlyMap<string, DecisionKind> = new Map([
  ...kinds(
    "approval",
    "approved okayed ok'd authorised authorized greenlit green-lit sanctioned endorsed ratified cleared signed blessed granted",
  ),
  ...kinds("confirmation", "confirmed reconfirmed"),
  ...kinds("agreement", "agreed accepted"),
  ...kinds("decision", "decided settled finalised finalized imposed set"),
  ...kinds("choice", "chosen picked selected"),
  ...kinds("rejection", "rejected vetoed ruled turned overruled declined scrapped nixed refused shot"),
  ...kinds("prohibition", "forbidden banned prohibited barred"),
  ...kinds(
    "instruction",
    "requested instructed mandated ordered demanded required specified directed asked told stipulated dictated",
  ),
  ...kinds("decision", "capped limited"),
]);
/** What a page, a form or an interface does with any user; it says something only as a report: `as …`, `was …`. */
export const WEAK = words(
  "requested chosen picked selected confirmed specified set required accepted asked told cleared granted directed declined dictated settled limited capped",
);
export const PARTICLES = words("off out down for on to upon of");
/** What two can do together. */
export const TOGETHER: ReadonlyMap<string, DecisionKind> = new Map([
  ...kinds("agreement", "agreed settled"),
  ...kinds("confirmation", "confirmed"),
  ...kinds("decision", "decided finalised finalized fixed"),
  ...kinds("approval", "cleared"),
]);
export const NOUNS: ReadonlyMap<string, DecisionKind> = new Map([
  ...kinds("decision", "decision decisions call verdict ruling conclusion mind word resolution"),
  ...kinds("choice", "choice pick selection vote"),
  ...kinds(
    "approval",
    "approval sign-off signoff go-ahead ok okay consent blessing clearance authorisation authorization permission greenlight nod thumbs-up yes",
  ),
  ...kinds(
    "instruction",
    "instruction instructions orders order request requests directive directives command commands demand demands directions mandate wish wishes terms say-so",
  ),
  ...kinds("rejection", "veto rejection refusal"),
]);
/** These also name parts of products: `user instructions: press …`, `user request: GET /`. They count as `the user's …` only. */
export const OWNED_ONLY = words(
  "instruction instructions orders order request requests command commands terms selection word mind wish wishes directions mandate permission demand demands ok okay consent blessing nod call vote say-so yes thumbs-up clearance greenlight",
);
export const ADJECTIVES = words(
  "final last latest own explicit express clear written verbal standing original first new current stated exact firm definitive formal prior earlier direct general specific recent ultimate official binding joint",
);
/** `per the user's instructions`: what is done follows what was said. */
export const FOLLOWING = new Set([
  ...words("per at on by under following upon honouring honoring respecting given after as against"),
  "according to",
  "because of",
  "due to",
  "thanks to",
  "as per",
  "in line with",
  "in accordance with",
  "in keeping with",
  "in agreement with",
]);
/** `at user request`, `by owner decision`. */
export const ASKING = words(
  "request requests instruction instructions decision demand order orders wish wishes choice",
);
export const PICKED = words("choice pick verdict ruling");
export const RECEIVED = words(
  "got have has had received obtained secured given with by on under after following per",
);
/** Not yet, or always: no report of a decision. */
export const OPEN_WORDS = words(
  "be being any each every only whether awaiting pending until if unless needs need requires require without wait waiting ask asks seek subject must get to missing lacks lacking before once no",
);
export const UNDECIDED = words(
  "pending open none tbd unknown outstanding undecided missing unclear needed required awaited waiting n/a",
);
export const COMPOUND =
  /^(?:user|owner)-(approved|mandated|vetoed|rejected|sanctioned|okayed|ok'd|authorised|authorized|agreed|imposed|banned|forbidden|decided|greenlit|endorsed|signed-off)$/;

export const CHINESE_NOUNS: ReadonlyMap<string, DecisionKind> = new Map([
  ...kinds("decision", "决定 決定 结论 結論 意见 意見 意思 拍板"),
  ...kinds("instruction", "要求 指示 吩咐 指令 命令"),
  ...kinds("approval", "批准 批示 批复 同意 授权"),
  ...kinds("choice", "选择 選擇"),
  ...kinds("confirmation", "确认 確認"),
]);

export const CHINESE_LABELS = words("意见 意見 结论 結論 批示 答复 指令 决议");

/** A sentence without any of these, and without a verb of a decision, claims nothing. */
export const DECISION_WORDS: readonly string[] = [
  ...PARTICIPLES.keys(),
  ...TOGETHER.keys(),
  ...NOUNS.keys(),
  ...CHINESE_NOUNS.keys(),
  ...CHINESE_LABELS,
  ...words("answer reply response light up per"),
];

function kinds(kind: DecisionKind, list: string): [string, DecisionKind][] {
  return list.split(" ").map((word) => [word, kind]);
}
