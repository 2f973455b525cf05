/** The machine every script finds: whose home it is, where the shell starts, and the files that lie there. */
export const HOME = "/home/u";
export const CWD = "/home/u/work";

/** Folders in which scripts may write; everything outside is read-only or belongs to another user. */
export const WRITABLE = ["/home/u", "/tmp", "/srv"] as const;

export interface Entry {
  readonly path: string;
  /** `null` for a folder. */
  readonly text: string | null;
  readonly mode: number;
}

const FOLDERS =
  "/home/u/work /home/u/work/src /home/u/work/src/lib /home/u/work/docs /home/u/work/build /home/u/work/logs " +
  "/home/u/work/empty /home/u/notes /home/u/.hermes /home/u/.hermes/memories /home/u/.hermes/skills /tmp/cache /srv/data";

const FILES: Readonly<Record<string, string>> = {
  "/home/u/work/notes.md": "# Notes\nfirst\nsecond\n",
  "/home/u/work/a.txt": "alpha\nbeta\ngamma\n",
  "/home/u/work/b.txt": "one\ntwo\nthree\n",
  "/home/u/notes/my list": "spaced\n",
  "/home/u/work/list.txt": "a.txt\nb.txt\nbuild/out.js\n",
  "/home/u/work/data.csv": "id,name\n1,x\n2,y\n",
  "/home/u/work/config.yaml": "debug: true\nport: 80\n",
  "/home/u/work/.env": "KEY=1\n",
  "/home/u/work/Makefile": "all:\n\techo all\n",
  "/home/u/work/src/main.ts": "export const main = 1;\n",
  "/home/u/work/src/util.ts": "export const util = 2;\n",
  "/home/u/work/src/lib/deep.ts": "export const deep = 3;\n",
  "/home/u/work/docs/guide.md": "guide\n",
  "/home/u/work/build/out.js": "out\n",
  "/home/u/work/build/out.js.map": "{}\n",
  "/home/u/work/logs/app.log": "info\nerror\n",
  "/home/u/work/logs/old.log": "old\n",
  "/home/u/notes/todo.md": "todo\n",
  "/home/u/.hermes/memories/MEMORY.md": "remember\n",
  "/home/u/.hermes/memories/USER.md": "user\n",
  "/home/u/.hermes/config.yaml": "model: x\n",
  "/tmp/x.tmp": "tmp\n",
  "/tmp/cache/page.html": "page\n",
  "/srv/data/db.json": "{}\n",
};

/** Programs of the project's own: they do what nobody who only reads the call can see. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "/home/u/work/run.sh": "#!/bin/bash\nrm -f build/out.js\necho ran > ran.txt\n",
  "/home/u/work/src/cat": "#!/bin/bash\necho own > own.txt\n",
};

export const TREE: readonly Entry[] = [
  ...FOLDERS.split(" ").map((path) => ({ path, text: null, mode: 0o755 })),
  ...Object.entries(FILES).map(([path, text]) => ({ path, text, mode: 0o644 })),
  ...Object.entries(PROGRAMS).map(([path, text]) => ({ path, text, mode: 0o755 })),
];

/** What happened to one path between two looks at the machine. */
export interface Change {
  readonly verb: "create" | "modify" | "delete";
  readonly path: string;
}

/** A program that is not really there, as it was started: it only notes that it was. */
export interface Started {
  readonly cwd: string;
  readonly words: readonly string[];
}

export interface Observed {
  readonly changes: readonly Change[];
  readonly started: readonly Started[];
  /** The shell's exit status; `null` when it was ended from outside. */
  readonly status: number | null;
}

/** Real programs that scripts may use, where the machine has them. */
export const TOOLS = (
  "bash [ awk base64 basename bzip2 cat chmod chown cmp comm cp csplit cut date dd diff dirname du echo env expand expr " +
  "false find flock fmt fold grep gunzip gzip head id install join link ln ls mkdir mktemp mv nice nl nohup od paste patch " +
  "printf pwd readlink realpath rev rm rmdir sed seq setpriv setsid sha256sum shred shuf sleep sort split stat stdbuf " +
  "sync tac tail tar tee test timeout touch tr true truncate uniq unlink unzip wc whoami xargs xz yes zip"
).split(" ");

/** Programs that are there in name only, known to the reader or not. */
export const STUBS =
  "git curl wget npm node python3 docker make ssh rsync perl jq sudo frob deploy payload".split(" ");
