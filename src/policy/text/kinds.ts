/** What kind of name a chunk of typed text is, by its shape alone. */

export type TokenKind =
  | "word"
  | "number"
  | "money"
  | "email"
  | "url"
  | "host"
  | "path"
  | "file"
  | "handle"
  | "channel"
  | "phone"
  | "id"
  | "quoted"
  | "data"
  | "han"
  | "punct"
  | "break"
  | "other";

const EXTENSIONS = new Set(
  "txt md markdown rst log csv tsv json jsonl ndjson yml yaml toml ini cfg conf config env lock xml html htm css scss sass less js mjs cjs ts tsx jsx vue svelte py pyc ipynb rb php java kt kts swift c h cc cpp cxx hpp hh cs go rs sh bash zsh fish ps1 bat cmd sql db sqlite sqlite3 dump bak old orig tmp swp pdf doc docx odt rtf xls xlsx ods ppt pptx odp key pages numbers png jpg jpeg gif svg webp bmp tif tiff heic ico mp3 wav flac ogg m4a mp4 mov mkv avi webm zip tar gz tgz bz2 xz 7z rar dmg iso exe msi deb rpm apk jar war whl pem crt cer p12 pfx pub gpg asc eml ics vcf tex bib tf tfvars proto graphql gradle properties dockerfile makefile patch diff out bin dat pkl parquet npy h5 sample example template tpl map min srt epub mobi torrent service plist lua pl r jl ex exs erl hs ml scala clj dart zig nim".split(
    " ",
  ),
);

/** Endings that name places on the network; those that are also file endings are left to the files. */
const ENDINGS = new Set(
  "com org net edu gov mil int io ai app dev co uk de fr es it nl be ch at eu us ca au nz jp cn hk tw kr in br mx ar cl pl cz se no fi dk ie pt gr ru ua tr za info biz name xyz online site shop store tech cloud blog news page link live media agency studio design digital email wiki club group invalid example test localhost local internal lan onion me tv cc gg fm ly to sh so is".split(
    " ",
  ),
);

/** Words that stand on both sides of a slash and name no folder. */
const ALTERNATION =
  /^(?:and\/or|y\/o|und\/oder|(?:s?he|his|her|him)\/(?:s?he|his|hers?|him)|yes\/no|y\/n|on\/off|w\/o?|n\/a|am\/pm|a\/b|ci\/cd|i\/o|tcp\/ip|his\/her|either\/or|pros\/cons|true\/false|c\/o|24\/7)$/;

const EMAIL = /^(?:mailto:)?[\p{L}\p{N}._%+'-]{1,128}@(?:[\p{L}\p{N}_-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}$/u;
const MONEY =
  /^(?:(?:us|a|c|nz|hk|r)?[$€£¥₹₽₩][\d][\d.,]{0,24}[km]?|[\d][\d.,]{0,24}[km]?[$€£¥₹₽₩]|[\d][\d.,]{0,24}(?:usd|eur|gbp|chf|cny|rmb|jpy|cad|aud|mxn|sek|nok|dkk|pln|inr)|(?:usd|eur|gbp|chf|cny|rmb|jpy|cad|aud|mxn|sek|nok|dkk|pln|inr)[\d][\d.,]{0,24})$/;
const NUMBER = /^[+-]?[\d](?:[\d.,']{0,24}[\d])?(?:%|st|nd|rd|th|k|m|x)?$/;
const URL_LIKE = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)\S+$/;
const HANDLE = /^@[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,80}$/u;
const CHANNEL = /^#(?=[^\d\s])[\p{L}\p{N}_][\p{L}\p{N}_-]{0,80}$/u;
const LABEL = /^[\p{L}\p{N}_-]{1,63}$/u;

/** Whether a name ends as files of a known kind do. @param text folded */
export function hasFileEnding(text: string): boolean {
  const at = text.lastIndexOf(".");
  return at > 0 && at < text.length - 1 && EXTENSIONS.has(text.slice(at + 1));
}

/** `words` where it is one or more ordinary words. @param text folded, without spaces */
export function classify(text: string): TokenKind | "words" {
  if (/^[a-z]+$/.test(text)) return "words";
  if (text.includes("@")) {
    if (EMAIL.test(text)) return "email";
    if (HANDLE.test(text)) return "handle";
  }
  if (URL_LIKE.test(text)) return "url";
  if (CHANNEL.test(text)) return "channel";
  if (MONEY.test(text)) return "money";
  if (/^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?$/.test(text)) return "host";
  if (NUMBER.test(text)) return "number";
  if (/^#\d{1,18}$/.test(text)) return "id";
  if (/^(?:~(?:\/|$)|\.{1,2}(?:\/|$)|\$\{?[a-z_]\w*\}?(?:\/|$)|\/|[a-z]:[\\/]|\\\\)/.test(text))
    return isSlashed(text) ? "path" : "other";
  if (/[/\\]/.test(text)) return slashed(text);
  if (/^\.[a-z][\w.-]{0,80}$/.test(text)) return "file";
  if (text.includes(".")) return dotted(text);
  if (
    /\d/.test(text) &&
    /[\p{L}_-]/u.test(text) &&
    !/^\d+(?:h|m|s|d|pm|am|min|hrs?|gb|mb|kb|ms|px)$/.test(text)
  )
    return /^[\p{L}\p{N}_:-]{2,128}$/u.test(text) && !/^\d{1,2}:\d{2}/.test(text) ? "id" : "words";
  if (text === "node_modules" || text === "__pycache__") return "file";
  if (/^[\p{L}]+_[\p{L}_]+$/u.test(text)) return "id";
  return "words";
}

/** A lone slash and its like name nothing but everything; they are paths all the same, so that they can be refused. */
function isSlashed(text: string): boolean {
  return !/[*?]{3,}|:\/\//.test(text);
}

function slashed(text: string): TokenKind | "words" {
  if (ALTERNATION.test(text)) return "words";
  if (/^\d+\/\d+(?:\/\d+)?$/.test(text)) return "other";
  const [head = "", ...rest] = text.split("/");
  // `lists.example.com/join` is a place on the network.
  if (head.includes(".") && rest.length > 0 && dotted(head) === "host") return "url";
  return /^[\p{L}\p{N}_.@+\\/*?:~ -]+$/u.test(text) ? "path" : "words";
}

function dotted(text: string): TokenKind | "words" {
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  if (labels.some((label) => !LABEL.test(label.replace(/^\+/, "")))) return "words";
  if (labels.length > 1 && /^(?:\d+\.)+\d+$/.test(text)) return "number";
  if (/^v?\d+(?:\.\d+)+[\w-]*$/.test(text)) return "id";
  const isHost = ENDINGS.has(last);
  if (EXTENSIONS.has(last) && !(isHost && labels.length > 2)) {
    // `acme.example` and `a.sample`: what only looks like an ending of files is a place when a place ends so.
    return isHost && last === "example" && !/^(?:env|config|settings)$/.test(labels.at(-2) ?? "")
      ? "host"
      : "file";
  }
  if (isHost) return "host";
  if (/^(?:e\.g|i\.e|z\.b|u\.a|d\.h|p\.s|a\.m|p\.m|p\.ej)$/.test(text)) return "words";
  return /^[a-z]\w{0,5}$/.test(last) && labels.length === 2 ? "file" : "words";
}
