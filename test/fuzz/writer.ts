// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts.
import type { Random } from "./random.ts";

const FILES =
  "notes.md a.txt b.txt data.csv config.yaml list.txt .env src/main.ts src/util.ts src/lib/deep.ts docs/guide.md build/out.js logs/app.log logs/old.log Makefile".split(
    " ",
  );
const FAR = [
  "~/notes/todo.md",
  "$HOME/notes/todo.md",
  "/home/u/notes/todo.md",
  "~/.hermes/memories/MEMORY.md",
  "/tmp/x.tmp",
  "/tmp/cache/page.html",
  "/srv/data/db.json",
  "../notes/todo.md",
  '"$HOME"/.hermes/config.yaml',
];
const FOLDERS = [
  "src",
  "docs",
  "build",
  "logs",
  "empty",
  "src/lib",
  "./src",
  "/tmp/cache",
  "~/notes",
  "/srv/data",
  ".",
];
const NEW =
  "out.txt new.md report.json copy.txt result fresh.log tmp/out x y.bak archive done.flag new-dir".split(" ");
const NEW_FOLDERS = ["backup", "dist", "new", "tmp/deep", "/tmp/job", "~/backup", "out dir", "release-1.0"];
const PATTERNS = [
  "*.txt",
  "*.md",
  "src/*.ts",
  "build/*",
  "logs/*.log",
  "[ab].txt",
  "?.txt",
  "*",
  "src/*",
  "*.{txt,md}",
  "/tmp/*.tmp",
  "*.nothing",
  "docs/*.md",
];
const BRACES = [
  "{a,b}.txt",
  "logs/{app,old}.log",
  "src/{main,util}.ts",
  "{a,b,c}.txt",
  "x{1..3}.txt",
  "f{01..03}",
  "{src,docs}/new.txt",
  "{,my}a.txt",
];
const TEXTS = [
  "hello",
  '"hello world"',
  "'single $HOME'",
  '"done: $HOME"',
  "$'tab\\tnew\\n'",
  '"a; rm b.txt"',
  "'a && b'",
  '"\\"quoted\\""',
  "plain\\ space",
  '"#no comment"',
];
const WORDS = ["alpha", "error", "one", "TODO", "first", "x", "beta"];
const READERS = [
  "cat",
  "head -n 2",
  "tail -n 1",
  "wc -l",
  "grep -n a",
  "sort",
  "uniq",
  "ls -la",
  "stat",
  "cut -c1-3",
  "nl",
  "md5sum",
  "file",
  "rev",
  "tac",
];

/** Writes one script, choice by choice; it remembers what it has named, so that later lines can use it. */
export class Writer {
  readonly #random: Random;
  readonly #variables: string[] = [];
  readonly #functions: string[] = [];
  #depth = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  script(): string {
    const count = 1 + this.#random.below(4);
    const lines: string[] = [];
    if (this.#random.chance(0.08))
      lines.push(this.#random.pick(["set -e", "set -euo pipefail", "set -u", "#!/bin/bash", "# a comment"]));
    for (let at = 0; at < count; at++) lines.push(this.#statement());
    return lines.join(this.#random.pick(["\n", "\n", "; ", " && ", "\n\n"]));
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  #maybe(share: number, text: string): string {
    return this.#random.chance(share) ? text : "";
  }

  #statement(): string {
    const r = this.#random.next();
    if (this.#depth > 2 || r < 0.62) return this.#simple();
    this.#depth++;
    const text = this.#compound();
    this.#depth--;
    return text;
  }

  #body(): string {
    const text = this.#statement();
    return this.#random.chance(0.3) ? `${text}; ${this.#simple()}` : text;
  }

  #compound(): string {
    switch (this.#random.below(20)) {
      case 0:
      case 1:
        return `${this.#simple()} && ${this.#simple()}`;
      case 2:
        return `${this.#simple()} || ${this.#simple()}`;
      case 3:
        return `${this.#reader()} | ${this.#filter()}${this.#output()}`;
      case 4:
      case 5:
        return this.#loop();
      case 6:
        return `if ${this.#condition()}; then ${this.#body()}; ${this.#maybe(0.5, `else ${this.#body()}; `)}fi`;
      case 7:
        return `while read -r ${this.#name("line")}; do ${this.#body()}; done < ${this.#file()}`;
      case 8:
        return `case ${this.#pick(['"$1"', "a", "$HOME", '"$x"'])} in ${this.#pick(["a", "*", "/home/*", "b|a"])}) ${this.#body()} ;; *) ${this.#body()} ;; esac`;
      case 9:
        return `(${this.#maybe(0.6, `cd ${this.#folder()} && `)}${this.#body()})`;
      case 10:
        return `{ ${this.#body()}; }${this.#output()}`;
      case 11: {
        const name = this.#pick(["build", "clean", "f", "setup", "rm", "log"]);
        const text = `${name}() { ${this.#body()}; }`;
        this.#functions.push(name);
        return `${text}\n${name} ${this.#pick(["", this.#file(), TEXTS[0] ?? ""])}`;
      }
      case 12:
        return `cd ${this.#folder()} ${this.#pick(["&&", ";", "&&", "||"])} ${this.#simple()}${this.#maybe(0.4, `; cd ${this.#pick(["..", "-", "~/work", ""])}; ${this.#simple()}`)}`;
      case 13:
        return this.#heredoc();
      case 14:
        return this.#nested();
      case 15:
        return this.#found();
      case 16:
        return `pushd ${this.#folder()} && ${this.#simple()}; popd; ${this.#simple()}`;
      case 17:
        return `${this.#simple()} & ${this.#maybe(0.7, "wait; ")}${this.#simple()}`;
      case 18:
        return `for ((i=0; i<2; i++)); do ${this.#body()}; done`;
      default:
        return `${this.#variable()}\n${this.#body()}`;
    }
  }

  #simple(): string {
    const r = this.#random.below(100);
    if (r < 12) return `${this.#reader()}${this.#output()}`;
    if (r < 24) return `echo ${this.#text()}${this.#maybe(0.3, ` ${this.#text()}`)}${this.#output(0.7)}`;
    if (r < 60) return this.#change();
    if (r < 68) return this.#variable();
    if (r < 74) return this.#edit();
    if (r < 79) return this.#archive();
    if (r < 83) return this.#known();
    if (r < 85) return this.#heredoc();
    if (r < 87) return this.#found();
    if (r < 89) return this.#nested();
    if (r < 91) return `cd ${this.#folder()}`;
    if (r < 93) return this.#condition();
    if (r < 94)
      return this.#pick([
        "pwd",
        "true",
        "false",
        ":",
        "wait",
        "date",
        "whoami",
        "return 0",
        "shift",
        "exit 0",
        "set -x",
      ]);
    if (r < 95 && this.#functions.length) return `${this.#pick(this.#functions)} ${this.#file()}`;
    if (r < 98) return this.#rare();
    return this.#unseen();
  }

  #change(): string {
    const file = this.#file();
    switch (this.#random.below(24)) {
      case 0:
      case 1:
        return `cp ${this.#maybe(0.3, "-v ")}${file} ${this.#target()}`;
      case 2:
        return `cp -r ${this.#folder()} ${this.#newFolder()}`;
      case 3:
        return `cp ${this.#pick(["-a", "-p", "-f", "-n", "-u", "--backup", "-t /tmp", "-rT", "--parents"])} ${file} ${this.#target()}`;
      case 4:
      case 5:
        return `mv ${this.#maybe(0.3, this.#pick(["-f ", "-n ", "-v ", "-b ", "-t docs "]))}${file} ${this.#target()}`;
      case 6:
        return `mv ${this.#folder()} ${this.#newFolder()}`;
      case 7:
      case 8:
        return `rm ${this.#maybe(0.6, this.#pick(["-f ", "-v ", "-- ", "-rf "]))}${file}`;
      case 9:
        return `rm -r${this.#maybe(0.6, "f")} ${this.#folder()}${this.#maybe(0.3, "/*")}`;
      case 10:
        return `rm ${this.#many()}`;
      case 11:
        return `mkdir ${this.#maybe(0.7, "-p ")}${this.#newFolder()}`;
      case 12:
        return `touch ${this.#maybe(0.2, this.#pick(["-c ", "-d 2020-01-01 ", "-r a.txt "]))}${this.#maybe(0.5, file)} ${this.#target()}`;
      case 13:
        return `ln ${this.#pick(["-s", "-sf", "", "-sfn", "-f"])} ${file} ${this.#target()}${this.#maybe(0.3, `; echo x >> ${this.#target()}`)}`;
      case 14:
        return `chmod ${this.#pick(["+x", "644", "-R go-w", "u=rw", "-x"])} ${this.#pick([file, this.#folder()])}`;
      case 15:
        return `truncate -s ${this.#pick(["0", "10", "+5"])} ${file}`;
      case 16:
        return `dd if=${this.#pick(["/dev/zero", file])} of=${this.#target()} bs=1 count=4${this.#maybe(0.3, " conv=notrunc")}`;
      case 17:
        return `${this.#reader()} | tee ${this.#maybe(0.4, "-a ")}${this.#target()}${this.#maybe(0.3, ` ${this.#file()}`)} > /dev/null`;
      case 18:
        return `rmdir ${this.#maybe(0.3, "-p ")}${this.#pick(["empty", "new", "tmp/deep", "docs"])}`;
      case 19:
        return `install ${this.#pick(["-m 600", "-D", "-d", ""])} ${file} ${this.#target()}`;
      case 20:
        return `split -l 1 ${file} ${this.#pick(["part-", "", "/tmp/p."])}`;
      case 21:
        return `unlink ${file}`;
      case 22:
        return `shred ${this.#maybe(0.5, "-u ")}-n 1 ${file}`;
      default:
        return `> ${this.#target()}`;
    }
  }

  #edit(): string {
    const file = this.#file();
    return this.#pick([
      `sed -i 's/${this.#pick(WORDS)}/${this.#pick(WORDS)}/' ${file}`,
      `sed -i.bak -e 's/a/b/g' ${file}`,
      `sed -n '1,2p' ${file}${this.#output()}`,
      `sed -E 's/(a)/\\1b/' ${file}${this.#output()}`,
      `sed 's/a/b/w ${this.#target()}' ${file}`,
      `sed '1e touch b.txt' ${file}`,
      `sort ${file} -o ${this.#target()}`,
      `sort -u ${file}${this.#output()}`,
      `uniq ${file} ${this.#target()}`,
      `awk '{print $1}' ${file}${this.#output()}`,
      `awk -F, 'NR>1{print $2 > "${this.#pick(NEW)}"}' ${file}`,
      `awk 'BEGIN{system("rm b.txt")}'`,
      `tr a-z A-Z < ${file}${this.#output()}`,
      `diff ${file} ${this.#file()}${this.#output()}`,
      `base64 ${file}${this.#output()}`,
    ]);
  }

  #archive(): string {
    const name = this.#pick(["backup.tar.gz", "/tmp/b.tgz", "~/a.tar"]);
    return this.#pick([
      `tar czf ${name} ${this.#folder()}`,
      `tar -cf ${name} ${this.#file()}`,
      `tar -czf ${name} -C ${this.#folder()} .`,
      `tar xzf ${name}`,
      `tar czf ${name} src && tar xzf ${name} -C ${this.#newFolder()}`,
      `tar cf ${name} --remove-files ${this.#file()}`,
      `mkdir -p out && tar czf t.tgz src docs && tar -xzf t.tgz -C out --strip-components=1`,
      `gzip ${this.#maybe(0.4, "-k ")}${this.#file()}`,
      `gzip ${this.#file()} && gunzip ${this.#file()}.gz`,
      `zip -r ${this.#pick(["z.zip", "/tmp/z"])} ${this.#folder()}`,
      `zip -qr z.zip src && unzip -o z.zip -d ${this.#newFolder()}`,
      `gzip -c ${this.#file()} > ${this.#target()}`,
    ]);
  }

  #known(): string {
    return this.#pick([
      "git status --short",
      "git diff HEAD~1 -- src",
      `git add ${this.#file()} && git commit -m "update: $x"`,
      `git checkout -- ${this.#file()}`,
      "git log --oneline -5",
      `git rm ${this.#file()}`,
      "git clean -fd",
      "git stash",
      `curl -s https://example.com/x -o ${this.#target()}`,
      "curl -s https://api.example.com/v1/items | jq .name",
      "curl -X POST -d @a.txt https://api.example.com/v1",
      `wget -q https://example.com/f.zip -O ${this.#target()}`,
      `rsync -a src/ ${this.#newFolder()}/`,
    ]);
  }

  #unseen(): string {
    return this.#pick([
      "npm install",
      "npm run build",
      "python3 run.py",
      `python3 -c 'print(1)'`,
      "node index.js",
      "make all",
      "./run.sh",
      "bash run.sh",
      "frob --all",
      `deploy ${this.#file()}`,
      "docker ps",
      "src/cat a.txt",
      "source .env",
    ]);
  }

  #rare(): string {
    return this.#pick([
      `echo hi >& ${this.#target()}`,
      `echo hi 1<> ${this.#file()}`,
      `exec {fd}> ${this.#target()}; echo hi >&$fd`,
      `${this.#reader()} |& tee ${this.#target()}`,
      `until ${this.#condition()}; do ${this.#change()}; break; done`,
      `for d in src docs; do (cd $d && ${this.#change()}); done`,
      `for d in */; do touch "$d/mark"; done`,
      `f() { local d=$1; ${this.#change()}; cp a.txt "$d"; }; f docs; f ${this.#target()}`,
      `f() { cd docs; }; f; ${this.#change()}`,
      `f() { x=${this.#file()}; }; f; rm "$x"`,
      `g() (cd src; ${this.#change()}); g; ${this.#change()}`,
      `cd src && cd lib && ${this.#change()}; cd - > /dev/null; ${this.#change()}`,
      `cd nowhere || cd docs; ${this.#change()}`,
      `cd nowhere; ${this.#change()}`,
      `true && cd src || cd docs; ${this.#change()}`,
      `while read -r n; do cp "$n" "$n.bak"; done < list.txt`,
      `x=(src docs); for d in "\${x[@]}"; do touch "$d/new"; done`,
      `x=${this.#file()}; unset x; rm "\${x:-b.txt}"`,
      `x=a; x+=.txt; rm "$x"`,
      `trap 'touch failed' ERR; false; ${this.#change()}`,
      `set -e; false; ${this.#change()}`,
      `set -- a.txt b.txt; for n; do mv "$n" "$n.old"; done`,
      `set -- a.txt b.txt; shift; rm "$1"`,
      `bash -c 'cd docs && rm *' && ${this.#change()}`,
      `bash -ec '${this.#pick(["rm b.txt", "mkdir z; cd z; touch y", "cp a.txt c.txt"])}'`,
      `bash -c 'rm "$0" "$1"' a.txt b.txt`,
      `env -i bash -c 'touch made'`,
      `env -C docs ${this.#change()}`,
      `rm() { echo no; }; rm a.txt; command rm b.txt; unset -f rm; rm list.txt`,
      `\${x:=${this.#pick(["a.txt", "b.txt"])}}; rm $x`,
      `: "\${x:=b.txt}"; rm "$x"`,
      `rm \${HOME:+a.txt} \${nothing:+b.txt}`,
      `echo a.txt b.txt | xargs -n1 -I% cp % /tmp/%`,
      `ls *.txt | while read -r n; do rm "$n"; done`,
      `printf 'a.txt\\0b.txt\\0' | xargs -0 rm`,
      `xargs -a list.txt touch`,
      `mv src/{main,moved}.ts`,
      `cp a.txt{,.bak}`,
      `mkdir -p x/{1..3} && touch x/{1,2}/y`,
      `{ echo one; echo two; } > ${this.#target()}`,
      `(umask 077; echo s > ${this.#target()})`,
      `if cd docs; then ${this.#change()}; fi; ${this.#change()}`,
      `[ -d docs ] && cd docs; ${this.#change()}`,
      `select n in a b; do rm a.txt; done < /dev/null`,
      `case a.txt in *.txt) cd docs ;& *.md) ${this.#change()} ;; esac`,
      `mv docs papers && touch papers/guide.md && rm -r papers`,
      `ln -s docs link && touch link/through.txt`,
      `ln -s /srv/data d; rm d/db.json`,
      `ln a.txt hard && echo more >> hard`,
      `cp -r src copy && cd copy && rm main.ts`,
      `mkdir a b; mv a b; touch b/a/c`,
      `tar cf - src | tar xf - -C docs`,
      `tar czf - src > s.tgz; tar tzf s.tgz`,
      `cat a.txt | { read l; echo "$l" > first.txt; }`,
      `> "$(echo computed).txt"`,
      `dd if=a.txt of=docs/a.copy 2> /dev/null`,
      `wait; jobs; ${this.#change()} & disown`,
      `sed -i -e 1d -e '$d' ${this.#file()} ${this.#file()}`,
      `sed -i'' s/a/b/ ${this.#file()}`,
      `sed -n 'w out.sed' a.txt`,
      `awk '{print > ($1 ".out")}' a.txt`,
      `sort -o b.txt b.txt; sort b.txt > b.txt`,
      `find . -name '*.md' -exec cp -t /tmp {} +`,
      `find . -name '*.log' -o -name '*.map' -delete`,
      `find docs src -type f -exec mv -t build {} +`,
      `find . -maxdepth 1 -type f -exec sh -c 'mv "$1" "$1.x"' sh {} \\;`,
      `rm -rf "\${TMPDIR:-/tmp}/cache"`,
      `rm -rf build/ && mkdir build`,
      `rm -rf -- *`,
      `chmod -R a-w docs; rm -rf docs`,
      `touch "$(pwd)/here" \`pwd\`/there`,
      `touch $((1+1)).n`,
      `touch {a..c}{1..2}`,
      `touch ~+/plus ~u/named`,
      `echo x > ~/tilde; echo y > "~"`,
      `shopt -s extglob; rm !(a.txt)`,
      `shopt -s dotglob; rm *`,
      `shopt -s nullglob; cp *.none docs`,
      `set -f; touch *.q`,
      `IFS=,; x=a.txt,b.txt; rm $x`,
      `IFS=: read -r p q <<< 'a.txt:b.txt'; rm "$q"`,
      `GLOBIGNORE=a.txt; rm *.txt`,
      `CDPATH=/srv; cd data && touch here`,
      `OLDPWD=/tmp; cd -; touch back`,
      `HOME=/tmp; cd; touch home`,
      `HOME=/tmp bash -c 'cd; touch home'`,
      `PWD=/tmp; touch "$PWD/pwd"`,
      `readonly r=a.txt; r=b.txt; rm "$r"`,
      `declare -n ref=x; ref=b.txt; rm "$x"`,
      `declare -u x=a.txt; touch "$x"`,
      `declare -i n=1+1; touch $n`,
      `x=a.txt; declare -l y=$x; export x; bash -c 'rm $x'`,
      `eval "x=b.txt"; rm $x`,
      `eval 'cd docs'; touch in-eval`,
      `. ./.env; touch after`,
      `command -v rm; type rm; hash -r`,
      `exec 2> errs; ls nothing; ${this.#change()}`,
      `exec touch replaced; touch never`,
      `kill -0 $$ && ${this.#change()}`,
      `trap 'rm -f ${this.#pick(["x", "a.txt", "/tmp/x.tmp"])}' EXIT`,
      `exec > ${this.#target()}`,
      `exec 3> ${this.#target()}; echo hi >&3`,
      `export ${this.#pick(["A=1", "NAME=value", "PATH=$PATH:/opt/bin"])}`,
      "unset x f",
      "shopt -s nullglob",
      "shopt -s globstar; rm -f **/*.map",
      `printf '%s\\n' a b > ${this.#target()}`,
      `printf -v x '%s' ${this.#file()}; rm "$x"`,
      `set -- ${this.#file()} ${this.#file()}; rm "$1"`,
      `alias ll='ls -la'; ll`,
      `read -r x < list.txt; rm "$x"`,
      `mapfile -t arr < list.txt; rm "\${arr[0]}"`,
      `local y=1`,
      `declare -r C=${this.#file()}; rm $C`,
      `mktemp /tmp/j.XXXXXX`,
      `x=$(mktemp); echo 1 > "$x"; rm "$x"`,
      `let n=1+1; echo $n > ${this.#target()}`,
      `nohup ${this.#change()} > /dev/null 2>&1`,
      `timeout 1 ${this.#change()}`,
      `nice -n 5 ${this.#change()}`,
      `env A=1 ${this.#change()}`,
      `command ${this.#change()}`,
      `time ${this.#change()}`,
      `! ${this.#change()}`,
      `/bin/${this.#change()}`,
      `\\${this.#change()}`,
      `mkdir -p d/{a,b}/c; touch d/{a,b}/c/f`,
      `coproc ${this.#change()}`,
    ]);
  }

  #reader(): string {
    return `${this.#pick(READERS)} ${this.#random.chance(0.2) ? this.#many() : this.#file()}`;
  }

  #filter(): string {
    return this.#pick([
      "sort",
      "uniq -c",
      "grep a",
      "head -n 1",
      "wc -l",
      "tr a b",
      "sed 's/a/b/'",
      "awk '{print $1}'",
      "cut -d, -f1",
      "cat",
      `tee ${this.#target()}`,
      "xargs echo",
      "xargs rm -f",
      "bash",
    ]);
  }

  #output(share = 0.35): string {
    if (!this.#random.chance(share)) return "";
    return this.#pick([
      ` > ${this.#target()}`,
      ` >> ${this.#target()}`,
      ` > ${this.#target()} 2>&1`,
      " 2>/dev/null",
      " > /dev/null 2>&1",
      ` &> ${this.#target()}`,
      ` 2> err.log`,
      ` >| ${this.#target()}`,
      ` > ${this.#file()}`,
    ]);
  }

  #loop(): string {
    const name = this.#name("f");
    const list = this.#pick([
      this.#many(),
      `${this.#file()} ${this.#file()}`,
      "1 2 3",
      "{1..3}",
      "$(ls *.txt)",
      '"$@"',
      "src docs",
    ]);
    const use = this.#pick([
      `cp "$${name}" "$${name}.bak"`,
      `mv "$${name}" "\${${name}%.txt}.md"`,
      `echo "$${name}" >> ${this.#target()}`,
      `rm "$${name}"`,
      `mkdir -p "out/$${name}"`,
      `touch file-$${name}.txt`,
      `sed -i 's/a/b/' $${name}`,
      `wc -l "$${name}" > "/tmp/$(basename "$${name}").cnt"`,
      `cp $${name} /tmp/\${${name}##*/}`,
      this.#body(),
    ]);
    return `for ${name} in ${list}; do ${use}; done`;
  }

  #condition(): string {
    return this.#pick([
      `[ -f ${this.#file()} ]`,
      `[[ -d ${this.#folder()} ]]`,
      `[[ "$x" == *.txt ]]`,
      `grep -q ${this.#pick(WORDS)} ${this.#file()}`,
      `test -n "$x"`,
      "true",
      "false",
      `[ "$(wc -l < a.txt)" -gt 1 ]`,
      "(( 1 < 2 ))",
      `! [ -e ${this.#pick(NEW)} ]`,
      `[[ $x =~ ^a.*$ ]]`,
      `mkdir ${this.#pick(NEW)} 2>/dev/null`,
    ]);
  }

  #heredoc(): string {
    const mark = this.#pick(["EOF", "'EOF'", '"EOF"', "-EOF", "E"]);
    const end = mark.replace(/['"-]/g, "");
    const body = this.#pick([
      "line one\nline two",
      "name: $HOME\nrm -rf /",
      "$(rm b.txt)",
      "`touch heredoc.txt`",
      'it\'s "quoted" \\$x',
      "export A=1;\n# comment",
      "${x:-default}",
    ]);
    const head = this.#pick([
      `cat <<${mark} > ${this.#target()}`,
      `cat > ${this.#target()} <<${mark}`,
      `cat <<${mark} | tee ${this.#target()}`,
      `bash <<${mark}`,
      `grep one <<${mark}`,
    ]);
    return `${head}\n${body}\n${end}\n`;
  }

  #nested(): string {
    const inner = this.#change();
    return this.#pick([
      `bash -c ${quoted(inner)}`,
      `sh -c ${quoted(inner)}`,
      `eval ${quoted(inner)}`,
      `bash -c 'rm "$1"' _ ${this.#file()}`,
      `echo $(${inner})`,
      `x=$(${this.#reader()}); echo "$x"${this.#output()}`,
      `echo ${quoted(inner)} | bash`,
      `bash <<< ${quoted(inner)}`,
      `cat <(${this.#reader()})${this.#output()}`,
      `echo "\`${inner}\`"`,
      `cp a.txt "$(dirname ${this.#file()})/copy.txt"`,
      `timeout 1 bash -c ${quoted(inner)}`,
      `xargs -I{} cp {} {}.bak < list.txt`,
      `${this.#reader()} > >(cat > ${this.#target()})`,
    ]);
  }

  #found(): string {
    const where = this.#folder();
    const test = this.#pick([
      "-name '*.ts'",
      "-type f",
      "-name '*.log' -mtime +1",
      "-empty",
      "-type d",
      "-maxdepth 1 -name '*.txt'",
      "-newer a.txt",
    ]);
    return `find ${where} ${test} ${this.#pick(["", "-print", "-delete", "-exec rm {} \\;", "-exec cp {} /tmp \\;", "-exec chmod 600 {} +", "-exec sh -c 'rm \"$1\"' _ {} \\;", "| xargs rm -f", "-print0 | xargs -0 -r rm", "-exec sed -i s/a/b/ {} +", "-execdir touch found.txt \\;", "-fprint found.lst", "| head", "| sort > files.lst", "-exec mv {} {}.old \\;", "-ok rm {} \\;"])}`;
  }

  #variable(): string {
    const name = this.#name(this.#pick(["x", "dir", "out", "file", "n"]));
    return this.#pick([
      `${name}=${this.#file()}`,
      `${name}="${this.#pick(FILES)}"`,
      `${name}=${this.#folder()}`,
      `${name}=$(date +%F)`,
      `${name}="$HOME/notes"`,
      `${name}=~/notes`,
      `${name}=${this.#pick(PATTERNS)}`,
      `export ${name}=${this.#pick(NEW)}`,
      `${name}='a b.txt'`,
      `${name}="a.txt b.txt"`,
      `${name}+=.bak`,
      `${name}=(a.txt b.txt); rm "\${${name}[@]}"`,
      `${name}=$((1+2))`,
      `${name}=`,
      `readonly ${name}=b.txt`,
      `${name}=a.txt rm $${name}`,
    ]);
  }

  #name(name: string): string {
    if (!this.#variables.includes(name)) this.#variables.push(name);
    return name;
  }

  #reference(): string {
    const name = this.#variables.length ? this.#pick(this.#variables) : "HOME";
    return this.#pick([
      `$${name}`,
      `"$${name}"`,
      `\${${name}}`,
      `"\${${name}}"/x`,
      `\${${name}:-a.txt}`,
      `"\${${name}%.*}.new"`,
      `\${${name}##*/}`,
      `$${name}.copy`,
      `"$PWD"/a.txt`,
      `"\${${name}%/*}"`,
      `\${${name}/a/b}`,
      `"\${${name}:-b.txt}"`,
      `\${${name}#*/}`,
    ]);
  }

  #file(): string {
    const r = this.#random.next();
    if (r < 0.45) return this.#spelled(this.#pick(FILES));
    if (r < 0.58) return this.#pick(FAR);
    if (r < 0.68) return this.#pick(PATTERNS);
    if (r < 0.76) return this.#pick(BRACES);
    if (r < 0.86 && this.#variables.length) return this.#reference();
    if (r < 0.9)
      return this.#pick([
        '"my file.txt"',
        "my\\ file.txt",
        "'my file.txt'",
        '~/notes/"my list"',
        "./-dash",
        '""',
      ]);
    return this.#pick(NEW);
  }

  #spelled(file: string): string {
    return this.#pick([
      file,
      file,
      file,
      file,
      `./${file}`,
      `"${file}"`,
      `'${file}'`,
      `$PWD/${file}`,
      `~/work/${file}`,
      `"$PWD/${file}"`,
      `/home/u/work/${file}`,
      `src/../${file}`,
      `${file.slice(0, 1)}""${file.slice(1)}`,
      `${file.slice(0, 2)}\\${file.slice(2)}`,
    ]);
  }

  #many(): string {
    return this.#random.chance(0.6) ? this.#pick(PATTERNS) : this.#pick(BRACES);
  }

  #folder(): string {
    return this.#random.chance(0.1) && this.#variables.length ? this.#reference() : this.#pick(FOLDERS);
  }

  #newFolder(): string {
    const folder = this.#pick(NEW_FOLDERS);
    return folder.includes(" ") ? `"${folder}"` : folder;
  }

  #target(): string {
    const r = this.#random.next();
    if (r < 0.5) return this.#pick(NEW);
    if (r < 0.65)
      return this.#pick([
        "/tmp/out.txt",
        "/tmp/",
        "docs/",
        "docs",
        "../up.txt",
        "~/saved.md",
        "logs/new.log",
        ".",
        "./o/p",
        "$HOME/x.txt",
      ]);
    return this.#file();
  }

  #text(): string {
    return this.#random.chance(0.2) ? this.#file() : this.#pick(TEXTS);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
