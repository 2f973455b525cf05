/** What a person said, what a model makes of it, and how an endpoint puts that. */

export const WORDS = "Read the report and email the summary to john@example.com. Don't touch ~/notes.";

export const GOOD = {
  permissions: [
    {
      risk: "COMMUNICATION",
      verbs: ["email"],
      object: ["summary"],
      targets: [{ kind: "recipient", text: "john@example.com" }],
      limit: 1,
      quote: "email the summary to john@example.com",
      rationale: "The person asks for one mail to john@example.com.",
    },
  ],
  prohibitions: [
    {
      risks: ["WRITE", "DELETE"],
      verbs: [],
      object: [],
      targets: [{ kind: "path", text: "~/notes" }],
      except: false,
      verdict: "block",
      quote: "Don't touch ~/notes",
      rationale: "The person forbids changes in ~/notes.",
    },
  ],
};

/** A chat completion that says this. */
export function completion(content: unknown, more: Record<string, unknown> = {}): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "fake",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop", ...more }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}
