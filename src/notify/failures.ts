/** Why a message did not get there, and what to do about it: by the stable words that `dispatch.ts` and the kinds fail with. */

export interface FailureWords {
  /** The end of a sentence that begins with `It did not get there:`. */
  readonly what: string;
  /** A sentence for whoever set the channel up; `null` where there is nothing that they could do. */
  readonly todo: string | null;
}

const WORDS: Readonly<Record<string, FailureWords>> = {
  timeout: {
    what: "no answer within five seconds",
    todo: "Have the receiver answer first and work afterwards, and look whether it is overloaded.",
  },
  unreachable: {
    what: "nothing could be reached there",
    todo: "Look whether the name is right and exists, whether anything listens there, and whether its certificate is valid.",
  },
  "name-not-found": {
    what: "its name leads nowhere",
    todo: "Look for a typing mistake in the address, or set up the name in your DNS.",
  },
  "tls-failed": {
    what: "no secure connection could be made",
    todo: "Look at the receiver's certificate: it may have run out, or be for another name.",
  },
  redirect: {
    what: "the receiver points elsewhere, and nothing is sent on",
    todo: "Set the channel to the address that it points to.",
  },
  gone: {
    what: "the receiver is not there any more",
    todo: "It says that it is gone for good: set up a new one, and remove this channel.",
  },
  "address-refused": {
    what: "nothing may be sent to this address",
    todo: "Set the channel to an address that is https and public.",
  },
  "target-unreadable": {
    what: "what is kept of it can no longer be read",
    todo: "Set it up anew.",
  },
  "no-mailer": {
    what: "this deployment sends no mail",
    todo: "Choose another kind of channel, or ask whoever operates the deployment.",
  },
  "mail-refused": { what: "the mail was refused", todo: "Look whether the address is right." },
  "key-retired": { what: "its key is no longer in use", todo: "Set it up anew, in that browser." },
  "no-secret": { what: "it has no secret to sign with", todo: "Make a new secret for it." },
  internal: { what: "this is our fault; the log says more", todo: null },
};

const STATUSES: Readonly<Record<string, string>> = {
  "400": "Look whether the address is the whole one that the service gave you.",
  "401": "It asks who sends this: look whether the token or the address is still good.",
  "403": "It does not let us in: look whether the token or the address is still good.",
  "404": "Nothing is there: look whether the address is the whole one, and whether it still exists.",
  "405": "It takes no POST: look whether the address is the one for webhooks.",
  "413": "It takes no message of this size.",
  "429": "It wants to be left alone for a while; we try again later.",
};

/** @param failure a stable word; what is not known is said as it is */
export function failureWords(failure: string): FailureWords {
  const status = /^status-(\d{3})$/.exec(failure)?.[1];
  if (status !== undefined) {
    const todo = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
    const theirs = Number(status) >= 500 ? "Something is wrong at the receiver: look at its log." : null;
    return { what: `the receiver answered ${status}`, todo: todo ?? theirs };
  }
  return (Object.hasOwn(WORDS, failure) ? WORDS[failure] : undefined) ?? { what: failure, todo: null };
}
