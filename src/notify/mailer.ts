/**
 * Who sends mail: Cloudflare's binding `EMAIL` where the deployment has one. On a developer's machine the log does, so
 * that a first ask can be answered from the terminal. A link in any other log would be a link for all who read it.
 */
import { reachFrom } from "../addresses.ts";
import { log } from "../log.ts";
import { within } from "../within.ts";
import { failed, SEND_TIMEOUT_MS, type Sent } from "./dispatch.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The one in the text, for whoever shows it by itself. */
  readonly link: string;
}

export interface Mailer {
  /** Total. */
  send(mail: Mail): Promise<Sent>;
}

/** The binding, as far as it is used. */
interface EmailBinding {
  send(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown>;
}

/**
 * The mailer of a deployment, or `null` where there is none.
 * @param env `EMAIL`, a `send_email` binding, and `EMAIL_FROM`, the sender; by default `countersign@` the origin's host
 */
export function mailerOf(env: unknown, origin: string): Mailer | null {
  const { EMAIL: binding, EMAIL_FROM: from } = env as { EMAIL?: EmailBinding; EMAIL_FROM?: unknown };
  if (typeof binding?.send === "function") {
    const host = new URL(origin).hostname;
    return new BindingMailer(binding, typeof from === "string" && from !== "" ? from : `countersign@${host}`);
  }
  return reachFrom([origin]).loopback ? new LogMailer() : null;
}

class BindingMailer implements Mailer {
  readonly #binding: EmailBinding;
  readonly #from: string;

  constructor(binding: EmailBinding, from: string) {
    this.#binding = binding;
    this.#from = from;
  }

  async send({ to, subject, text }: Mail): Promise<Sent> {
    let isLate = true;
    try {
      const sending = this.#binding.send({ from: this.#from, to, subject, text }).finally(() => {
        isLate = false;
      });
      await within(SEND_TIMEOUT_MS, sending);
      return { sent: true };
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      const word = typeof code === "string" ? /^E_([A-Z_]{1,40})$/.exec(code)?.[1] : undefined;
      if (word !== undefined) return failed(`mail-${word.toLowerCase().replaceAll("_", "-")}`, true);
      return failed(isLate ? "timeout" : "mail-refused", true);
    }
  }
}

/** One line a mail, with its link in full: for a terminal that nobody else reads. */
class LogMailer implements Mailer {
  async send({ to, subject, text, link }: Mail): Promise<Sent> {
    log.info("mail", { to, subject, link, text });
    return { sent: true };
  }
}
