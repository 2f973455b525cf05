import type { Report } from "../report.ts";
import { type Field, has } from "./field.ts";
import type { Place } from "./walker.ts";

const FETCHES = /(?:^|[^\w./-])(?:curl|wget2?|aria2c|axel|https?|xhs?|nc|ncat|netcat|scp|ftp|sftp)(?=\s)/;
const DECODES =
  /(?:^|[^\w./-])(?:base(?:64|32)|xxd|openssl|uudecode|gunzip|zcat|bunzip2|xzcat|gpg2?|rev|tr)(?=\s|$)/;

/**
 * What the commands further up a pipeline hand down to the next one, as text to be searched: a chain, since a pipeline of
 * a thousand commands would be written out again for each of them.
 */
export class Feed {
  readonly text: string;
  readonly before: Feed | null;
  /** Whether any of it comes over the network, or out of a coding. */
  readonly fetches: boolean;
  readonly decodes: boolean;
  /** In which ways it has been searched, all before it included. */
  readonly #searched = new Set<string>();

  constructor(text: string, before: Feed | null = null) {
    this.text = text;
    this.before = before;
    this.fetches = before?.fetches || FETCHES.test(text);
    this.decodes = before?.decodes || DECODES.test(text);
  }

  /** Searches what has not been searched in this way for names. */
  mention(report: Report, cwd: string | null, plainWords: boolean): void {
    const way = `${plainWords} ${cwd}`;
    for (let one: Feed | null = this; one !== null && !one.#searched.has(way); one = one.before) {
      one.#searched.add(way);
      report.mention(one.text, cwd, plainWords);
    }
  }
}

/** Says of code that is run as it comes whether it comes over the network, or out of a coding that hides what it says. */
export function noteOrigin(text: string, report: Report): void {
  noteFed(report.origin(text), report);
}

function noteFed({ fetches, decodes }: Feed, report: Report): void {
  if (fetches) report.opaque("remote-code");
  if (decodes) report.opaque("decoded-code");
}

/** As `noteOrigin`, for what an interpreter is fed, and for what a command prints into its arguments. */
export function noteFeed(place: Place, args: readonly Field[], report: Report): void {
  if (place.input.kind === "pipe") noteFed(place.input.feed, report);
  const printed = args.some(
    (arg) =>
      has(arg, "unknown") &&
      arg.some((one) => one.kind === "unknown" && (one.source === "command" || one.source === "process")),
  );
  if (printed) noteOrigin(place.source, report);
}
