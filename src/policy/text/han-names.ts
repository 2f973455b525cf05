/** Names of files and folders in languages that write no spaces: where they begin and end between other words. */
import { classify, hasFileEnding } from "./kinds.ts";

const HAN = /[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;

/** Names are short. */
const MOST_NAME = 160;

/**
 * What follows a path without a space and is no part of it. Only looked for inside a name: what is cut off then leaves
 * another name beside it, never the folder above.
 */
const FOLLOWS =
  /^(?:文件夹|目录|文件|里面|里的|里|下面|下的|下|中的|中|的|这个|那个|给|发给|发送|寄给|移到|移动到|复制到|改名|重命名|删除|删掉|删了|然后|并且|并|和|到|上传|推送)/;

/** Words that lead up to a name without a space. */
const LEADS_UP =
  /^(?:请|帮我|麻烦|把|将|对|给|在|从|到|和|与|不要|别|先|再|然后|只|也|删除|删掉|删了|删|移除|清空|打开|读取|阅读|读|看看|看一下|查看|看|修改|更新|编辑|改|发送|转发|分享|发|写入|写|创建|新建|生成|保存到|保存|存到|移动到|移动|移到|复制到|复制|重命名为|重命名|总结|翻译|上传|下载|运行|执行|我的|这个|那个|文件|目录|文件夹|里的|中的|下的|的)/;

/** Words on both sides of a slash that say what is done: `push/推送`. */
const DEEDS =
  /^(?:push|pull|send|mail|e-?mail|post|share|delete|remove|commit|merge|publish|deploy|edit|write|create|move|copy|upload|pay|buy|cc|bcc|pr|api|app|ai|or|and)\//;

/** Whether what has been read so far is the beginning of a path. @param text folded */
export function startsPath(text: string): boolean {
  if (DEEDS.test(text) || text.includes("://")) return false;
  return /^(?:~|\.{1,2}|\$\{?[a-z_]\w*\}?)?[\\/]|^[a-z]:[\\/]|^[\p{L}\p{N}_.@-]{1,128}[\\/]/u.test(text);
}

/** Where a path from `at` on ends that comes to such letters at `han` and might go on up to `to`. Linear. */
export function endOfPath(folded: string, at: number, han: number, to: number): number {
  const limit = Math.min(to, han + MOST_NAME);
  // A name is whole with its ending, a verb may stand right behind it.
  if (endsAsFile(folded, at, han)) return han;
  for (let next = han; next < limit; next++) {
    if (!HAN.test(folded.charAt(next))) continue;
    if (isWithin(folded, next) && FOLLOWS.test(folded.slice(next, next + 4))) return next;
    if (next > han && !HAN.test(folded.charAt(next - 1)) && endsAsFile(folded, at, next)) return next;
  }
  return limit;
}

/** Only the end of a name is looked at, so that a long one is not gone through again and again. */
const endsAsFile = (folded: string, at: number, end: number): boolean =>
  hasFileEnding(folded.slice(Math.max(at, end - 16), end));

const isWithin = (folded: string, at: number): boolean => !/[\\/]/.test(folded.charAt(at - 1));

/** The name that begins with such letters: a file by its ending, or a path. @param han where the letters end */
export function endOfHanName(
  folded: string,
  at: number,
  han: number,
  stop: number,
): { readonly from: number; readonly to: number; readonly kind: "file" | "path" } | null {
  const mark = folded.charAt(han);
  let from = at;
  while (from < han) {
    const lead = LEADS_UP.exec(folded.slice(from, Math.min(han, from + 6)))?.[0].length ?? 0;
    if (lead === 0 || from + lead > han) break;
    from += lead;
  }
  if (from >= han || han - from > 64) return null;
  const tail = /^[\p{L}\p{N}_.\\/-]+/u.exec(folded.slice(han, Math.min(stop, han + MOST_NAME)))?.[0] ?? "";
  let to = han + tail.replace(/[.-]+$/, "").length;
  if (to <= han) return null;
  const first = tail.search(HAN);
  if (first > 0) to = endOfPath(folded, from, han + first, to);
  const name = folded.slice(from, to);
  if (hasFileEnding(name)) return { from, to, kind: name.includes("/") ? "path" : "file" };
  // `发送/删除` are two words.
  return mark === "/" && /[a-z\d]|\/$/.test(name) && classify(name) === "path"
    ? { from, to, kind: "path" }
    : null;
}
