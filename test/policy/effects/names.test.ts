import { describe, expect, it } from "vitest";
import { shell, tool } from "./support.ts";

const HERMES = "/home/u/.hermes";

/** An oath blocks an opaque call that names what it protects: too few names is a hole, too many a false refusal. */
describe("names in code", () => {
  it.each<[string, string[]]>([
    ["os.remove('/home/u/.hermes/x')", [`${HERMES}/x`]],
    ['shutil.rmtree("~/.hermes")', [HERMES]],
    ["shutil.rmtree(os.path.expanduser('~/.hermes/memories'))", [`${HERMES}/memories`]],
    ["(Path.home() / '.hermes' / 'memories').unlink()", [`${HERMES}/memories`]],
    ["(pathlib.Path.home() / name).unlink()", ["/home/u"]],
    ["shutil.rmtree(Path.home())", ["/home/u"]],
    ["os.path.join(os.path.expanduser('~'), '.hermes', 'SOUL.md')", [`${HERMES}/SOUL.md`]],
    ["os.path.join(os.environ['HOME'], '.hermes')", [HERMES]],
    ["os.environ.get('HERMES_HOME') + '/skills'", [`${HERMES}/skills`]],
    ["fs.rmSync(`$\u007bos.homedir()}/.hermes`)", [HERMES]],
    ["fs.rmSync(process.env.HOME + '/.hermes')", [HERMES]],
    ["fs.rmSync(path.join(os.homedir(), '.hermes'))", [HERMES]],
    ["fs.rmSync(`$\u007bbase}/.hermes/x`)", [`${HERMES}/x`]],
    ["os.path.join(base, '.hermes', 'x')", [`${HERMES}/x`]],
    ["os.system('rm -rf ~/.hermes/memories')", [`${HERMES}/memories`]],
    ["subprocess.run(['rm', '-rf', '/home/u/.hermes'])", [HERMES]],
    ['os.system("cd $HERMES_HOME && rm x.md")', [HERMES, "/home/u/work/x.md"]],
    ["glob.glob('/home/u/.hermes/*')", [`${HERMES}/*`]],
    ["open('file:///home/u/.hermes/x')", [`${HERMES}/x`]],
    ["open('memories/a.md')", ["/home/u/work/memories/a.md"]],
    ["os.chdir('..'); open('../.hermes/x')", ["/home/u", `${HERMES}/x`]],
    ["shutil.rmtree('/')", ["/"]],
  ])("%s", (code, expected) => {
    const names = tool("execute_code", { code }).opaque?.names ?? [];
    for (const name of expected) expect(names).toContain(name);
  });

  it.each([
    "'/'.join(parts)",
    "text.split('/')",
    "a / b",
    "x = 10 / 2  # half",
    "print('ok')",
    "requests.get('https://x.example/home/u/.hermes')",
    "from os import path",
    "~mask & 0xff",
  ])("no folder above a home in %s", (code) => {
    const names = tool("execute_code", { code }).opaque?.names ?? [];
    for (const above of ["/", "/home", "/home/u", HERMES]) expect(names).not.toContain(above);
  });
});

describe("names in commands", () => {
  it.each<[string, string[]]>([
    ["frobnicate notes", ["/home/u/work/notes"]],
    ["frobnicate --out=~/.hermes/x", []],
    ["frobnicate --out=$HOME/.hermes/x", [`${HERMES}/x`]],
    ["frobnicate -o/home/u/.hermes/x", [`${HERMES}/x`]],
    ["frobnicate ~/.herm*", ["/home/u/.herm*"]],
    ["frobnicate .", ["/home/u/work"]],
    ["cd ~/.hermes && frobnicate", [HERMES]],
    ["cd ~/.hermes && make", [HERMES]],
    ["X=~/.hermes; frobnicate $X/memories", [`${HERMES}/memories`]],
    ["export X=~/.hermes; frobnicate", [HERMES]],
    ["X=~/.hermes frobnicate", [HERMES]],
    ["find ~/.hermes -name '*.md' | frobnicate", [HERMES]],
    ["echo 'rm -rf ~/.hermes' | sh", [HERMES]],
    ["cd ~/.hermes && echo memories | xargs ./tool", [`${HERMES}/memories`]],
    ["bash <<'E'\n./tool ~/.hermes/x\nE", [`${HERMES}/x`]],
    ["python3 - <<'E'\nopen('/home/u/.hermes/x')\nE", [`${HERMES}/x`]],
    ["ssh h 'rm -rf /srv/x'", ["/srv/x"]],
    ["npx rimraf memories", ["/home/u/work/memories"]],
    ["docker run -v /home/u/.hermes:/data img", [HERMES]],
    ["rm -rf ~/.hermes )", [HERMES]],
    ["find ~/.hermes -exec ./tool {} ';'", [`${HERMES}/**`]],
  ])("%s", (command, expected) => {
    const { opaque } = shell(command);
    expect(opaque).not.toBeNull();
    for (const name of expected) expect(opaque?.names).toContain(name);
  });

  it("leaves out what only clear commands of the line touch", () => {
    expect(shell("cat ~/.hermes/memories/MEMORY.md && npm test").opaque?.names).toEqual([]);
    expect(shell("cp -r ~/.hermes/skills /tmp/skills-$(date +%F)").opaque?.names).toEqual(["/tmp/skills-*"]);
  });

  it("takes the verbs of known tools for verbs", () => {
    expect(shell("npm run build").opaque?.names).not.toContain("/home/u/work/run");
    expect(shell("make").opaque?.names).toEqual([]);
  });
});
