/** Whether a subject is the person the agent works for, and whether what is said of it is a report at all. */
import type { Clause } from "./clause.ts";
import type { Reading } from "./reading.ts";
import { Kind } from "./tokens.ts";
import { Role } from "./words/index.ts";

/** No clause is looked through further than this. */
const FARTHEST = 40;

/** With them somebody is one of two: 跟用户确认过. */
export const WITH = new Set("跟 和 与 與 同 向".split(" "));
const UNDONE = new Set("先 要 需 需要 请 記得 再 必须 應該 应该 去 得 下次 待 等 想 准备 打算".split(" "));
const FALSE = new Set("unclear unsure doubtful untrue false wrong unconfirmed myth rumour rumor".split(" "));
/** Subjects that a noun before them makes somebody else's: 项目负责人. */
const BARE = new Set("使用者 负责人 負責人".split(" "));
const OBTAINED = new Set(
  "由 拿到 取得 征得 徵得 获得 獲得 得到 确认 询问 詢問 问 征求 提醒 通知 告知".split(" "),
);
const CHINESE_DOUBT = /^(?:到|见|見|说|說|显示|顯示|表明|证明|證明|发现|發現|提到|提及|明|出|过|据)$/;
const SURNAMES = new Set(
  "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文張劉陳楊趙黃吳孫馬羅鄭謝韓馮蕭鄧許呂蘇盧蔣賈葉閻鐘譚鄒陸龍錢湯喬賀賴龔",
);
const ORDINALS = /^(?:first|last|same|next|then)$/;
/** 一律老板批准, 都用户确认: a rule, unless it has happened. */
const ALWAYS = /^(?:一律|统一|都|均|全部|皆|必)$/;

/** `repo owner`, `a user`, 新用户, 仓库主人: one of many, or another one. */
export function isSomebodyElse(reading: Reading, start: number, at: number, isChinese: boolean): boolean {
  const before = start - 1;
  if (before < 0) return false;
  if (isChinese) {
    const token = reading.at(before);
    // `repo 主人`, `VIP 用户`, 80% 用户.
    if (token !== undefined && !reading.isHan(before)) {
      if (
        token.kind === Kind.number ||
        reading.has(before, Role.Other) ||
        /[%\d]$/.test(reading.text(before))
      )
        return true;
      return token.kind === Kind.word && token.roles === 0 && token.quote === (reading.at(at)?.quote ?? -1);
    }
    if (!reading.touches(before)) return false;
    if (reading.text(before) === "上" && reading.text(before - 1) === "以") return true;
    if (
      /以上$|[成半千万亿百名位个多数%]$/.test(reading.text(before)) &&
      !reading.has(before, Role.Function | Role.Filler)
    )
      return true;
    if (reading.has(before, Role.Other) && !reading.has(before, Role.Function)) return true;
    // 王老板: one Chinese character at the beginning of a clause.
    if (
      /^老[板闆]$/.test(reading.text(at)) &&
      SURNAMES.has(reading.text(before)) &&
      !reading.isHan(before - 1)
    )
      return true;
    return BARE.has(reading.text(at)) && (reading.isPlain(before) || reading.has(before, Role.Source));
  }
  if (start < at) return false;
  const token = reading.at(before);
  if (token === undefined || token.kind === Kind.mark || reading.isHan(before)) return false;
  if (token.quote !== (reading.at(at)?.quote ?? -1)) return false;
  // `The first user`, `the same owner`: one of several.
  if (reading.has(before - 1, Role.Determiner) && ORDINALS.test(reading.text(before))) return true;
  const allowed =
    Role.Function |
    Role.Contrast |
    Role.Filler |
    Role.Time |
    Role.Condition |
    Role.Before |
    Role.Hedge |
    Role.Report |
    Role.Wh |
    Role.Be;
  return (token.roles & allowed) === 0;
}

/** What stands right before a subject and means that it is checked, asked, guessed or waited for. */
export function isAskedFor(reading: Reading, clause: Clause, before: number, isChinese: boolean): boolean {
  if (before < 0) return false;
  const near = reading.text(before) === "that" ? before - 1 : before;
  if (isChinese) {
    const text = reading.text(before);
    if (reading.has(before, Role.Negation)) return true;
    if (
      ALWAYS.test(text) &&
      !/^.{2,4}?[了过]/.test(
        reading.lower.slice(reading.at(before + 2)?.start ?? 0, (reading.at(before + 2)?.start ?? 0) + 5),
      )
    )
      return true;
    // 没有记录表明用户同意, 未见用户批准.
    if (CHINESE_DOUBT.test(text))
      for (let back = before - 1; back >= Math.max(clause.first, before - 5); back--)
        if (reading.has(back, Role.Negation)) return true;
    if (!reading.has(before, Role.Before)) return false;
    return !(OBTAINED.has(text) && /^(?:已|已经|刚|曾)$/.test(reading.text(before - 1)));
  }
  if (isMonth(reading, before)) return false;
  if (reading.has(before, Role.Before) || reading.has(before, Role.Negation)) {
    const isCleft = reading.has(before, Role.Be) && /^(?:it|that|this)$/.test(reading.text(before - 1));
    if (!isCleft) return true;
  }
  if (near !== before && reading.has(near, Role.Before)) return true;
  if (reading.text(before) === "after" && reading.text(before - 1) === "only") return true;
  // `the version to which the user agreed`.
  if (reading.text(before) === "which" && reading.has(before - 1, Role.Preposition)) return true;
  if (reading.has(before, Role.Wh) && reading.text(before) !== "which")
    return reading.text(before) === "how" || !reading.has(before - 1, Role.Be);
  for (let back = before - 1; back >= Math.max(clause.first, before - 3); back--)
    if (/^(?:which|whichever|whatever)$/.test(reading.text(back))) return true;
  // `before writing that the user …`, `don't claim that …`.
  if (
    near !== before &&
    /^(?:case|event|chance|possibility|assumption|odds|risk|writing|saying|claiming|stating|noting|recording|log|logs|track|tracks|store|stores|persist|persists|emit|emits|important|essential|required|necessary|crucial|vital|mandatory|critical|imperative)$/.test(
      reading.text(near),
    )
  )
    return true;
  // `Nobody said the owner agreed`; `Log in as the user approved for staging`.
  if (reading.has(near, Role.Report) && isDeniedBefore(reading, clause, near)) return true;
  if (reading.text(before) === "as" && /^(?:in|on|run|act|connect|login)$/.test(reading.text(before - 1)))
    return true;
  const doubted = /^(?:that|where|when|of)$/.test(reading.text(before)) ? before - 1 : before;
  if (FALSE.has(reading.text(doubted))) return true;
  return reading.has(doubted, Role.Doubt) && isDeniedBefore(reading, clause, doubted);
}

function isDeniedBefore(reading: Reading, clause: Clause, at: number): boolean {
  for (let back = at - 1; back >= Math.max(clause.first, at - 4); back--)
    if (reading.has(back, Role.Negation)) return true;
  return false;
}

/** `On 3 May`, `in May`, `May 2026`: no guess. */
export function isMonth(reading: Reading, at: number): boolean {
  if (!reading.has(at, Role.Modal) || reading.text(at) !== "may") return false;
  if (reading.at(at - 1)?.kind === Kind.number || reading.at(at + 1)?.kind === Kind.number) return true;
  return /^(?:in|since|of|by|until|during|last|this|next|early|late|mid)$/.test(reading.text(at - 1));
}

/** `cart -> user confirmed -> charge`, `green = user approved`: a drawing or a legend. */
export function isDrawn(reading: Reading, start: number): boolean {
  const at = reading.at(start)?.start ?? 0;
  // 申请、主管审核、老板批准、财务付款: steps.
  const before = reading.lower.charAt(at - 1);
  if (before === "、" && /^[\u3400-\u9fff]{3,8}(?:[、→。\n]|$)/.test(reading.lower.slice(at, at + 10)))
    return true;
  const from = Math.max(reading.start, at - 40);
  const arrow = /(?:→|(?<!=)=>|->|(?<!=)=|⇒|\/)\s*["'`]?$/.exec(
    reading.lower.slice(Math.max(from, at - 8), at),
  );
  if (arrow === null) return false;
  const head = reading.lower.slice(from, Math.max(from, at - 8) + arrow.index);
  // `→ User approved …`, `Decision → …`: a mark before a sentence, unless another one follows.
  if (!(from === reading.start && /^[^\p{L}]*$/u.test(head)) && !NOTED.test(head)) return true;
  return /→|=>|->|⇒/.test(reading.lower.slice(at, Math.min(reading.end, at + 200)));
}

/** What a decision is noted under. */
const NOTED =
  /(?:^|[^a-z])(?:notes?|memor(?:y|ies)|facts?|decisions?|summary|remember|reminder|update)(?:_?\d{1,4})?[^\p{L}\p{N}]*\d{0,4}[^\p{L}\p{N}]*$|(?:备注|记录|决定|结论|结果|备忘)[^\p{L}\p{N}]*$/u;

/** 跟用户确认过了 is done; 先跟用户确认 is to be done. */
export function isSettledWith(reading: Reading, clause: Clause, before: number, end: number): boolean {
  let isDone = false;
  for (let back = before - 1; back >= Math.max(clause.first, before - FARTHEST); back--) {
    const text = reading.text(back);
    if (UNDONE.has(text)) return false;
    if (/^(?:已|已经|刚|刚刚|昨天|今天)$/.test(text)) isDone = true;
  }
  return isDone || /[过了好完]|[^:]:/.test(reading.lower.slice(end - 1, end + 1));
}

export function isUndone(reading: Reading, clause: Clause, before: number): boolean {
  for (let back = before - 1; back >= Math.max(clause.first, before - FARTHEST); back--)
    if (UNDONE.has(reading.text(back))) return true;
  return false;
}
