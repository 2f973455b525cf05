import { describe, it } from "vitest";
import { type AiBinding, compilerSettings, compileWithModel } from "../../src/compiler/index.ts";
import { DRAFT_SCHEMA } from "../../src/policy/fence/draft.ts";
import { GOOD, WORDS } from "./answers.ts";

const TIMEOUT_MS = 1_000;
const SLACK_MS = 1_000;

/** Workers AI whose nth answer is the nth of these; a function is called, an error thrown. */
function binding(...answers: unknown[]): AiBinding & { readonly asked: Record<string, unknown>[] } {
  const asked: Record<string, unknown>[] = [];
  return {
    asked,
    async run(model, inputs, options) {
      asked.push({ model, ...inputs, signal: options?.signal });
      const one = answers[Math.min(asked.length, answers.length) - 1];
      if (one instanceof Error) throw one;
      return typeof one === "function" ? await (one as () => unknown)() : one;
    },
  };
}

async function compile(ai: AiBinding) {
  const started = performance.now();
  const outcome = await compileWithModel(
    {
      settings: {
        ...compilerSettings({ compiler: "model", provider: "workers-ai" }),
        timeout_ms: TIMEOUT_MS,
      },
      key: null,
      reach: { own: [], loopback: false },
      turns: [{ text: WORDS }],
    },
    { fetch: () => Promise.reject(new Error("nothing is fetched")), now: Date.now, ai },
  );
  return { outcome, ms: performance.now() - started };
}

const aiError = (message: string) => Object.assign(new Error(message), { name: "AiError" });

describe("Workers AI", () => {
  it.for([
    ["what the platform has parsed", { response: GOOD }],
    ["text", { response: JSON.stringify(GOOD) }],
    [
      "a chat completion",
      { choices: [{ message: { content: JSON.stringify(GOOD) }, finish_reason: "stop" }] },
    ],
  ] as const)("answers with %s", async ([, response], { expect }) => {
    const ai = binding(response);
    const { outcome } = await compile(ai);
    expect(outcome).toMatchObject({ ok: true, draft: GOOD, requests: 1, format: "schema" });
    expect(ai.asked[0]).toMatchObject({
      model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
      temperature: 0,
      max_tokens: 4_096,
      response_format: { type: "json_schema", json_schema: DRAFT_SCHEMA },
    });
  });

  it("is asked in a simpler format when it cannot keep to the schema", async ({ expect }) => {
    const ai = binding(aiError("5024: JSON Mode couldn't be met"), { response: GOOD });
    const { outcome } = await compile(ai);
    expect(outcome).toMatchObject({ ok: true, requests: 2, format: "json" });
  });

  it.for([
    ["out of capacity", aiError("3040: Capacity temporarily exceeded, please try again."), "busy", 2],
    ["a model that is none", aiError("5007: No such model LEAK"), "refused", 1],
    ["something that is no error", () => Promise.reject("LEAK"), "refused", 1],
    ["nothing", undefined, "bad-answer", 3],
    ["a stream", new ReadableStream(), "bad-answer", 3],
    ["10 MB", { response: "x".repeat(10 * 1024 * 1024) }, "too-long", 1],
    ["never", () => new Promise(() => {}), "timeout", 1],
  ] as const)("answers with %s: bounded", async ([, response, cause, requests], { expect }) => {
    const ai = binding(response);
    const { outcome, ms } = await compile(ai);
    expect(outcome).toMatchObject({ ok: false, cause, requests });
    expect(ai.asked.length).toBe(requests);
    expect(ms).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(JSON.stringify(outcome)).not.toContain("LEAK");
    expect(ai.asked[0]?.["signal"]).toMatchObject({ aborted: true });
  });
});
