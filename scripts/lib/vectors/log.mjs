/**
 * An organization's log in memory, made with the project's own `src/ledger`, keys and salts fixed: what the vectors are
 * written from, and what the tests corrupt. Needs a Node that reads TypeScript.
 */
import {
  append,
  buildReceipt,
  canonicalText,
  consistencyProof,
  ed25519Signer,
  exportLine,
  formatVerifierKey,
  genesis,
  hexOf,
  inclusionProof,
  leafHash,
  leafText,
  link,
  nextCheckpoint,
  parseCheckpoint,
  privateCommitment,
  signNote,
} from "../../../src/ledger/index.ts";

/** A private key of 32 equal bytes: for tests alone, as anybody can see. */
export const signerOf = (organization, byte = 1, host = "countersign.example") =>
  ed25519Signer(`${host}/${organization}`, new Uint8Array(32).fill(byte));

/** The salt of the n-th private text. */
export const saltOf = (n) => new Uint8Array(32).fill(n);

export const chainNameOf = (session) => (session === null ? "organization" : `session:${session}`);

/**
 * @param {{organization?: string, host?: string, signers?: ReturnType<typeof signerOf>[]}} [what]
 */
export function newLog({ organization = "org_vectors", host = "countersign.example", signers } = {}) {
  const by = signers ?? [signerOf(organization, 1, host)];
  /** @type {Map<string, any[]>} */
  const chains = new Map();
  /** @type {Map<string, number>} */
  const sealed = new Map();
  /** @type {string[]} */
  const leaves = [];
  /** @type {{note: string, text: string, size: number, root: string, at: number}[]} */
  const checkpoints = [];
  const nodes = new Map();
  let tree = append(0, [], []);
  const read = ({ level, index }) => nodes.get(`${level}/${index}`);
  const chainOf = (session) => {
    const name = chainNameOf(session);
    if (!chains.has(name)) chains.set(name, []);
    return chains.get(name) ?? [];
  };

  return {
    organization,
    origin: `${host}/${organization}`,
    leaves,
    checkpoints,
    chains,

    /**
     * Links the next entry of a chain.
     * @param {string | null} root session of the chain, or `null` for the organization's own
     * @param {{at: number, kind: string, body: any, session?: string | null, private?: string, salt?: Uint8Array}} what
     */
    link(root, what) {
      const entries = chainOf(root);
      const salt = what.salt ?? saltOf(entries.length + 1);
      const body =
        what.private === undefined
          ? what.body
          : { ...what.body, private: privateCommitment(salt, what.private) };
      const head = entries.at(-1) ?? genesis({ org: organization, session: root });
      const session = root === null ? null : (what.session ?? root);
      const next = link(head, { org: organization, session, at: what.at, kind: what.kind, body });
      const disclosed = what.private === undefined ? null : { private: what.private, salt: hexOf(salt) };
      entries.push({ ...next, at: what.at, disclosed });
    },

    /** The lines of a chain's export. */
    lines(root, disclose = false) {
      return chainOf(root).map((one) => exportLine(one, disclose ? one.disclosed : null));
    },

    /** Appends a leaf for every chain whose head moved, by name, and signs what the tree is then. */
    seal(now, signing = by) {
      const moved = [...chains].filter(([name, entries]) => entries.length > (sealed.get(name) ?? 0));
      moved.sort(([a], [b]) => (a < b ? -1 : 1));
      const texts = moved.map(([chain, entries]) => {
        const { seq, hash, at } = entries.at(-1);
        sealed.set(chain, seq);
        return leafText({ org: organization, chain, seq, hash, at });
      });
      tree = append(tree.size, tree.frontier, texts.map(leafHash));
      for (const node of tree.nodes) nodes.set(`${node.level}/${node.index}`, node.hash);
      leaves.push(...texts);
      const newest = Math.max(...leaves.map((leaf) => JSON.parse(leaf).at));
      const text = nextCheckpoint({
        origin: `${host}/${organization}`,
        size: tree.size,
        root: tree.root,
        now,
        newest,
        previous: checkpoints.at(-1) ?? null,
      });
      const at = parseCheckpoint(text)?.at ?? now;
      const checkpoint = { note: signNote(text, signing), text, size: tree.size, root: tree.root, at };
      checkpoints.push(checkpoint);
      return checkpoint;
    },

    /** The proof from each checkpoint but the last to the next. */
    consistency: () =>
      checkpoints.slice(1).map(({ size }, i) => consistencyProof(checkpoints[i]?.size ?? 0, size, read)),

    /**
     * The receipt of an entry, by the first leaf at or after it and the first checkpoint that holds that leaf.
     * @param {string | null} root
     * @param {number} seq
     * @param {{disclose?: boolean, gone?: boolean, keys?: string[], anchor?: any}} [how]
     */
    receipt(root, seq, { disclose = false, gone = false, keys, anchor = null } = {}) {
      const chain = chainNameOf(root);
      const index = leaves.findIndex((text) => {
        const leaf = JSON.parse(text);
        return leaf.chain === chain && leaf.seq >= seq;
      });
      const checkpoint = checkpoints.find(({ size }) => size > index);
      if (index === -1 || checkpoint === undefined) throw new Error("not sealed yet");
      const entries = chainOf(root);
      const { hash, entry, body, disclosed } = entries[seq - 1];
      const last = JSON.parse(leaves[index] ?? "").seq;
      return buildReceipt({
        organization,
        chain,
        entry: { hash, entry, body },
        disclosed: disclose ? disclosed : null,
        private_gone: gone,
        path: entries.slice(seq, last).map((one) => one.entry),
        leaf: leaves[index] ?? "",
        inclusion: { index, size: checkpoint.size, proof: inclusionProof(index, checkpoint.size, read) },
        checkpoint: checkpoint.note,
        keys: keys ?? by.map((signer) => formatVerifierKey(signer.key)),
        anchor,
      });
    },
  };
}

/** A small log: two sessions and the organization's own chain, sealed three times. */
export function smallLog(more = {}) {
  const log = newLog(more);
  log.link(null, { at: 1_000, kind: "organization_created", body: { by: null, name: "Vectors" } });
  log.link("s-1", { at: 1_100, kind: "session_opened", body: { agent: "agt_1" } });
  log.link("s-1", {
    at: 1_200,
    kind: "turn",
    body: { agent: "agt_1", key: "t1" },
    private: canonicalText({ text: "Please pay 40 € to Ana, “as agreed”." }),
  });
  log.link("s-1", {
    at: 1_300,
    kind: "decision",
    body: { agent: "agt_1", decision_id: "dec_1", tool: "pay", verdict: "allow" },
    private: canonicalText({ args: { amount: 40, to: "Ana" }, tool: "pay" }),
  });
  log.seal(2_000);
  log.link("s-1", { at: 2_100, kind: "outcome", body: { agent: "agt_1", outcome: "success" } });
  log.link("s-1", {
    at: 2_200,
    kind: "turn",
    session: "s-1/helper",
    body: { agent: "agt_1", key: "t2" },
    private: canonicalText({ text: "then stop" }),
  });
  log.link("s-2", { at: 2_300, kind: "session_opened", body: { agent: "agt_2" } });
  log.seal(3_000);
  log.link("s-1", { at: 3_100, kind: "decision", body: { agent: "agt_1", tool: "pay", verdict: "block" } });
  log.link(null, { at: 3_200, kind: "purge", body: { before: 3_000, by: "mem_1" } });
  log.seal(4_000);
  return log;
}
