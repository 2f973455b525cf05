/**
 * What checking a write for decisions costs beside NFKC and one pass that splits the same text into words: ordinary notes,
 * and texts made to cost. Each text is measured at half its size too, to see how its cost grows.
 */
import { inquire, judgeProvenance } from "../src/policy/provenance/index.ts";
import { lookups } from "./lookups.mjs";
import { median, paired, rounds, table } from "./measure.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
const MIB = 1024 * 1024;
/** How many times the baseline a text may cost, and how its cost may grow when its size doubles. */
const ORDINARY = 4;
const HOSTILE = 12;
const DOUBLED = 2.2;

const NOTES = (n) =>
  `Note ${n}: the API base is https://api.example.test/v2, 60 req/min. Runs Fedora ${n % 50} on the laptop.\n` +
  `User lives in Graz and has two cats.\n- Recipe scaling: multiply yeast by 0.9 when doubling the dough (batch ${n}).\n\n`;
const CHINESE_NOTES = (n) =>
  `第${n}条：数据库是 PG 16，库名 shop_core。周会固定在周一十点，会议室 B203。\n用户住在成都，养了一只柴犬。先列出三个方案，再改第 ${n} 版。\n`;

/** What is repeated until the size is reached; in the second column how many times the baseline it may cost. */
const TEXTS = {
  "ordinary notes": [NOTES, ORDINARY],
  "ordinary notes, Chinese": [CHINESE_NOTES, ORDINARY],
  "some decisions among them": [
    (n) => NOTES(n) + (n % 400 === 0 ? `User approved plan ${n} ("go with plan ${n} as it is").\n` : ""),
    ORDINARY,
  ],
  "all claims": [(n) => `User approved ledger line ${n}. `, HOSTILE],
  "all claims, Chinese": [(n) => `用户批准了第${n}行。`, HOSTILE],
  // Two texts are read: the one that is stored, and the one that takes its place.
  "all claims, stored before": [(n) => `User approved ledger line ${n}.\n`, 2 * HOSTILE, "stored"],
  "all quotes": [(n) => `"quote number ${n} of them" `, HOSTILE],
  "quotes beside users": [(n) => `the user "said ${n} of them" `, HOSTILE],
  "opening quotes": ["“a ", HOSTILE],
  "almost: modal": [(n) => `The user may approve line ${n}. `, HOSTILE],
  "almost: conditional": [(n) => `If the user approved line ${n}, ship. `, HOSTILE],
  "almost: one sentence": [(n) => `and if the user approved line ${n} `, HOSTILE],
  "almost: somebody else": [(n) => `A user approved line ${n}. `, HOSTILE],
  "almost: question": [(n) => `Did the user approved line ${n}? `, HOSTILE],
  "almost: scenario": [(n) => `In the checkout flow the user approved ${n}. `, HOSTILE],
  "almost: other verbs": [(n) => `the user said something or other ${n}. `, HOSTILE],
  "almost: products": [(n) => `Fire the hook after the user confirmed ${n}. `, HOSTILE],
  "almost: Chinese condition": [(n) => `如果用户批准${n}就发。`, HOSTILE],
  "almost: Chinese nouns": [(n) => `用户同意的条款${n}。`, HOSTILE],
  "almost: Chinese rules": [(n) => `用户确认收货后,订单${n}完成。`, HOSTILE],
  "subjects alone": ["user ", HOSTILE],
  "subjects in lines": ["user\n", HOSTILE],
  "subjects and brackets": ["user (", HOSTILE],
  settings: ["user approved: yes\n", HOSTILE],
  labels: ["Bug 1111: user approved\n", HOSTILE],
  "invisible characters": ["the us\u200ber may appr\u200bove. ", HOSTILE],
  "full width": ["ｔｈｅ ｕｓｅｒ　ｍａｙ　ａｐｐｒｏｖｅ. ", HOSTILE],
};

/** Copies, since a text that was searched before is searched faster. */
const COPIES = 3;

export async function run() {
  let isMet = true;
  const lines = Object.entries(TEXTS).map(([name, [part, most, stored]]) => {
    const check = stored === undefined ? fresh : again;
    const full = copiesOf(filled(part, MIB));
    const half = copiesOf(filled(part, MIB / 2));
    const runs = [turns(full, baseline), turns(full, check), turns(half, check)];
    const [base, whole, less] = rounds(runs, { count: ROUNDS });
    const ratio = paired(whole, base);
    const growth = growthOf(whole, less);
    // What takes no time at all has no growth to speak of.
    const isFine = ratio <= most && (growth <= DOUBLED || median(whole) < median(base));
    isMet &&= isFine;
    return [
      name,
      median(base).toFixed(1),
      median(whole).toFixed(1),
      ratio.toFixed(2),
      String(most),
      growth.toFixed(2),
      isFine ? "ok" : "too slow",
    ];
  });
  console.log(
    `One MiB of each text, ms, median of ${ROUNDS} rounds; "of it" is how many times the baseline, and how many are allowed;\n` +
      `"doubled" how the time grows from half a MiB, where ${DOUBLED} are allowed.\n`,
  );
  table([["", "NFKC and words", "checked", "of it", "allowed", "doubled", ""], ...lines]);
  return (await lookups()) && isMet;
}

/** The lower quartile: what else the machine does only ever adds, and what is not linear shows in every round. */
function growthOf(whole, less) {
  const ratios = whole.map((ms, round) => ms / less[round]).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 4)];
}

function baseline(text) {
  text.normalize("NFKC");
  return text.match(/[\p{L}\p{N}]+/gu)?.length;
}

/** A write of the whole text, nobody having typed anything. */
function fresh(text) {
  return judgeProvenance(inquire({ pieces: [text], base: [] }), []);
}

/** A line is added to a text full of claims: each is looked for among those that stood there. */
function again(text) {
  return judgeProvenance(inquire({ pieces: [`${text}\nUser approved one more.`], base: [text] }), []);
}

function filled(part, length) {
  let text = "";
  for (let n = 0; text.length < length; n += 1) text += typeof part === "function" ? part(n) : part;
  return text.slice(0, length);
}

function copiesOf(text) {
  return Array.from({ length: COPIES }, (_, n) => JSON.parse(JSON.stringify(`${n}${text.slice(1)}`)));
}

function turns(texts, work) {
  let next = 0;
  return () => {
    next = (next + 1) % texts.length;
    work(texts[next]);
  };
}
