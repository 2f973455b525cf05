/** What every test of an outcome holds, whatever the endpoint does. */
import { afterEach, type ExpectStatic, vi } from "vitest";
import { MAX_REQUESTS } from "../../src/compiler/index.ts";
import { completion } from "./answers.ts";
import { answer, type Behaviour, compile, type FakeModel, fakeModel, KEY } from "./fake-model.ts";

/** Deadline of every test here, and what is added for a slow machine. */
export const TIMEOUT_MS = 2_000;
export const SLACK_MS = 1_000;

let models: FakeModel[] = [];
afterEach(async () => {
  await Promise.all(models.map((model) => model.close()));
  models = [];
});

export async function model(behaviour: Behaviour): Promise<FakeModel> {
  const one = await fakeModel(behaviour);
  models.push(one);
  return one;
}

/**
 * Compiles against a model, and holds what is true of every outcome: bounded in time and requests, and without a word
 * of the key or of what the endpoint said.
 */
export async function outcomeOf(
  behaviour: Behaviour,
  expect: ExpectStatic,
  limits: { requests: number; ms?: number },
  more: Parameters<typeof compile>[2] = {},
) {
  const fake = await model(behaviour);
  const logs = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
  const started = performance.now();
  const outcome = await compile(fake.url, {}, more);
  const ms = performance.now() - started;
  expect(ms).toBeLessThan((limits.ms ?? TIMEOUT_MS) + SLACK_MS);
  expect(outcome.requests).toBe(limits.requests);
  expect(fake.asked.length).toBe(limits.requests);
  expect(limits.requests).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(outcome.ms).toBeLessThanOrEqual(ms + 1);
  const told = JSON.stringify(outcome);
  expect(told).not.toContain(KEY);
  expect(told).not.toContain("LEAK");
  for (const log of logs) {
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  }
  return { outcome, fake };
}

export const says =
  (content: unknown, more = {}): Behaviour =>
  (_, response) =>
    answer(response, completion(content, more));
