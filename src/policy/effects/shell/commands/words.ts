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
  { verbs: "empty truncate", programs: "truncate fallocate" },
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
  { verbs: "restart stop start", programs: "systemctl launchctl service" },
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

/** Programs whose first words say what they do: `git push`, `npm test`, `aws s3 cp`. How many words, and whose. */
export const SUBCOMMANDS: ReadonlyMap<string, number> = new Map([
  ...pairs(
    1,
    "git npm pnpm yarn npx bunx pnpx bun pip pip3 uv poetry pipx conda mamba gem bundle composer apt apt-get dpkg brew yum dnf pacman apk zypper snap " +
      "flatpak port nix choco winget scoop cargo go dotnet deno terraform tofu pulumi vagrant heroku vercel netlify wrangler railway systemctl " +
      "launchctl service hermes agentsfence ssh-keygen docker-compose just task rake make gmake crontab bazel gradle mvn",
  ),
  ...pairs(
    2,
    "docker podman nerdctl kubectl oc helm gh glab hub jira linear az gcloud gsutil aws fly flyctl doctl stripe bq",
  ),
]);

function pairs(count: number, names: string): [string, number][] {
  return names.split(" ").map((name) => [name, count]);
}
