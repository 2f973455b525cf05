import type { Report } from "../report.ts";
import { type Field, visible } from "./field.ts";

/** Looks at how the words of a command are spelled: URLs, addresses, names of files. Longer texts are prose. */
export function noteSpelling(words: readonly Field[], report: Report): void {
  for (const word of words) {
    const text = visible(word);
    // Plain ASCII deceives only in what stands before a URL's host, or as an IDNA label.
    if (!/[^\x20-\x7e]|:\/\/[^/?#]*[@\\]|xn--/i.test(text) || text.length > 4096 || /\s/.test(text)) continue;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) report.said.url(text);
    else report.said.spelled(text);
  }
}
