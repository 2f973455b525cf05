import * as fc from "fast-check";
import { describe, it, vi } from "vitest";
import { readAddress } from "../../src/addresses.ts";
import {
  compilerSettings,
  compileWithModel,
  keyPlace,
  readCompilerSettings,
  shownSettings,
} from "../../src/compiler/index.ts";
import { checkEnv } from "../../src/env.ts";
import { open, seal } from "../../src/sealing.ts";

const REACH = { own: ["countersign.example.com", "localhost:8787", "127.0.0.1:8787"], loopback: false };
const AT_HOME = { ...REACH, loopback: true };

describe("an address", () => {
  it.for([
    ["https://api.example.com/v1", "https://api.example.com/v1"],
    ["https://api.example.com/v1///", "https://api.example.com/v1"],
    ["https://API.Example.com:8443/a/b", "https://api.example.com:8443/a/b"],
    ["https://8.8.8.8", "https://8.8.8.8"],
    ["https://[2606:4700::1111]/v1", "https://[2606:4700::1111]/v1"],
    ["https://[2001:4860:4860::8888]/v1", "https://[2001:4860:4860::8888]/v1"],
    ["https://172.15.0.1/", "https://172.15.0.1"],
    ["https://notlocalhost.com/", "https://notlocalhost.com"],
  ] as const)("may be %s", ([text, url], { expect }) => {
    expect(readAddress(text, REACH)).toMatchObject({ ok: true, url });
  });

  it.for([
    ["", "not-a-url"],
    ["api.example.com", "not-a-url"],
    ["https://", "not-a-url"],
    [`https://example.com/${"a".repeat(3_000)}`, "not-a-url"],
    ["https://exa\tmple.com", "not-a-url"],
    ["https://example.com\\@10.0.0.1", "not-a-url"],
    ["https://exämple.com", "not-a-url"],
    ["http://api.example.com", "not-https"],
    ["ftp://api.example.com", "not-https"],
    ["file:///etc/passwd", "not-https"],
    ["javascript:alert(1)", "not-https"],
    ["https://user:pass@example.com", "credentials-in-url"],
    ["https://@example.com", "credentials-in-url"],
    ["https://example.com/?a=b", "query-or-fragment"],
    ["https://example.com/#x", "query-or-fragment"],
    ["https://countersign.example.com/v1", "own-origin"],
    ["https://countersign.example.com.:8443/v1", "own-origin"],
    ["https://localhost/v1", "loopback"],
    ["http://127.0.0.1:11434/v1", "loopback"],
    ["https://127.1/v1", "loopback"],
    ["https://2130706433/", "loopback"],
    ["https://0x7f.0.0.1/", "loopback"],
    ["https://[::1]/", "loopback"],
    ["https://[::ffff:127.0.0.1]/", "private-address"],
    ["https://0.0.0.0/", "private-address"],
    ["https://10.1.2.3/", "private-address"],
    ["https://100.64.0.1/", "private-address"],
    ["https://169.254.169.254/latest/meta-data", "private-address"],
    ["https://0xa9fea9fe/", "private-address"],
    ["https://172.16.0.1/", "private-address"],
    ["https://192.168.1.1/", "private-address"],
    ["https://198.18.0.1/", "private-address"],
    ["https://192.0.2.1/", "private-address"],
    ["https://224.0.0.1/", "private-address"],
    ["https://255.255.255.255/", "private-address"],
    ["https://[fd00:ec2::254]/", "private-address"],
    ["https://[fe80::1]/", "private-address"],
    ["https://[64:ff9b::a9fe:a9fe]/", "private-address"],
    ["https://[2002:a9fe:a9fe::1]/", "private-address"],
    ["https://[2001::1]/", "private-address"],
    ["https://[2001:db8::1]/", "private-address"],
    ["https://[::]/", "private-address"],
    ["https://metadata.google.internal/", "local-name"],
    ["https://printer.local./", "local-name"],
    ["https://model.localhost/", "local-name"],
    ["https://localhost../", "local-name"],
    ["https://intranet/", "local-name"],
    ["https://router.home.arpa/", "local-name"],
  ] as const)("may not be %s", ([text, cause], { expect }) => {
    expect(readAddress(text, REACH)).toEqual({ ok: false, cause });
  });

  it("may be on loopback on a developer's machine, but not this deployment", ({ expect }) => {
    expect(readAddress("http://127.0.0.1:11434/v1", AT_HOME).ok).toBe(true);
    expect(readAddress("http://localhost:1234/v1", AT_HOME).ok).toBe(true);
    expect(readAddress("http://[::1]:1234/v1", AT_HOME).ok).toBe(true);
    for (const own of [
      "http://localhost:8787",
      "http://127.1:8787",
      "http://[::1]:8787",
      "https://0.0.0.0:8787",
    ])
      expect(readAddress(own, AT_HOME), own).toEqual({ ok: false, cause: "own-origin" });
    expect(readAddress("http://192.168.1.5:11434/v1", AT_HOME)).toEqual({
      ok: false,
      cause: "private-address",
    });
    expect(readAddress("http://169.254.169.254/", AT_HOME)).toEqual({ ok: false, cause: "private-address" });
  });

  it("is judged whatever it is", ({ expect }) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.ipV4().map((ip) => `https://${ip}`),
        ),
        (text) => {
          const read = readAddress(text, REACH);
          if (read.ok) expect(read.url).toMatch(/^https:\/\//);
        },
      ),
    );
  });
});

describe("the compiler's settings", () => {
  it("are the offline rules when nothing is said", ({ expect }) => {
    const expected = {
      compiler: "rules",
      provider: "openrouter",
      base_url: "https://openrouter.ai/api/v1",
      model: "anthropic/claude-haiku-4.5",
      timeout_ms: 8_000,
      key: null,
    };
    for (const nothing of [undefined, null, {}])
      expect(readCompilerSettings(nothing)).toEqual({ settings: expected, faults: [] });
    expect(readCompilerSettings("model")).toEqual({
      settings: expected,
      faults: [{ pointer: "", cause: "wrong-type" }],
    });
  });

  it.for([
    [{ compiler: "magic" }, "/compiler", "unknown-value"],
    [{ provider: "hermes" }, "/provider", "unknown-value"],
    [{ base_url: 7 }, "/base_url", "wrong-type"],
    [{ base_url: "gopher://x" }, "/base_url", "unknown-value"],
    [{ base_url: `https://${"a".repeat(3_000)}` }, "/base_url", "too-long"],
    [{ model: "two words" }, "/model", "unknown-value"],
    [{ model: "m".repeat(300) }, "/model", "too-long"],
    [{ timeout_ms: 0 }, "/timeout_ms", "out-of-range"],
    [{ timeout_ms: 60_000 }, "/timeout_ms", "out-of-range"],
    [{ timeout_ms: Number.NaN }, "/timeout_ms", "out-of-range"],
    [{ timeout_ms: "8000" }, "/timeout_ms", "wrong-type"],
    [{ key: "sk plain text" }, "/key", "unknown-value"],
    [{ allowed_tools: [] }, "/allowed_tools", "unknown-member"],
  ] as const)("name what is wrong in %j, and do without it", ([value, pointer, cause], { expect }) => {
    const { settings, faults } = readCompilerSettings(value);
    expect(faults).toEqual([{ pointer, cause }]);
    expect(settings).toEqual(compilerSettings({}));
  });

  it("stay those of a model though their details are broken", ({ expect }) => {
    const settings = compilerSettings({ compiler: "model", provider: "openai-compatible", base_url: 1 });
    expect(settings).toMatchObject({ compiler: "model", base_url: null, model: null });
  });

  it("are read from anything", ({ expect }) => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { settings } = readCompilerSettings(value);
        expect(["rules", "model"]).toContain(settings.compiler);
        expect(settings.timeout_ms).toBeGreaterThanOrEqual(1_000);
        expect(settings.timeout_ms).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  it("are shown without the key", ({ expect }) => {
    const shown = shownSettings(compilerSettings({ key: "cs1.abc" }));
    expect(shown).toMatchObject({ key_set: true });
    expect(JSON.stringify(shown)).not.toContain("cs1.");
  });
});

describe("what cannot be asked", () => {
  const nobody = vi.fn<typeof fetch>();
  const input = { key: null, reach: REACH, turns: [{ text: "Send it." }] };
  const model = { compiler: "model", provider: "openai-compatible", model: "m" };

  it.for([
    [{ compiler: "model" }, null, "not-configured", "key"],
    [{ compiler: "model" }, "two\nlines", "not-configured", "key"],
    [{ ...model }, null, "not-configured", "base-url"],
    [{ ...model, model: null, base_url: "https://a.example" }, null, "not-configured", "model"],
    [{ ...model, base_url: "https://169.254.169.254" }, null, "address-refused", "private-address"],
    [{ ...model, base_url: "https://countersign.example.com" }, null, "address-refused", "own-origin"],
    [{ ...model, base_url: "http://127.0.0.1:8080" }, null, "address-refused", "loopback"],
    [{ compiler: "model", provider: "workers-ai" }, null, "not-configured", "binding"],
  ] as const)("is not asked: %j", async ([settings, key, cause, why], { expect }) => {
    const outcome = await compileWithModel(
      { ...input, key, settings: compilerSettings(settings) },
      { fetch: nobody, now: Date.now },
    );
    expect(outcome).toMatchObject({ ok: false, cause, why, requests: 0 });
    expect(nobody).not.toHaveBeenCalled();
  });
});

describe("a secret at rest", () => {
  const [NEW, OLD] = ["n".repeat(43), "o".repeat(43)];
  const place = { organization: "org_1", field: "compiler.key openrouter https://openrouter.ai" };

  it("opens where it belongs, and says whether it wants sealing again", async ({ expect }) => {
    const sealed = await seal("sk-1 ü", place, [OLD]);
    expect(sealed).toMatch(/^cs1\.[0-9a-f]{16}\.[\w-]+$/);
    expect(sealed).not.toContain("sk-1");
    expect(await open(sealed, place, [OLD])).toEqual({ ok: true, text: "sk-1 ü", current: true });
    expect(await open(sealed, place, [NEW, OLD])).toEqual({ ok: true, text: "sk-1 ü", current: false });
    expect(await open(sealed, place, [NEW])).toEqual({ ok: false, cause: "unknown-key" });
    expect(await open(sealed, place, [])).toEqual({ ok: false, cause: "unknown-key" });
    expect(await seal("sk-1 ü", place, [OLD])).not.toBe(sealed);
  });

  it("does not open for another organization, another field, or after a change", async ({ expect }) => {
    const sealed = await seal("sk-1", place, [NEW]);
    for (const other of [
      { ...place, organization: "org_2" },
      { ...place, field: "compiler.key openrouter https://evil.example" },
      { organization: 'org_1","compiler.key', field: "openrouter https://openrouter.ai" },
    ])
      expect(await open(sealed, other, [NEW])).toEqual({ ok: false, cause: "not-authentic" });
    const [version, id = "", data = ""] = sealed.split(".");
    for (let i = 0; i < data.length - 1; i += 7) {
      const flipped = data.slice(0, i) + (data[i] === "A" ? "B" : "A") + data.slice(i + 1);
      expect(await open(`${version}.${id}.${flipped}`, place, [NEW])).toEqual({
        ok: false,
        cause: "not-authentic",
      });
    }
  });

  it("is named malformed whatever it is", async ({ expect }) => {
    for (const wrong of [
      "",
      "sk-plain",
      "cs1..",
      "cs2.0123456789abcdef.AAAA",
      "cs1.0123456789abcdef.AAAA",
      "cs1.0123456789abcdef.A",
    ])
      expect(await open(wrong, place, [NEW]), wrong).toEqual({ ok: false, cause: "malformed" });
    expect(await open(`cs1.0123456789abcdef.${"A".repeat(100_000)}`, place, [NEW])).toMatchObject({
      ok: false,
    });
  });

  it("is never sealed under no key at all", async ({ expect }) => {
    await expect(async () => await seal("sk-1", place, [])).rejects.toThrow(RangeError);
  });

  it("does not open once its address is another one", async ({ expect }) => {
    const before = compilerSettings({
      compiler: "model",
      provider: "openai-compatible",
      base_url: "https://a.example/v1",
    });
    const sealed = await seal("sk-1", keyPlace("org_1", before), [NEW]);
    const path = { ...before, base_url: "https://a.example/v2" };
    expect(await open(sealed, keyPlace("org_1", path), [NEW])).toMatchObject({ ok: true });
    for (const after of [
      { ...before, base_url: "https://b.example/v1" },
      { ...before, base_url: "https://a.example:8443/v1" },
      { ...before, base_url: null },
      { ...before, provider: "openrouter" as const },
    ])
      expect(await open(sealed, keyPlace("org_1", after), [NEW])).toEqual({
        ok: false,
        cause: "not-authentic",
      });
  });
});

describe("the deployment's SETTINGS_KEY", () => {
  const [NEW, OLD] = ["n".repeat(32), "o".repeat(32)];
  const check = (SETTINGS_KEY: unknown) =>
    checkEnv({ OPERATOR_TOKEN: "t".repeat(32), PUBLIC_ORIGIN: "", SETTINGS_KEY } as Env);

  it("is one secret, or two while one takes over", ({ expect }) => {
    expect(check(NEW)).toMatchObject({ ok: true, config: { settingsKeys: [NEW] } });
    expect(check(`${NEW},${OLD}`)).toMatchObject({ ok: true, config: { settingsKeys: [NEW, OLD] } });
  });

  it("is named when it is wrong, and not shown", ({ expect }) => {
    const secret = "s3cret".repeat(4);
    for (const wrong of [
      undefined,
      "",
      secret,
      `${NEW},`,
      `${NEW},${secret}`,
      `${NEW}, ${OLD}`,
      `${NEW},${OLD},${NEW}`,
    ]) {
      const found = check(wrong);
      if (found.ok) throw new Error(`taken: ${wrong}`);
      expect(found.faults.join()).toMatch(/^SETTINGS_KEY: /);
      expect(found.faults.join()).not.toContain("s3cret");
    }
  });
});
