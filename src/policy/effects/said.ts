import type {
  Act,
  Amount,
  Deception,
  Effects,
  Item,
  Recipient,
  RecipientRole,
  RiskClass,
  Stored,
} from "../types.ts";
import { currencyOf } from "./money.ts";
import { addressesIn } from "./people.ts";
import { hostCauses, spellingCauses, urlCauses } from "./spelling.ts";

/** Entries of each kind that a reading holds; past them the call is opaque. */
const MOST_OF_EACH = 500;
/** Texts that are spelled longer are named by their beginning. */
const LONGEST_VALUE = 2048;
/** Text to be kept that one reading holds, all entries together. */
const MOST_STORED = 1024 * 1024;
/** Words of one act. */
const MOST_WORDS = 24;

/** What a class of effect is called when nothing else says it. */
export const GENERIC_VERBS: Readonly<Record<RiskClass, string>> = {
  READ: "read",
  WRITE: "write",
  DELETE: "delete",
  EXECUTE: "run",
  NETWORK: "fetch",
  COMMUNICATION: "send",
  SHARE: "share",
  EXTERNAL_WRITE: "change",
  FINANCIAL: "pay",
  PERSISTENT: "save",
  CREDENTIAL: "access",
  GOVERNANCE: "change",
  UNKNOWN: "use",
};

/** How an act is put in words, but for its class. */
export type Wording = Omit<Act, "risk">;

/**
 * What a call says rather than does: whom it names, what sums, what things, in which words. Sorted and free of
 * duplicates once stated; each list bounded, and `full` is told the kind that overflowed.
 */
export class Said {
  readonly #lists = new Map<keyof Words, Map<string, unknown>>();
  readonly #full: (cause: string) => void;
  /** How often each act was told. */
  readonly #times = new Map<string, number>();
  /** Places whose people were told. */
  readonly #addressed = new Set<string>();
  #storable = MOST_STORED;
  /** Where in the arguments the text stands that is being read. */
  at = "";

  constructor(full: (cause: string) => void) {
    this.#full = full;
  }

  act(risk: RiskClass, { verbs, object, service }: Wording): void {
    this.#addAct({
      risk,
      verbs: wordsOnce(verbs),
      object: wordsOnce(object),
      service: service === null || service === "" ? null : service.slice(0, 64),
    });
  }

  #addAct(act: Act): void {
    const key = JSON.stringify(act);
    const times = (this.#times.get(key) ?? 0) + 1;
    this.#times.set(key, times);
    if (times === 1) this.#add("acts", act);
    else if (this.#lists.get("acts")?.has(key) === true) this.#lists.get("acts")?.set(key, { ...act, times });
  }

  /** True once somebody was told whom the text at this place addresses. */
  addresses(pointer: string): boolean {
    return this.#addressed.has(pointer);
  }

  /** Everybody whom a text addresses. */
  people(role: RecipientRole, text: string, pointer = this.at): void {
    this.#addressed.add(pointer);
    const { found, complete } = addressesIn(text);
    for (const { address, given, causes, role: own } of found) {
      this.#add("recipients", { role: own ?? role, address, given, pointer } satisfies Recipient);
      for (const cause of causes) this.deceives(cause, given, pointer);
    }
    if (!complete) this.#full("too-many-recipients");
  }

  /** The public at large. */
  everybody(given: string, pointer = this.at): void {
    this.#add("recipients", {
      role: "public",
      address: "*",
      given: given.slice(0, 64),
      pointer,
    } satisfies Recipient);
  }

  amount(value: string, currency: string | null, minor: boolean, pointer = this.at): void {
    this.#add("amounts", { value, currency: currencyOf(currency), minor, pointer } satisfies Amount);
  }

  item(name: string, value: string, pointer = this.at): void {
    if (value === "") return;
    this.#add("items", { name, value: value.slice(0, LONGEST_VALUE), pointer } satisfies Item);
  }

  store(text: string, pointer = this.at): void {
    if (text === "") return;
    this.#storable -= text.length;
    if (this.#storable < 0) this.#full("too-many-stored");
    else this.#add("stored", { text, pointer } satisfies Stored);
  }

  deceives(cause: string, text: string, pointer = this.at): void {
    this.#add("deceptions", { cause, text: text.slice(0, 512), pointer } satisfies Deception);
  }

  /** Looks at how a URL or a host is spelled. */
  url(text: string, pointer = this.at): void {
    for (const cause of /:\/\//.test(text) ? urlCauses(text) : hostCauses(text))
      this.deceives(cause, text, pointer);
  }

  /** Looks at how a path or a name is spelled. */
  spelled(text: string, pointer = this.at): void {
    for (const cause of spellingCauses(text, false)) this.deceives(cause, text, pointer);
  }

  stated(): Words {
    const list = <T>(kind: keyof Words): T[] => {
      const entries = this.#lists.get(kind);
      if (entries === undefined) return [];
      return [...entries.keys()].sort().map((key) => entries.get(key) as T);
    };
    return {
      acts: list<Act>("acts"),
      recipients: list<Recipient>("recipients"),
      amounts: list<Amount>("amounts"),
      items: list<Item>("items"),
      stored: list<Stored>("stored"),
      deceptions: list<Deception>("deceptions"),
    };
  }

  #add(kind: keyof Words, entry: object): void {
    const entries = this.#lists.get(kind) ?? new Map<string, unknown>();
    if (entries.size === 0) this.#lists.set(kind, entries);
    const key = JSON.stringify(entry);
    if (entries.has(key)) return;
    if (entries.size >= MOST_OF_EACH) this.#full(`too-many-${kind}`);
    else entries.set(key, entry);
  }
}

type Words = Pick<Effects, "acts" | "recipients" | "amounts" | "items" | "stored" | "deceptions">;

function wordsOnce(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word !== "" && word.length <= 64).slice(0, MOST_WORDS);
}
