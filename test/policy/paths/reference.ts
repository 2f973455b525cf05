/** A slow, obvious matcher: what a bound means, spelled out by recursion. It decides nothing but whether the quick one is right. */

function matchName(pattern: string, name: string): boolean {
  if (pattern === "") return name === "";
  const head = pattern[0];
  if (head === "*") {
    for (let taken = 0; taken <= name.length; taken += 1) {
      if (matchName(pattern.slice(1), name.slice(taken))) return true;
    }
    return false;
  }
  if (name === "") return false;
  if (head === "?") return matchName(pattern.slice(1), name.slice(1));
  const set = /^\[(!?)([a-z.]+)\]/.exec(pattern);
  if (set !== null) {
    const inside = (set[2] ?? "").includes(name[0] ?? "");
    return inside !== (set[1] === "!") && matchName(pattern.slice(set[0].length), name.slice(1));
  }
  const literal = head === "\\" ? pattern[1] : head;
  return literal === name[0] && matchName(pattern.slice(head === "\\" ? 2 : 1), name.slice(1));
}

function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  const [head, ...tail] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === "**") {
    for (let taken = 0; taken <= path.length; taken += 1)
      if (matchSegments(tail, path.slice(taken))) return true;
    return false;
  }
  const cut = head.indexOf("**");
  if (cut >= 0) {
    // `a**b` is `a*b` in one segment, or `a*`, any number of segments, and `*b`.
    const before = head.slice(0, cut);
    const after = head.slice(cut + 2);
    const whole = `${before}*${after}`;
    return (
      matchSegments([whole, ...tail], path) || matchSegments([`${before}*`, "**", `*${after}`, ...tail], path)
    );
  }
  const [name, ...rest] = path;
  return name !== undefined && matchName(head, name) && matchSegments(tail, rest);
}

const split = (text: string): string[] => text.split("/").filter((segment) => segment !== "");

/** Does the bound name the path? `**` may stand alone in a segment or once inside it; sets hold letters and dots only. */
export function names(bound: string, path: string): boolean {
  return matchSegments(split(bound), split(path));
}

/** Every normalised path over `letters` with at most `segments` segments of at most `length` characters. */
export function everyPath(letters: string, segments: number, length: number): string[] {
  let words = [""];
  const everyName: string[] = [];
  for (let size = 1; size <= length; size += 1) {
    words = words.flatMap((word) => [...letters].map((letter) => word + letter));
    everyName.push(...words.filter((word) => word !== "." && word !== ".."));
  }
  const all = ["/"];
  let layer = [""];
  for (let depth = 1; depth <= segments; depth += 1) {
    layer = layer.flatMap((path) => everyName.map((name) => `${path}/${name}`));
    all.push(...layer);
  }
  return all;
}
