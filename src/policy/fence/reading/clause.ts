/** A request as a sentence makes it: which words it stands on, before anyone looks at what they name. */

/** Units `from` up to, not with, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A request. */
export interface Clause {
  readonly verb: string;
  /** Where the verb stands; what stands before it in `objects` is what is to be done to. */
  readonly head: number;
  first: number;
  last: number;
  /** Where its objects are named; where something is told about them; and what it would say. */
  readonly objects: Range[];
  readonly relatives: Range[];
  readonly bodies: Range[];
  certain: boolean;
  /** The words that ask to know something also ask for this: it counts when it names its target. */
  readonly explicit: boolean;
  exclusive: boolean;
  /** The verb only looks; what it makes is to be put somewhere. */
  readonly looks: boolean;
}

/** A request that is certain, until somebody says otherwise. */
export function clauseOf(
  verb: string,
  head: number,
  { from, to }: Range,
  given: Partial<Clause> = {},
): Clause {
  return {
    verb,
    head,
    first: from,
    last: to,
    objects: [{ from, to }],
    relatives: [],
    bodies: [],
    certain: true,
    explicit: false,
    exclusive: false,
    looks: false,
    ...given,
  };
}
