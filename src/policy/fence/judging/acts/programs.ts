/**
 * Programs that people ask for by what they are for: `run the linter`, `apply the migrations`, `deploy this to Vercel`.
 * Each row is a whole command line as it is written for that and nothing else; what goes further, takes away or goes
 * elsewhere is in no row, and is asked about.
 */
import type { Environment } from "../../../types.ts";
import { isInWorkspace, isItself, placeOf } from "../places.ts";
import { type Call, type Match, named, type Ready } from "./match.ts";

interface Program {
  readonly command: RegExp;
  /** What the clause says. */
  readonly words: RegExp;
  /** One of the verbs that it is read as. */
  readonly verbs: readonly string[];
}

/** Files of the workspace, and options that load no code and no settings from elsewhere. */
const PLAIN =
  "(?: (?:--(?:fix|quiet|check|all|cache|release|max-warnings[= ]\\d+|ext[= ][\\w.,]+)|-v|(?!\\S*\\.\\.)[\\w@.*][\\w@./*-]*))*";
const of = (command: string): RegExp => new RegExp(`^(?:${command})$`);
const RUNNER = "(?:npm run |yarn(?: run)? |pnpm(?: run)? |bun run )";
const NPX = "(?:npx |pnpm exec |bunx |uv run |poetry run |bundle exec )?";
const RUN = ["run", "execute", "apply", "start", "launch", "turn_on", "migrate"];

const PROGRAMS: readonly Program[] = [
  {
    command: of(
      `${NPX}alembic upgrade (?:head|heads)|${NPX}python3? manage\\.py migrate|${NPX}(?:\\./)?manage\\.py migrate|${NPX}prisma migrate (?:deploy|dev)|${NPX}(?:bin/)?rails db:migrate|${NPX}rake db:migrate|${NPX}knex migrate:latest|${NPX}drizzle-kit migrate|${NPX}sequelize(?:-cli)? db:migrate|php artisan migrate|diesel migration run|sqlx migrate run|flyway migrate|${RUNNER}(?:db:)?migrate`,
    ),
    words: /migrat/i,
    verbs: RUN,
  },
  {
    command: of(
      `docker(?: |-)compose(?: -f (?!\\S*\\.\\.)\\w[\\w./-]*)? (?:up|start|restart)(?: (?:-d|--detach|--build))*((?: \\w[\\w-]*)*)|docker start((?: \\w[\\w.-]*)+)`,
    ),
    words: /\b(?:docker|containers?|compose|services?|stack)\b/i,
    verbs: ["turn_on", "start", "run", "launch", "restart"],
  },
  {
    command: of(
      `docker(?: |-)compose(?: -f (?!\\S*\\.\\.)\\w[\\w./-]*)? (?:down|stop)((?: \\w[\\w-]*)*)|docker stop((?: \\w[\\w.-]*)+)`,
    ),
    words:
      /\b(?:stop|shut|bring|take|halt|stopp\w*|det[ée]n\w*|para)\b.{0,40}\b(?:docker|containers?|compose|services?|stack)\b/i,
    verbs: ["turn_on", "turn_off", "stop", "shut_down"],
  },
  {
    command: of(
      `${RUNNER}lint|${NPX}(?:eslint|biome (?:check|lint)|ruff check|flake8|pylint|stylelint|golangci-lint run|cargo clippy|rubocop)${PLAIN}|make lint`,
    ),
    words: /\blint|\beslint|\bruff\b|\bbiome\b/i,
    verbs: ["run", "execute", "lint", "check", "fix"],
  },
  {
    command: of(
      `${RUNNER}build|make(?: build)?|cargo build${PLAIN}|go build${PLAIN}|${NPX}(?:vite|next|tsc) build`,
    ),
    words: /\bbuild\b|\bcompile\b|\bbau/i,
    verbs: ["build", "run", "compile"],
  },
  {
    command: of(
      `${RUNNER}format|${NPX}(?:prettier (?:--write|-w)|black|gofmt -w|ruff format|biome format --write|rustfmt|cargo fmt)${PLAIN}`,
    ),
    words: /\bformat|\bprettier\b|\bblack\b/i,
    verbs: ["improve", "format", "run"],
  },
  {
    command: of(
      `npm start|${RUNNER}(?:dev|start|serve)|${NPX}(?:vite|next dev|flask run|uvicorn [\\w.:]+(?: --reload)?)|${NPX}python3? manage\\.py runserver|(?:bin/)?rails s(?:erver)?`,
    ),
    words: /\b(?:server|app|site|dev|project|frontend|backend)\b/i,
    verbs: ["turn_on", "start", "run", "launch", "serve"],
  },
];

const DEPLOYS =
  /^(?:npx )?(vercel|netlify|fly|flyctl|firebase|wrangler|railway|surge)(?: (?:deploy|up|publish))?((?: --?[\w:=,./-]+)*)$/;
const DEPLOY_OPTIONS =
  /^(?: (?:--prod|--production|--yes|-y|--confirm|--build|--debug|--only=[\w:,-]+|--dir=[\w./-]+))*$/;
const NEUTRAL = /^(?:cd [\w./-]+|ls|pwd|true|echo [\w .-]*)$/;

/** `null` where the words do not ask for what these commands are for. */
export function matchProgram(ready: Ready, { effects, environment }: Call): Match | null {
  const { risk } = ready.permission;
  if (risk !== "EXECUTE" && risk !== "WRITE" && risk !== "EXTERNAL_WRITE") return null;
  const commands = effects.items
    .filter(({ name }) => name === "command")
    .map(({ value }) => value.trim().replace(/\s+/g, " "))
    .filter((command) => !NEUTRAL.test(command));
  const isAsked = (command: string): boolean =>
    PROGRAMS.some(
      ({ command: line, words, verbs }) =>
        words.test(ready.quote) &&
        verbs.some((verb) => ready.verbs.has(verb)) &&
        areMeant(ready, line.exec(command)),
    ) ||
    deploys(ready, command) ||
    converts(ready, command, environment);
  return commands.length > 0 && commands.length <= 8 && commands.every(isAsked) ? named([], false) : null;
}

/** What the command names, where it names something: all of it was typed, and nothing else was. */
function areMeant({ names, quote }: Ready, found: RegExpExecArray | null): boolean {
  if (found === null) return false;
  if (found.length === 1) return true;
  const given = found
    .slice(1)
    .join("")
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  const typed = new Set(quote.toLowerCase().split(/[\s,;"'`]+|[.!?]+(?=\s|$)/));
  return given.length === 0 ? names.length === 0 : given.every((word) => typed.has(word));
}

/** By the name of the service, to where the words say: production is not meant unless it is said. */
function deploys({ quote, verbs }: Ready, command: string): boolean {
  const found = DEPLOYS.exec(command);
  if (found === null || !["deploy", "publish", "ship", "push", "release"].some((verb) => verbs.has(verb)))
    return false;
  const [, program = "", options = ""] = found;
  const said = quote.toLowerCase();
  if (!new RegExp(`\\b${program.replace(/ctl$/, "")}`).test(said) || !DEPLOY_OPTIONS.test(options))
    return false;
  return !/--prod/.test(options) || /\bprod|\blive\b/.test(said);
}

const CONVERTERS =
  /^(?:pandoc|libreoffice|soffice|ffmpeg|magick|convert|wkhtmltopdf|weasyprint|pdftotext|exiftran|sips)(?: [\w@%+=:,./~-]+)+$/;
const CONVERTER_OPTIONS =
  /^(?:-[ioftsy]|--(?:output|outdir|headless|convert-to|standalone|toc|from|to|pdf-engine=[a-z]+)|-(?:layout|quality|resize))$/;
const CONVERTS =
  /\bconvert|\bexport\b|\brender\b|\bturn\b.{0,60}\binto\b|umwandel|konvertier|\bconvi[eé]rt|转换|转成/i;

/** One file that was named into another form, beside it. */
function converts({ quote, places }: Ready, command: string, environment: Environment): boolean {
  if (!CONVERTERS.test(command) || !CONVERTS.test(quote)) return false;
  const words = command.split(" ").slice(1);
  const files: string[] = [];
  let out: string | null = null;
  for (const [at, word] of words.entries()) {
    if (word.startsWith("-")) {
      // Options that load filters, or write elsewhere, are none of these.
      if (!CONVERTER_OPTIONS.test(word)) return false;
      continue;
    }
    if (/^(?:-o|--output|--outdir)$/.test(words[at - 1] ?? "")) out = word;
    else if (/[./]/.test(word)) files.push(word);
  }
  if (out === null && files.length > 1) out = files.pop() ?? null;
  const isHere = (word: string): boolean => {
    const place = placeOf({ kind: "path", text: word }, environment);
    return (
      place !== null &&
      isInWorkspace(place.root, environment) &&
      !/\/\.[^/]+(?:\/|$)/.test(`/${word.replace(/^\.\//, "")}`)
    );
  };
  const isNamed = (word: string): boolean => {
    const place = placeOf({ kind: "path", text: word }, environment);
    return place !== null && places.some((known) => isItself(known, place.root));
  };
  return files.length > 0 && files.every(isNamed) && (out === null || isHere(out) || isNamed(out));
}
