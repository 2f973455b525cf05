/**
 * What people call what a program does: the verbs of a request that means it. A program stands in one row only; what
 * stands in none is run.
 */
export interface WordRow {
  /** Base forms, the plainest first. */
  readonly verbs: string;
  readonly programs: string;
}

export const WORD_ROWS: readonly WordRow[] = [
  {
    verbs: "delete remove",
    programs: "rm unlink rmdir shred srm trash trash-put rimraf dropdb dropuser wipefs",
  },
  { verbs: "move rename", programs: "mv rename mmv" },
  { verbs: "copy", programs: "cp scp rsync install ditto dd rclone" },
  { verbs: "create", programs: "touch mkdir mkfifo mknod mktemp createdb createuser" },
  { verbs: "link", programs: "ln" },
  { verbs: "change", programs: "chmod chown chgrp chattr setfacl setfattr xattr" },
  { verbs: "edit replace", programs: "sed perl awk gawk mawk ed ex patch sponge" },
  { verbs: "write save", programs: "tee" },
  { verbs: "empty truncate", programs: "truncate fallocate : true" },
  { verbs: "sort", programs: "sort" },
  { verbs: "split", programs: "split csplit" },
  { verbs: "archive compress", programs: "tar zip gzip bzip2 xz zstd 7z 7za lz4 pigz" },
  { verbs: "extract unpack", programs: "unzip gunzip bunzip2 unxz unzstd unrar bsdtar cpio" },
  { verbs: "send email mail", programs: "mail mailx sendmail mutt neomutt swaks msmtp ssmtp" },
  { verbs: "send notify message", programs: "telegram-send ntfy wall write" },
  { verbs: "stop kill", programs: "kill pkill killall xkill skill" },
  { verbs: "schedule", programs: "crontab at batch" },
  { verbs: "test", programs: "pytest jest vitest mocha tox nox phpunit rspec ctest" },
  { verbs: "lint check", programs: "eslint ruff mypy shellcheck flake8 pylint stylelint golangci-lint" },
  { verbs: "format", programs: "prettier black biome gofmt rustfmt clang-format isort" },
  { verbs: "build", programs: "make gmake ninja cmake meson bazel gradle mvn ant rake just" },
  { verbs: "compile build", programs: "gcc g++ cc c++ clang clang++ rustc javac tsc" },
  { verbs: "edit open", programs: "vi vim nvim nano emacs emacsclient code subl micro" },
  { verbs: "connect", programs: "ssh mosh telnet sftp ftp lftp nc ncat netcat" },
  { verbs: "dump export backup", programs: "pg_dump pg_dumpall mysqldump mongodump" },
  { verbs: "convert", programs: "ffmpeg convert magick pandoc sox" },
  { verbs: "print show", programs: "env printenv" },
];

/** Verbs by program. */
export function verbsOf(rows: readonly WordRow[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.flatMap(({ verbs, programs }) =>
      programs.split(" ").map((program) => [program, verbs.split(" ")] as const),
    ),
  );
}

/** Programs whose first words say what they do: `git push`, `npm test`, `aws s3 cp`. */
export interface SubcommandRow {
  readonly programs: string;
  /** How many words. */
  readonly words: number;
  /** Options that take a value and may stand before them. */
  readonly values?: string;
}

const SUBCOMMAND_ROWS: readonly SubcommandRow[] = [
  { programs: "git", words: 1, values: "-C -c --git-dir --work-tree --namespace" },
  {
    programs: "npm pnpm yarn npx bunx pnpx bun",
    words: 1,
    values: "--prefix -C -w --workspace --filter --cwd",
  },
  {
    programs:
      "pip pip3 uv poetry pipx conda mamba gem bundle composer apt apt-get dpkg brew yum dnf pacman apk zypper snap flatpak port nix choco winget scoop cargo go dotnet deno",
    words: 1,
    values: "-C --directory --manifest-path --project",
  },
  {
    programs: "make gmake just rake bazel gradle mvn task",
    words: 1,
    values: "-C -f -j -p --file --directory",
  },
  {
    programs:
      "terraform tofu pulumi vagrant heroku vercel netlify wrangler railway systemctl launchctl service hermes agentsfence crontab",
    words: 1,
    values: "-H --host -M --cwd --app -a --config --profile -p",
  },
  { programs: "docker-compose", words: 1, values: "-f --file -p --project-name --env-file" },
  {
    programs: "docker podman nerdctl",
    words: 2,
    values: "-H --host -c --context --config -l --log-level -f --file -p --project-name",
  },
  {
    programs: "kubectl oc helm",
    words: 2,
    values: "-n --namespace --context --kubeconfig -s --server --cluster --user --kube-context",
  },
  { programs: "gh glab hub jira linear", words: 2, values: "-R --repo --hostname" },
  {
    programs: "aws az gcloud gsutil fly flyctl doctl stripe bq",
    words: 2,
    values: "--profile --region --output --endpoint-url --project --account --subscription -a --app --query",
  },
];

export const SUBCOMMANDS: ReadonlyMap<string, SubcommandRow> = new Map(
  SUBCOMMAND_ROWS.flatMap((row) => row.programs.split(" ").map((program) => [program, row] as const)),
);
