/** How a text says what the user is called: `User's name is Dana`, `the user (Dana)`, 用户叫小雯. */

const ENGLISH =
  /(?:^|[^\p{L}])(?:[Tt]he |[Mm]y )?(?:[Uu]ser|[Oo]wner)(?:'s|\u2019s)?\s+(?:(?:first |full |given )?name\s+is|is (?:called|named)|goes by|\()\s*["'\u201c]?(\p{Lu}[\p{L}'-]{1,30})/gu;
const CHINESE =
  /(?:用户|用戶|主人|老板|老闆)(?:的名字(?:是|叫)|名叫|叫|姓名[::]?|\()\s*([\u4e00-\u9fff]{2,4}|\p{Lu}[\p{L}'-]{1,30})/gu;
const MOST = 8;
/** What stands in brackets behind a subject and is no name. */
const NO_NAMES = /^(?:you|me|self|owner|user|admin|he|she|they|see|via|aka|the|not|yes|no|all|both)$/i;

/** Names by which claims may call the user, for `buildLexicon`. Total, linear, at most eight. */
export function namesIn(texts: readonly string[]): string[] {
  const names = new Set<string>();
  for (const text of texts)
    for (const pattern of [ENGLISH, CHINESE])
      for (const match of text.matchAll(pattern)) {
        const name = match[1] ?? "";
        if (names.size < MOST && name !== "" && !NO_NAMES.test(name)) names.add(name);
      }
  return [...names];
}
