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
  request: "request requests",
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
  ["request", "form"],
  ["request", "issue"],
  ["request", "task"],
  ["request", "access"],
  ["request", "user"],
  ["request", "booking"],
  ["request", "event"],
  ["request", "mail"],
  ["booking", "event"],
];

const NEAR_SETS: ReadonlySet<string> = new Set(NEAR.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));

/** The kinds that a word may mean; none for a word that is only a name. */
export function kindsOfNoun(word: string): readonly string[] {
  return KIND_OF.get(word) ?? (word.endsWith("s") ? (KIND_OF.get(word.slice(0, -1)) ?? []) : []);
}

export function kindsOfNouns(words: readonly string[]): Set<string> {
  // A pull request is asked of nobody: it is a thing of its own.
  const isPull = words.includes("pull") || words.includes("merge");
  return new Set(
    words.flatMap((word) => (isPull && /^requests?$/.test(word) ? ["pull"] : [...kindsOfNoun(word)])),
  );
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

/** Products that do the same as each other, group by group, under one name each: one is no stand-in for another. */
const GROUPS =
  "slack discord telegram whatsapp signal teams matrix mattermost wechat feishu imessage|github gitlab bitbucket gitea codeberg|github gitlab linear jira asana trello todoist clickup monday youtrack shortcut|netflix spotify hulu disney dazn deezer tidal audible youtube prime crunchyroll adobe dropbox icloud nytimes paramount hbo|notion confluence coda evernote obsidian|shopify amazon ebay etsy woocommerce walmart zalando|stripe paypal wise revolut venmo square adyen klarna|gmail outlook fastmail protonmail|gdrive dropbox onedrive box icloud|twitter mastodon bluesky linkedin facebook instagram reddit threads tiktok|hubspot salesforce pipedrive zoho|vercel netlify heroku railway render cloudflare|airtable notion gsheets";

export const PRODUCTS: readonly ReadonlySet<string>[] = GROUPS.split("|").map(
  (group) => new Set(group.split(" ")),
);

const PRODUCT_NAMES: ReadonlySet<string> = new Set(PRODUCTS.flatMap((group) => [...group]));

const PRODUCT_ALIASES: ReadonlyMap<string, string> = new Map([
  ["gh", "github"],
  ["glab", "gitlab"],
  ["msteams", "teams"],
  ["lark", "feishu"],
  ["google_drive", "gdrive"],
  ["google_sheets", "gsheets"],
  ["office365", "outlook"],
  ["tweet", "twitter"],
  ["x", "twitter"],
]);

/** The product that a word or a server's name means, under its one name. */
export function productOf(word: string): string | null {
  const folded = word.toLowerCase();
  const name = PRODUCT_ALIASES.get(folded) ?? folded;
  return PRODUCT_NAMES.has(name) ? name : null;
}

/** Domains of smart homes, and what people call what is in them. A switch may be anything. */
export const DEVICES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ["light", "light lights lamp lamps bulb licht lampe luz luces lumiere"],
      ["climate", "thermostat heating heater ac temperature boiler heizung climate radiator"],
      ["lock", "lock locks door doors gate tur schloss puerta"],
      ["cover", "blind blinds shutter shutters curtain curtains garage cover awning door gate rollladen"],
      ["fan", "fan fans ventilator"],
      ["media_player", "tv television speaker speakers radio music fernseher stereo"],
      ["vacuum", "vacuum robot hoover staubsauger"],
      ["alarm_control_panel", "alarm alarms"],
    ] as const
  ).map(([domain, words]) => [domain, new Set(words.split(" "))] as const),
);

/** Rooms in the languages in which people name them. */
export const ROOMS: readonly ReadonlySet<string>[] = [
  "bedroom schlafzimmer dormitorio habitacion chambre 卧室",
  "kitchen kuche küche cocina cuisine 厨房",
  "living livingroom wohnzimmer salon salón sala 客厅",
  "bathroom bad badezimmer bano baño 浴室",
  "office buro büro arbeitszimmer oficina estudio bureau 书房",
  "hall hallway corridor flur diele pasillo couloir 走廊",
  "garage cochera 车库",
  "garden yard garten jardin jardín 花园",
  "nursery kids kinderzimmer",
  "basement cellar keller sotano sótano",
].map((row) => new Set(row.split(" ")));
