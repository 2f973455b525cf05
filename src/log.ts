/** One line of JSON an event. Never inputs, tokens or headers: a log is read by more people than the ledger. */

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const log = {
  info(event: string, fields: Fields): void {
    // biome-ignore lint/suspicious/noConsole: the platform's log is written with console
    console.log(JSON.stringify({ event, ...fields }));
  },
  error(event: string, error: unknown, fields: Fields = {}): void {
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    // biome-ignore lint/suspicious/noConsole: the platform's log is written with console
    console.error(JSON.stringify({ event, cause, ...fields }));
  },
};
