/** Lines that say by their beginning that they are about no one in particular: test cases, tickets, settings. */
import type { Normal } from "./normal.ts";

/** QA and spec lines (the seed: `Bug #12:`, `Step 3:`, `Expected:`), and records of others (`Ticket PAY-212:`, `CHANGELOG 2.3:`). */
const LABELS = [
  "bug",
  "defect",
  "issue",
  "step",
  "expected(?: results?| behaviou?r)?",
  "actual(?: results?| behaviou?r)?",
  "repro(?:duction)?(?: steps)?",
  "steps? to reproduce",
  "(?:unit |integration |e2e |smoke |load |manual |acceptance )?test(?: case| step| plan| note)?",
  "tc",
  "qa(?: case| note| step| check)?",
  "scenario",
  "pre-?conditions?",
  "post-?conditions?",
  "acceptance(?: criteri(?:on|a))?",
  "ac(?=[ -]?\\d)",
  "user story",
  "story",
  "use case",
  "persona",
  "spec(?:ification)?",
  "ux(?: notes?| finding| research)?",
  "usability(?: notes?| finding)?",
  "regression",
  "participant",
  "findings?",
  "observ(?:ation|ed)",
  "(?:support |help ?desk |jira |zendesk )?ticket",
  "change ?log",
  "policy",
  "release notes?",
  "interview(?: notes?)?",
  "survey(?: notes?| answers?)?",
  "research notes?",
  "glossary",
  "faq",
  "terms(?: of service| of use)?",
  "clause",
  "example",
  "sample",
  "upstream",
  "docs?",
  "readme",
  "(?:toast|tooltip|snackbar|placeholder|template|caption|headline|tagline|alt text|microcopy)",
  "(?:mail|email|sms|message|push) subject(?: line)?",
  "(?:button|push|banner|notification|error|email|sms|subject|toast|tooltip|snackbar|modal|dialog|alert|consent|prompt|empty state|hint|confirmation)(?: (?:label|text|copy|message|template|line|wording|string))",
  "demo(?: script)?",
  "mock(?:-?up)?",
  "prototype",
  "wireframe",
  "storyboard(?: frame)?",
  "(?:user )?(?:flow|journey)",
  "(?:pending|open|tbd|unclear|undecided|unconfirmed|unverified|awaiting|waiting)",
];
const CHINESE_LABELS =
  "步骤|步驟|缺陷|用例|测试用例|測試用例|测试|測試|预期结果|预期|預期|期望|实际结果|实际|實際|复现步骤|复现|前置条件|后置条件|场景|場景|示例|样例|例子|例|工单|工單|更新日志|变更日志|版本说明|发布说明|政策|规则|規則|制度|条款|条例|访谈记录|访谈|访谈纪要|需求文档|需求|话术|話術|术语表|术语|字段|字段说明|用户故事|验收标准|验收条件|问卷|调研记录|调研|原型|文案|提示语|弹窗文案|模板|常见问题|问答|帮助|协议|隐私政策|回归|观察|埋点|日志样例|数据字典";
const ID =
  "(?:[ \\t]*(?:#|no\\.?|nr\\.?|\u00a7|v)?[ \\t]*[\\w.-]{0,16}\\d[\\w.-]{0,24}|[ \\t]+[a-z]{1,8}-\\d+|[ \\t]+[a-z]\\b)?";
const TAIL = "(?:[ \\t]*[([][^)\\]\\n]{0,40}[)\\]])?";
const ONE = `(?:${LABELS.join("|")})${ID}${TAIL}`;
const LABEL = new RegExp(`${ONE}(?:[ \\t]*[-\u2013\u2014/|,][ \\t]*(?:${ONE}))?[ \\t]*:`, "y");
/** `Step 4 - user approved`: with a number, a dash will do. */
const NUMBERED =
  /(?:bug|step|test(?: case| step)?|tc|case|ac|scenario|ticket|issue)[ \t#-]*\d{1,6}[ \t]+[-\u2013\u2014][ \t]/y;
const CHINESE_LABEL = new RegExp(
  `(?:${CHINESE_LABELS})[ \\t]*(?:#|\u2116|\u7b2c)?[ \\t]*[\\w.\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341-]{0,12}[ \\t]*(?:\u53f7|\u6761|\u6b65)?${TAIL}[ \\t]*:`,
  "y",
);
/** `【用例】…`, `[QA] …`: a label in brackets needs no colon. */
const BRACKETED = new RegExp(
  `[\\[\u3010](?:${LABELS.join("|")}|${CHINESE_LABELS})${ID}[ \\t]*[\\]\u3011]`,
  "y",
);
/** Gherkin: `Given …`, and the lines below it. */
const GIVEN = /given[ \t]/y;
const GHERKIN_NEXT = /(?:then|and|but|when)[ \t]/y;
const GHERKIN =
  /^[ \t]*(?:[-*][ \t]+)?(?:given|when|then|and|but|scenario(?: outline)?:|feature:|background:)(?:[ \t]|$)/;

/** List and heading marks, quote bars, a ticked box. */
const MARKS =
  /[ \t]*(?:(?:[-*+\u2022\u2013]|\d{1,3}[.)])[ \t]+|>[ \t]?|#{1,6}[ \t]+|\[[x\u2713]\][ \t]*|["'\u201c\u300c`]+)*/y;

export function contentStart(lower: string, start: number): number {
  const code = lower.charCodeAt(start);
  if (code >= 0x61 && code <= 0x7a) return start;
  MARKS.lastIndex = start;
  MARKS.test(lower);
  return MARKS.lastIndex;
}

/** A label, its number, a remark in brackets, and a second label. */
const LONGEST_LABEL = 200;
const DASH = /[ \t][-\u2013\u2014][ \t]|\d[ \t]+[\u4e00-\u9fff]/;

/** Whether the unit begins with a label. */
export function labels({ lower }: Normal, start: number, end: number): boolean {
  const at = contentStart(lower, start);
  if (at >= end) return false;
  const head = lower.slice(at, Math.min(end, at + LONGEST_LABEL));
  if (head.includes(":") && (matches(LABEL, lower, at, end) || matches(CHINESE_LABEL, lower, at, end)))
    return true;
  if (DASH.test(head) && matches(NUMBERED, lower, at, end)) return true;
  if (/^[[\u3010]/.test(head) && matches(BRACKETED, lower, at, end)) return true;
  if (matches(GIVEN, lower, at, end)) return true;
  if (start > 1 && matches(GHERKIN_NEXT, lower, at, end)) {
    const above = lower.lastIndexOf("\n", start - 2) + 1;
    return GHERKIN.test(lower.slice(above, Math.min(start - 1, above + 40)));
  }
  return false;
}

function matches(pattern: RegExp, lower: string, at: number, end: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(lower) && pattern.lastIndex <= end;
}

/** `user_confirmed_at =`, `on_confirm:`, `onConfirm:`, `user.state:`, `data-user:`; and any single word before `=`. */
const IDENTIFIER_KEY =
  /(?:[a-z$@][\w$]*(?:[_.][\w$]+)+|[a-z]+[A-Z][\w$]*|(?:on|after|before|pre|post|data|aria|is|has)-[\w-]+|[a-z]+-[a-z]+-[\w-]+)["'`]?(?:\[\d*\])?[ \t]*[:=](?!=)/y;
const ASSIGNMENT = /[\p{L}\p{N}_$.[\]-]{1,64}[ \t]*=(?!=)/uy;
/** `"remark": "…"` and `{"remark": …`: JSON. What its value says in whole sentences is prose all the same. */
const JSON_KEY = /(?:[[{][ \t]*)*"[\p{L}\p{N}_ .$-]{1,64}"[ \t]*:[ \t]*/uy;
/** `<remark>…</remark>`: a value between tags that are not there for the eye. Whole sentences in it are prose, save what a product shows. */
const ELEMENT =
  /[ \t]*<(?!(?:b|i|u|s|em|strong|mark|p|li|ul|ol|div|span|h\d|br|code|a|sub|sup|small|blockquote|del|ins|q|td|th|tr|dd|dt|details|summary|memor(?:y|ies)|notes?|decisions?|facts?|entry|item|rules?|preferences?|instructions?|remember|context)>)([a-z][\w:-]{0,40})>([^<\n]{0,200})<\/\1>[ \t]*(?=\n|$)/y;
const SHOWN =
  /^(?:strings?|message|msg|label|title|text|button|toast|tooltip|placeholder|alert|modal|dialog|description|desc|banner)$/;
/** `note =`, `user_note:`: what is kept under such a name is prose if it reads like it. */
const NOTE_KEY =
  /(?:[\w$]+[_.-])*(?:notes?|memor(?:y|ies)|facts?|decisions?|summary|remember|reminder|update|preferences?)(?:_?\d{1,4}|\[\d{0,4}\])?["'`]?[ \t]*[:=](?!=)[ \t]*/y;
/** A colon in `18:00` parts nothing. */
const KEY_VALUE = /((?:[^:=\n]|(?<=\d):(?=\d)){1,80}?)[ \t]*(?:=|:(?!(?<=\d:)\d))[ \t]*([^\n]*)$/y;
const SCALAR =
  /^(?:true|false|null|none|nil|yes|no|on|off|y|n|~|undefined|n\/a|pending|open|tbd|unknown|\?|-|[+-]?\d[\d.,:%_/-]*|\[\]|\{\}|是|否|真|假|待定|无|空)[ \t]*[,;]?$/i;
const WORD = /^[\w./+-]*\w$/;
const DECIDER =
  /(?:^|[^\p{L}\p{N}_])(?:user|owner)(?![\p{L}\p{N}_])|\u7528\u6237|\u7528\u6236|\u4e3b\u4eba|\u8001\u677f|\u8001\u95c6/u;

/** A line of a program, a shell or a database that nobody has fenced. */
const PROGRAM =
  /[ \t]*(?:\$ \S|\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|(?:get|post|put|delete|patch) \/|(?:info|debug|warn|error)\b[ :\]]+\[|>>> |insert into \S|select [^\n]{1,80} from |update \w+ set |delete from \S|console\.\w+\(|print(?:ln|f)?\(|log(?:ger)?\.\w+\(|const \w+ ?=|var \w+ ?=|let \w+ ?=|def \w+\(|function \w+\(|throw new |raise \w+\(|expect\(|it\(["']|describe\(["']|test\(["']|assert\w*\(|return ["'([{]|if \(|elif |echo ["'])/y;

/** Programs and settings have one of these. */
const SIGNS = /[:=($>[{/"]|^\s*(?:\d|insert |select |delete )/;
/** A key, and what stands before it. */
const LONGEST_KEY = 240;

/** Whether a line is a setting: an identifier and its value, or decision words as a key with a scalar. */
export function settings({ text, lower }: Normal, start: number, end: number): boolean {
  const line = lower.slice(start, Math.min(end, start + LONGEST_KEY));
  if (!SIGNS.test(line)) return false;
  const at = contentStart(lower, start);
  if (matches(PROGRAM, lower, start, end) || isElement(lower, start, end)) return true;
  if (matches(NOTE_KEY, lower, at, end) && isProse(lower.slice(NOTE_KEY.lastIndex, end))) return false;
  if (matches(IDENTIFIER_KEY, text, at, end) || matches(ASSIGNMENT, text, at, end)) return true;
  JSON_KEY.lastIndex = start + (/^[ \t]*/.exec(lower.slice(start, start + 80))?.[0].length ?? 0);
  if (JSON_KEY.test(lower) && JSON_KEY.lastIndex <= end)
    return !isProse(lower.slice(JSON_KEY.lastIndex, end));
  if (end - at > 240) return false;
  KEY_VALUE.lastIndex = at;
  const found = KEY_VALUE.exec(text.slice(0, end));
  if (found === null) return false;
  const key = found[1] ?? "";
  if (!DECIDER.test(key.toLowerCase())) return false;
  const value = (found[2] ?? "").replace(/[ \t]+(?:#|\/\/).*$/, "").trim();
  // `The user has confirmed the number of guests: 42.` is a sentence.
  if (SCALAR.test(value))
    return !(/^\p{Lu}/u.test(key) && /^[+\d]/.test(value) && key.split(/\s+/).length > 5);
  // `user chose: dark` is a setting, `User decided: Postgres.` is a sentence.
  return (
    key === key.toLowerCase() &&
    WORD.test(value) &&
    (/^[\x00-\x7f]*$/.test(key) || value === value.toLowerCase())
  );
}

function isElement(lower: string, start: number, end: number): boolean {
  ELEMENT.lastIndex = start;
  const found = ELEMENT.exec(lower);
  if (found === null || ELEMENT.lastIndex > end) return false;
  return SHOWN.test(found[1] ?? "") || !isProse(found[2] ?? "");
}

/** Several words after each other. */
export const isProse = (value: string): boolean =>
  /(?:[\p{L}']+[ ,]+){4}|[\u3400-\u9fff]{8}/u.test(value.slice(0, 400));
