/** What the verifier says: of breaks, and of what a proof does not show, in the words that are used everywhere. */
export const CLAIMS = {
  chain:
    "A chain that verifies shows that these entries follow one another unchanged. It does not show that later entries were not cut off, nor who wrote them, nor that they were written when they say.",
  unsealed:
    "No sealed head of this chain is at hand: whoever holds the file can have cut it off, or made it anew as a whole. To rule that out, give the checkpoints of its log beside it (GET /v1/checkpoints.json), and the log's published keys.",
  sealed:
    "A chain that holds every head that was sealed of it shows that nothing up to the last of these heads was cut off or rewritten since. It does not show what came after, nor that the entries were written when they say.",
  checkpoints: [
    "A checkpoint shows that whoever holds the key signed this tree of heads. It does not show that no other tree was signed for somebody else: compare it with a checkpoint that another person was given.",
    "It does not show that it was signed when it says: that is the service's own clock.",
  ],
  receipt: [
    "It does not show that what was recorded is true: the record holds what the agent's side sent and what was answered.",
    "It does not show that the tool ran, or what it did.",
    "It does not show that the times are right: they are the service's own clock's. An anchor, where there is one, shows only that the checkpoint is older than a block.",
    "It does not show that no other record was shown to somebody else: compare the checkpoint with one that another person was given.",
    "It does not show whose the keys are: compare them with those that the organization publishes.",
  ],
  chainName:
    "Which session began this chain is what whoever signed says: the chain's first entry alone shows it, and it is not here.",
  unchecked: "Said, and not checked:",
  keys: "The keys were not compared with published ones: nothing here shows yet whose signature this is.",
  timestamp: [
    "It does not show who made these bytes, nor that what they say is true: only that they were there before the block's time.",
    "The block's time is the one that its miner wrote: it can be up to two hours off.",
    "That the block is in the chain, at the height that the proof names, is not shown by its header alone, and a header with the little work of an early block can be made anew: compare the block hash with one from a Bitcoin node or a block explorer.",
  ],
  unconfirmed:
    "Nothing is established yet: a calendar's promise is no fact, and without the block's header its time is not known.",
  integrity:
    "This shows that the bytes are the stamped ones. It does not show that they were there before they were published.",
};

/** What part of a content a receipt covers. */
export const covers = (body, disclosed, gone) => {
  const part = `The entry and its body (${size(body)}). Of its private text the body holds a salted commitment: `;
  if (disclosed !== null)
    return `All of it: the entry, its body (${size(body)}) and its private text (${size(disclosed.private)}) stand here whole.`;
  if (gone) return `${part}text and salt are not kept any more, so nobody can check that part again.`;
  return hasPrivate(body)
    ? `${part}the text is not in this receipt, and whoever has it with its salt can check it.`
    : `All of it: the entry and its body (${size(body)}) stand here whole; nothing was kept apart.`;
};

/** What is wrong, by the code of a break. */
export const SAY = {
  "malformed-file": "The file is not of its form here.",
  "unknown-version": "The file is of a version that is not known here.",
  "malformed-line": "This line is not an entry as an export writes it.",
  "malformed-entry": "The entry is not the RFC 8785 text of a version 1 entry.",
  "malformed-body": "The body is not the RFC 8785 text of what it says.",
  "malformed-leaf": "This is no leaf of this log.",
  "malformed-note": "This is no signed note.",
  "malformed-checkpoint": "The signed text is not that of a checkpoint.",
  "malformed-key": "This is no verifier key.",
  "entry-hash": "The entry does not have the hash that is written beside it.",
  "body-hash": "The body is not the one that the entry commits to.",
  private: "The private text is not the one that the body commits to.",
  genesis: "The first entry does not commit to its own organization and session.",
  sequence: "Another entry is due here.",
  "previous-hash": "The entry does not follow from the one before it.",
  organization: "This belongs to another organization.",
  chain: "This belongs to another chain.",
  time: "This is dated before what it follows.",
  forked: "A checkpoint sealed another entry in this one's place.",
  truncated:
    "A checkpoint sealed entries that are not here: they were cut off, or this was exported before them.",
  leaf: "The leaf does not name the head that is due.",
  inclusion: "The leaf is not shown to stand in the checkpoint's tree.",
  "tree-size": "The tree does not have as many leaves as it must.",
  root: "The root is not the one of these leaves.",
  consistency: "The tree did not begin with the tree of the checkpoint before.",
  "previous-checkpoint": "It does not name the checkpoint before it.",
  origin: "This is another log's.",
  signature: "The signature is not one of this text by the key that it names.",
  "key-time": "The checkpoint is dated when none of the keys that signed it did sign.",
  "unknown-key": "None of the keys in question signed this.",
  "no-ed25519": "Ed25519 signatures cannot be checked by this browser.",
  claims: "It does not say of itself what it shows.",
};

const size = (text) => `${new TextEncoder().encode(text).length} bytes`;
const hasPrivate = (body) => {
  try {
    return typeof JSON.parse(body)?.private === "string";
  } catch {
    return false;
  }
};
