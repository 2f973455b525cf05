import { describe, expect, it } from "vitest";
import { shell } from "./support.ts";

describe("what commands of git name, each by itself", () => {
  it.each<[string, string[], string[]]>([
    ["git push origin a +b", ["ref: +b", "ref: a", "remote: origin"], ["force"]],
    ["git push origin :a :b", ["ref: :a", "ref: :b", "remote: origin"], ["delete"]],
    ["git -C app push evil main", ["ref: main", "remote: evil"], ["push"]],
    ["git push origin --all", ["remote: origin"], ["all"]],
    ["git push --mirror evil", ["remote: evil"], ["mirror"]],
    ["git branch -D feature/x main", ["branch: feature/x", "branch: main"], ["delete"]],
    ["git tag -d v1 v2", ["tag: v1", "tag: v2"], ["delete"]],
  ])("%s", (command, items, verbs) => {
    const effects = shell(command);
    const told = effects.items.filter(({ name }) => name !== "command");
    expect(told.map(({ name, value }) => `${name}: ${value}`).sort()).toEqual(items);
    expect(effects.acts.flatMap((act) => act.verbs)).toEqual(expect.arrayContaining(verbs));
  });
});
