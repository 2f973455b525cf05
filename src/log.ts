/** One line of JSON an event. Never inputs, tokens or headers: a log is read by more people than the ledger. */

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Causes of causes that are told. */
const MAX_CAUSES = 4;
const MAX_CAUSE_CHARACTERS = 500;

export const log = {
  info(event: string, fields: Fields): void {
    // biome-ignore lint/suspicious/noConsole: the platform's log is written with console
    console.log(JSON.stringify({ event, ...fields }));
  },
  error(event: string, error: unknown, fields: Fields = {}): void {
    // biome-ignore lint/suspicious/noConsole: the platform's log is written with console
    console.error(JSON.stringify({ event, ...told(error), ...fields }));
  },
};

/** What of an error may be written down: its name, its code, and what it says, without what it was said about. */
function told(error: unknown): { name: string; code?: string | number; cause: string } {
  // Whoever says it in words of their own has chosen them.
  if (typeof error === "string") return { name: "string", cause: error.slice(0, MAX_CAUSE_CHARACTERS) };
  if (!(error instanceof Error)) return { name: typeof error, cause: "what was thrown is no error" };
  const causes: string[] = [];
  let code: string | number | undefined;
  let one: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && one instanceof Error; depth += 1) {
    causes.push(saidBy(one));
    const { code: own } = one as { code?: unknown };
    if (code === undefined && (typeof own === "string" || typeof own === "number")) code = own;
    one = one.cause;
  }
  return { name: error.name, ...(code === undefined ? {} : { code }), cause: causes.join("; by ") };
}

function saidBy(error: Error): string {
  // A parser quotes the text that it could not read, and a schema the value that it refused.
  if (error instanceof SyntaxError || error.name === "ZodError") return error.name;
  const [message = ""] = error.message.split(/\bparams\b\s*:/i, 1);
  // What stands in quotes in a statement, or in what is said of one, may be a value of somebody's.
  const bare = message
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, " ")
    .trim();
  return `${error.name}: ${bare.slice(0, MAX_CAUSE_CHARACTERS).toWellFormed()}`;
}
