/** The form of a proof's file: every member is there, of its kind and within its bound, before anything is hashed. */
import { HASH } from "./bytes.ts";
import { parse } from "./reading.ts";

/** Says what is wrong with a value at a pointer, or `null`. */
export type Form = (value: unknown, pointer: string) => { pointer: string; message: string } | null;

export const text =
  (limit: number, fits: (text: string) => boolean = () => true): Form =>
  (value, pointer) => {
    if (typeof value !== "string") return { pointer, message: "A text is due here." };
    if (value.length > limit) return { pointer, message: `This text has ${limit} characters at most.` };
    return value.isWellFormed() && fits(value)
      ? null
      : { pointer, message: "This text is not of the form that is due." };
  };

export const hash = text(64, (value) => HASH.test(value));

export const size: Form = (value, pointer) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? null : { pointer, message: "A count is due here." };

export const either =
  (form: Form): Form =>
  (value, pointer) =>
    value === null ? null : form(value, pointer);

export const list =
  (limit: number, form: Form, least = 0): Form =>
  (value, pointer) => {
    if (!Array.isArray(value)) return { pointer, message: "A list is due here." };
    if (value.length > limit || value.length < least)
      return { pointer, message: `This list has from ${least} to ${limit} members.` };
    for (const [i, one] of value.entries()) {
      const wrong = form(one, `${pointer}/${i}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

export const members =
  (forms: Readonly<Record<string, Form>>): Form =>
  (value, pointer) => {
    if (!isObject(value)) return { pointer, message: "An object is due here." };
    for (const [name, form] of Object.entries(forms)) {
      if (!Object.hasOwn(value, name)) return { pointer: `${pointer}/${name}`, message: "This is missing." };
      const wrong = form(value[name], `${pointer}/${name}`);
      if (wrong !== null) return wrong;
    }
    return Object.keys(value).length === Object.keys(forms).length
      ? null
      : { pointer, message: "Something stands here that no receipt of version 1 holds." };
  };

/** What is wrong with a file. `unreadable`: it is none of this kind and version, and nothing can be said of it. */
export interface FormFault {
  readonly code: "malformed-file" | "unknown-version";
  readonly pointer: string;
  readonly message: string;
  readonly unreadable: boolean;
}

/**
 * Reads a file of one kind from its text or bytes, or from its JSON value. Total.
 * @param mark the member that names kind and version
 * @param limit in characters, or bytes
 */
export function readFile(
  file: unknown,
  mark: string,
  limit: number,
  form: Form,
): { readonly value: Readonly<Record<string, unknown>> } | FormFault {
  const no = (message: string, pointer = "", unreadable = true): FormFault => ({
    code: "malformed-file",
    pointer,
    message,
    unreadable,
  });
  let value = file;
  let source: string | null = null;
  if (typeof file === "string" || file instanceof Uint8Array) {
    if (file.length > limit) return no(`The file has ${limit} characters at most.`);
    source = typeof file === "string" ? file : decodeUtf8(file);
    if (source === null) return no("The file is not UTF-8.");
    value = parse(source);
    if (value === undefined) return no("The file is not JSON.");
  }
  if (!isObject(value) || !Object.hasOwn(value, mark)) return no(`The file holds no ${mark}.`);
  if (value[mark] !== 1)
    return {
      code: "unknown-version",
      pointer: `/${mark}`,
      message: "The file is of a version that is not known here; this reads version 1.",
      unreadable: true,
    };
  // A member that stands twice is read one way by one reader and the other way by another.
  if (source !== null && !isPlainJson(source, value))
    return no("The file is not as JSON.stringify writes it, in one line or by two spaces.", "", false);
  const wrong = form(value, "");
  return wrong === null ? { value } : no(wrong.message, wrong.pointer, false);
}

/**
 * Whether a text is what `JSON.stringify` writes of its value, in one line or by two spaces, with or without a last line
 * feed: then no member stands twice, and nothing is written in a roundabout way.
 * @param value what `JSON.parse` makes of the text
 */
export function isPlainJson(text: string, value: unknown): boolean {
  const bare = text.endsWith("\n") ? text.slice(0, -1) : text;
  try {
    return bare === JSON.stringify(value, null, 2) || bare === JSON.stringify(value);
  } catch {
    return false;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of UTF-8 bytes, or `null`. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
