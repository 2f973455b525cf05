/**
 * Turns, and the changes from outside that they are told. Everything here runs inside one synchronous transaction of
 * the root's object and awaits nothing.
 */
import { hashOf } from "../ledger/index.ts";
import { utf8Bytes } from "../policy/paths/index.ts";
import type { Chain } from "./chain.ts";
import { typedTurn } from "./delivery.ts";
import type { Family } from "./family.ts";
import type {
  DriftInput,
  DriftRecorded,
  OutsideChange,
  TurnInput,
  TurnRecorded,
  TypedMessage,
} from "./protocol.ts";
import type { Tables } from "./storage.ts";
import type { Task } from "./task.ts";

/** Changes told on one turn: what a person could read, and what a row of the object holds beside a briefing. */
const MAX_TOLD = 200;
const MAX_TOLD_BYTES = 256 * 1024;
/** Messages that wait for D1 and are told to whoever looks for a quote: more only where D1 has been away for long. */
const MAX_TYPED = 200;
const MAX_TYPED_CHARACTERS = 4 * 1024 * 1024;

type TellableChange = Record<string, SqlStorageValue> & {
  readonly host: string;
  readonly path: string;
  readonly change: string;
  readonly seq: number;
};

/** What the user typed in each session, and what each turn is told. */
export class Turns {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #task: Task;
  readonly #now: () => number;

  constructor(tables: Tables, chain: Chain, family: Family, task: Task, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#family = family;
    this.#task = task;
    this.#now = now;
  }

  /** Records a turn; the first of each session is briefed, since compaction is why an oath exists. */
  turn(input: TurnInput): TurnRecorded {
    const admitted = this.#family.admit(input);
    if (!admitted.ok) return admitted;
    const { sql } = this.#tables;
    const key = input.turn_id === null ? `request ${input.request_id}` : `turn ${input.turn_id}`;
    const said = this.#tables.keyed(input.private.text);
    const known = sql
      .exec<{ said: string; answer: string }>(
        "SELECT said, answer FROM turns WHERE session = ? AND key = ?",
        input.session,
        key,
      )
      .toArray()[0];
    if (known?.answer === "") return { ok: false, code: "gone" };
    if (known !== undefined)
      return known.said === said || known.said === hashOf("countersign/said/v1\n", input.private.text)
        ? { ok: true, replayed: true, answer: known.answer }
        : { ok: false, code: "turn-id-reused" };
    const stale = this.#family.staleContext(input, admitted.row) ?? this.#family.stalePolicy(input);
    if (stale !== null) return stale;
    const turn = this.#family.countTurn(input.session, admitted.row);
    const briefed = turn === 1 && input.briefing !== null;
    const at = this.#now();
    const typed = input.spoken.typed && !this.#family.isChild(admitted.row);
    const { authority, policy } = this.#task.turn(
      input.spoken,
      input.reading,
      this.#family.isChild(admitted.row),
      this.#chain.head().seq + 1,
    );
    const task = {
      authority,
      compiler: policy.compiler,
      permissions: policy.permissions.length,
      prohibitions: policy.prohibitions.length,
    };
    const head = this.#chain.append({
      session: input.session,
      at,
      kind: "turn",
      body: {
        agent: input.agent,
        turn,
        turn_id: input.turn_id,
        key: input.key,
        platform: input.spoken.platform,
        mid_run: input.spoken.mid_run,
        typed,
        policy_version: input.policy_version,
        briefed,
        task,
        ...(input.drafting === null ? {} : { drafting: input.drafting }),
      },
      private: input.private,
    });
    const { changes, more } = this.#tell(head.seq);
    const answer = JSON.stringify({
      session: input.session,
      turn,
      turn_id: input.turn_id,
      at: head.at,
      briefing: briefed ? input.briefing : null,
      task,
      outside_changes: changes,
      outside_changes_more: more,
      fingerprint: input.fingerprint,
      policy_version: input.policy_version,
      ledger: { seq: head.seq, hash: head.hash },
    });
    sql.exec(
      "INSERT INTO turns (session, key, said, answer, seq) VALUES (?, ?, ?, ?, ?)",
      input.session,
      key,
      said,
      answer,
      head.seq,
    );
    if (typed) sql.exec("INSERT INTO said (seq) VALUES (?)", head.seq);
    return { ok: true, replayed: false, answer };
  }

  /** What was typed and waits for D1, newest first. */
  typed(): TypedMessage[] {
    if (!this.#tables.exist) return [];
    const messages: TypedMessage[] = [];
    let characters = 0;
    const rows = this.#tables.sql.exec<{
      seq: number;
      hash: string;
      entry: string;
      body: string;
      private: string | null;
    }>(
      `SELECT e.seq, e.hash, e.entry, e.body, e.private FROM said AS s JOIN entries AS e ON e.seq = s.seq
       WHERE s.seq > ? ORDER BY s.seq DESC LIMIT ?`,
      this.#chain.deliveredTo(),
      MAX_TYPED,
    );
    for (const row of rows) {
      const message = typedTurn(row);
      if (message === null) continue;
      characters += message.text.length;
      if (characters > MAX_TYPED_CHARACTERS && messages.length > 0) break;
      const { seq, message_id, sender_id, at, text } = message;
      messages.push({ seq, message_id, sender_id, at, text });
    }
    return messages;
  }

  /** What was not yet told, oldest first, as much as one answer holds; the rest is told on the next turn. */
  #tell(seq: number): { changes: TellableChange[]; more: number } {
    const { sql } = this.#tables;
    const rows = sql
      .exec<{ id: number } & TellableChange>(
        "SELECT id, host, path, change, seq FROM drift WHERE told_seq IS NULL ORDER BY id LIMIT ?",
        MAX_TOLD,
      )
      .toArray();
    const changes: TellableChange[] = [];
    let bytes = 0;
    let last = 0;
    for (const { id, ...change } of rows) {
      bytes += utf8Bytes(JSON.stringify(change));
      if (changes.length > 0 && bytes > MAX_TOLD_BYTES) break;
      changes.push(change);
      last = id;
    }
    if (changes.length > 0)
      sql.exec("UPDATE drift SET told_seq = ? WHERE told_seq IS NULL AND id <= ?", seq, last);
    const { n } = sql.exec<{ n: number }>("SELECT count(*) AS n FROM drift WHERE told_seq IS NULL").one();
    return { changes, more: n };
  }

  /** Records changes that came from outside; they are told on the family's next turn. A report that is known is not recorded twice. */
  drift(input: DriftInput): DriftRecorded {
    const admitted = this.#family.known(input);
    if (!admitted.ok) return admitted;
    const { sql } = this.#tables;
    const known = sql
      .exec<{ seq: number }>(
        "SELECT seq FROM drift WHERE session = ? AND report = ? LIMIT 1",
        input.session,
        input.report,
      )
      .toArray()[0];
    if (known !== undefined) {
      const hash = sql.exec<{ hash: string }>("SELECT hash FROM entries WHERE seq = ?", known.seq).one().hash;
      return { ok: true, ledger: { seq: known.seq, hash } };
    }
    const counts: Record<OutsideChange["change"], number> = { modified: 0, created: 0, deleted: 0 };
    for (const { change } of input.changes) counts[change] += 1;
    const head = this.#chain.append({
      session: input.session,
      at: this.#now(),
      kind: "outside_change",
      body: { agent: input.agent, key: input.key, host: input.host, ...counts },
      private: input.private,
    });
    for (const { path, change } of input.changes)
      sql.exec(
        "INSERT INTO drift (session, report, host, path, change, seq) VALUES (?, ?, ?, ?, ?, ?)",
        input.session,
        input.report,
        input.host,
        path,
        change,
        head.seq,
      );
    return { ok: true, ledger: { seq: head.seq, hash: head.hash } };
  }
}
