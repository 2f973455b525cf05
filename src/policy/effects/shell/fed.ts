import type { Report } from "../report.ts";
import { type Field, has } from "./field.ts";
import type { Place } from "./walker.ts";

const FETCHES = /(?:^|[^\w./-])(?:curl|wget2?|aria2c|axel|https?|xhs?|nc|ncat|netcat|scp|ftp|sftp)(?=\s)/;
const DECODES =
  /(?:^|[^\w./-])(?:base(?:64|32)|xxd|openssl|uudecode|gunzip|zcat|bunzip2|xzcat|gpg2?|rev|tr)(?=\s|$)/;

/** Says of code that is run as it comes whether it comes over the network, or out of a coding that hides what it says. */
export function noteOrigin(text: string, report: Report): void {
  if (FETCHES.test(text)) report.opaque("remote-code");
  if (DECODES.test(text)) report.opaque("decoded-code");
}

/** As `noteOrigin`, for what an interpreter is fed, and for what a command prints into its arguments. */
export function noteFeed(place: Place, args: readonly Field[], report: Report): void {
  if (place.input.kind === "pipe") noteOrigin(place.input.text, report);
  const printed = args.some(
    (arg) =>
      has(arg, "unknown") &&
      arg.some((one) => one.kind === "unknown" && (one.source === "command" || one.source === "process")),
  );
  if (printed) noteOrigin(place.source, report);
}
