/** Mail of a local run: nothing sends it, so the Worker logs it, link and all, for the terminal of whoever runs it. */
import { bold, cyan, yellow } from "./say.mjs";

/** What a terminal would act on, or draw as something else: escapes, and what turns the direction of text. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The mail in a line of the Worker's log, for a person to read; `null` for any other line.
 * @param {string} line `{"event":"mail","to":…,"subject":…,"link":…,"text":…}`
 * @returns {string | null}
 */
export function mailIn(line) {
  if (!line.startsWith('{"event":"mail"')) return null;
  let mail;
  try {
    mail = JSON.parse(line);
  } catch {
    return null;
  }
  const { to, subject, link, text } = mail;
  if (![to, subject, link, text].every((part) => typeof part === "string")) return null;
  const [title, address, body, way] = [subject, to, text, link].map((part) => part.replace(UNSEEN, "�"));
  const lines = body
    .split("\n")
    // The subject stands on top; the link by itself, to be clicked or copied.
    .filter((one) => one !== title && one !== "")
    .map((one) => `    ${one.replace(way, cyan(way))}`);
  return [`  ${yellow("✉")} ${bold(title)}  (mail to ${address})`, ...lines].join("\n");
}
