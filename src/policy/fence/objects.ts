/**
 * What requests and tools are about, by kind. A request for one kind of thing is no request for another kind in the
 * same service (CONVENTIONS §3.6, first refinement): an issue is no pull request, a page no comment.
 */

const KINDS: Readonly<Record<string, string>> = {
  issue: "issue issues ticket tickets bug bugs incident incidents defect story stories epic backlog",
  pull: "pull pr prs mr pullrequest mergerequest",
  event:
    "event events meeting meetings appointment appointments calendar slot call lunch dinner standup invite invitation agenda_item booking_slot",
  reminder: "reminder reminders alarm alarms timer timers",
  page: "page pages wiki",
  comment: "comment comments remark",
  card: "card cards",
  task: "task tasks todo todos item items",
  list: "list lists shopping groceries grocery wishlist",
  label: "label labels tag tags category",
  contact: "contact contacts lead leads customer customers client clients person profile opportunity deal",
  activity: "activity activities log logs",
  mail: "mail mails email emails message messages thread threads newsletter newsletters inbox reply replies conversation dm sms text mailbox chat note_to",
  draft: "draft drafts",
  channel: "channel channels",
  board: "board boards project projects workspace workspaces database databases",
  repo: "repo repos repository repositories",
  branch: "branch branches",
  commit: "commit commits",
  release: "release releases version",
  file: "file files folder folders directory directories document documents doc docs spreadsheet sheet slides presentation changelog readme makefile dockerfile license licence notes config configuration settings_file pdf photo photos image images picture pictures video videos attachment attachments screenshot screenshots backup backups archive archives zip log_file",
  code: "code function functions class method module script scripts test tests app component library package dependency program",
  media: "song songs track tracks album albums playlist playlists music podcast video radio episode",
  device:
    "light lights lamp lamps heater heating thermostat climate switch plug fan blinds blind cover lock door vacuum tv speaker scene temperature garage sprinkler ac boiler kettle oven",
  access:
    "permission permissions access role roles collaborator collaborators member members membership_role link links visibility acl rights",
  subscription: "subscription subscriptions membership memberships plan plans trial trials renewal",
  order: "order orders cart checkout purchase purchases basket",
  booking:
    "booking bookings reservation reservations room rooms hotel hotels flight flights table seat seats ticket_seat trip train",
  payment: "payment payments transfer transfers transaction transactions money funds payout bill bills",
  refund: "refund refunds",
  invoice: "invoice invoices",
  job: "job jobs cron cronjob schedule workflow pipeline deployment build builds",
  memory: "memory memories",
  skill: "skill skills",
  row: "row rows record records table tables column columns entry entries",
  service:
    "server servers service services process processes container containers instance instances daemon pod",
  post: "post posts tweet tweets status story_post",
  form: "form forms rsvp application survey",
  user: "user users account accounts guest guests",
  filter: "filter filters rule rules webhook webhooks forwarding",
};

const KIND_OF: ReadonlyMap<string, readonly string[]> = (() => {
  const map = new Map<string, string[]>();
  for (const [kind, words] of Object.entries(KINDS))
    for (const word of words.split(" ")) map.set(word, [...(map.get(word) ?? []), kind]);
  return map;
})();

/** Kinds that may stand for each other: an entry may be an event or a row; a reminder may be made as a task or an event. */
const NEAR: readonly (readonly string[])[] = [
  ["event", "reminder"],
  ["reminder", "task"],
  ["event", "row"],
  ["task", "list"],
  ["task", "issue"],
  ["mail", "draft"],
  ["mail", "comment"],
  ["mail", "post"],
  ["mail", "channel"],
  ["page", "file"],
  ["page", "row"],
  ["board", "page"],
  ["board", "repo"],
  ["contact", "row"],
  ["contact", "user"],
  ["payment", "invoice"],
  ["payment", "order"],
  ["payment", "booking"],
  ["order", "booking"],
  ["payment", "refund"],
  ["order", "subscription"],
  ["payment", "subscription"],
  ["release", "label"],
  ["file", "code"],
  ["media", "list"],
  ["card", "task"],
  ["card", "list"],
  ["job", "reminder"],
  ["job", "task"],
  ["service", "device"],
  ["access", "user"],
  ["access", "channel"],
  ["access", "repo"],
  ["access", "file"],
  ["access", "page"],
  ["user", "channel"],
  ["activity", "row"],
  ["issue", "list"],
  ["device", "board"],
  ["form", "event"],
  ["booking", "event"],
];

const NEAR_SETS: ReadonlySet<string> = new Set(NEAR.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));

/** The kinds that a word may mean; none for a word that is only a name. */
export function kindsOfNoun(word: string): readonly string[] {
  return KIND_OF.get(word) ?? (word.endsWith("s") ? (KIND_OF.get(word.slice(0, -1)) ?? []) : []);
}

export function kindsOfNouns(words: readonly string[]): Set<string> {
  return new Set(words.flatMap((word) => [...kindsOfNoun(word)]));
}

/** `same` kind, kinds that may stand for each other, kinds that cannot, or nothing to tell by. */
export function compareKinds(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
): "same" | "near" | "other" | "unknown" {
  if (a.size === 0 || b.size === 0) return "unknown";
  let near = false;
  for (const one of a) {
    if (b.has(one)) return "same";
    for (const other of b) near ||= NEAR_SETS.has(`${one} ${other}`);
  }
  return near ? "near" : "other";
}
