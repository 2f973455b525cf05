import type { Word } from "unbash";
import { type Field, literal, type UnknownSource } from "./field.ts";

/** `${name%suffix}` and its three relatives on a known value; what depends on a pattern may stay unknown. */
export function removed(value: Field, operator: string, operand: Word): Field {
  const pattern = operand.parts === undefined ? operand.value : null;
  const text = literal(value);
  const source: UnknownSource = "other";
  const loose: Field = [
    {
      kind: "unknown",
      source,
      // White space could make several words of it.
      segment: value.every((p) => p.kind === "glob" || (p.kind === "text" && !/[/\s]/.test(p.text))),
    },
  ];
  if (pattern === null) {
    const name = operand.text;
    if (operator.startsWith("#") && name === "*/" && text !== null) {
      const cut = operator === "##" ? text.lastIndexOf("/") : text.indexOf("/");
      return [{ kind: "text", text: text.slice(cut + 1), quoted: true }];
    }
    if (operator === "%" && name === "/*" && text !== null) {
      return [
        {
          kind: "text",
          text: text.includes("/") ? text.slice(0, text.lastIndexOf("/")) : text,
          quoted: true,
        },
      ];
    }
    if (operator.startsWith("%") && name === ".*" && text !== null) {
      const cut = operator === "%" ? text.lastIndexOf(".") : text.indexOf(".");
      return [{ kind: "text", text: cut < 0 ? text : text.slice(0, cut), quoted: true }];
    }
    const bare =
      operator === "##" && name === "*/" && !value.some((p) => p.kind === "text" && /\s/.test(p.text));
    return bare ? [{ kind: "unknown", source, segment: true }] : loose;
  }
  const last = value[value.length - 1];
  const first = value[0];
  if (operator.startsWith("%") && last?.kind === "text") {
    return last.text.endsWith(pattern)
      ? [...value.slice(0, -1), { ...last, text: last.text.slice(0, last.text.length - pattern.length) }]
      : value;
  }
  if (operator.startsWith("#") && first?.kind === "text") {
    return first.text.startsWith(pattern)
      ? [{ ...first, text: first.text.slice(pattern.length) }, ...value.slice(1)]
      : value;
  }
  return loose;
}
