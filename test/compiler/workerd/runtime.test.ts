import { describe, it } from "vitest";
import {
  type CompileDeps,
  compilerSettings,
  compileWithModel,
  keyPlace,
} from "../../../src/compiler/index.ts";
import { open, seal } from "../../../src/sealing.ts";
import { completion, GOOD, WORDS } from "../answers.ts";

/** What only the real runtime can show: its own fetch, its streams, its cryptography. */
const SETTINGS = compilerSettings({
  compiler: "model",
  provider: "openai-compatible",
  base_url: "http://127.0.0.1:9/v1",
  model: "fake",
  timeout_ms: 1_000,
});

async function compile(deps: Partial<CompileDeps>) {
  const started = performance.now();
  const outcome = await compileWithModel(
    { settings: SETTINGS, key: "sk-1", reach: { own: [], loopback: true }, turns: [{ text: WORDS }] },
    { fetch, now: Date.now, ...deps },
  );
  return { outcome, ms: performance.now() - started };
}

/** An answer whose body comes from `pull`, and whether it was let go of. */
function streaming(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>) {
  const state = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull,
    cancel() {
      state.cancelled = true;
    },
  });
  return { state, fetch: (async () => new Response(body)) as typeof fetch };
}

describe("the model compiler in workerd", () => {
  it("calls the runtime's own fetch, and names a closed port unreachable", async ({ expect }) => {
    const { outcome, ms } = await compile({});
    expect(outcome).toMatchObject({ ok: false, cause: "unreachable", requests: 1 });
    expect(ms).toBeLessThan(2_000);
  });

  it("reads a draft, and passes what the runtime's Request takes", async ({ expect }) => {
    const { outcome } = await compile({
      fetch: async function (this: unknown, url: string, init: RequestInit) {
        // The runtime's own is an "Illegal invocation" for any other `this`.
        expect(this).toBeUndefined();
        const request = new Request(url, init);
        expect(request.redirect).toBe("manual");
        expect(request.headers.get("authorization")).toBe("Bearer sk-1");
        return new Response(completion(GOOD));
      } as typeof fetch,
    });
    expect(outcome).toMatchObject({ ok: true, draft: GOOD });
  });

  it("cuts an endless answer and lets go of it", async ({ expect }) => {
    const { state, fetch } = streaming((controller) => controller.enqueue(new Uint8Array(16_384)));
    const { outcome, ms } = await compile({ fetch });
    expect(outcome).toMatchObject({ ok: false, cause: "too-long", requests: 1 });
    expect(state.cancelled).toBe(true);
    expect(ms).toBeLessThan(1_000);
  });

  it("gives up at the deadline on what never comes", async ({ expect }) => {
    const { fetch } = streaming(() => new Promise((resolve) => setTimeout(resolve, 3_000)));
    for (const one of [fetch, (() => new Promise((resolve) => setTimeout(resolve, 3_000))) as typeof fetch]) {
      const { outcome, ms } = await compile({ fetch: one });
      expect(outcome).toMatchObject({ ok: false, cause: "timeout", requests: 1 });
      expect(ms).toBeLessThan(2_000);
    }
  });

  it("follows no redirect", async ({ expect }) => {
    const answer = async () => Response.redirect("http://169.254.169.254/", 307);
    const { outcome } = await compile({ fetch: answer as typeof fetch });
    expect(outcome).toMatchObject({ ok: false, cause: "redirect", requests: 1 });
  });

  it("seals and opens a key", async ({ expect }) => {
    const place = keyPlace("org_1", SETTINGS);
    const sealed = await seal("sk-1", place, ["n".repeat(43)]);
    expect(await open(sealed, place, ["m".repeat(43), "n".repeat(43)])).toEqual({
      ok: true,
      text: "sk-1",
      current: false,
    });
    expect(await open(sealed, keyPlace("org_2", SETTINGS), ["n".repeat(43)])).toMatchObject({ ok: false });
  });
});
