import { escapeBound, resolvePath, variableOf } from "../../paths/index.ts";
import type { FileVerb, JsonObject, JsonValue, PathBound } from "../../types.ts";
import { UNKNOWN_PATH } from "../report.ts";
import { joinBound } from "../shell/field.ts";
import { stringsIn, type ToolReading, textAt } from "./arguments.ts";

/** The agent's own folder; `?` when neither it nor a home was declared. */
function hermesHome({ context, report }: ToolReading): PathBound {
  const declared = variableOf("HERMES_HOME", context.environment);
  const path = declared === null ? null : resolvePath(declared, context.environment);
  if (path?.ok) return escapeBound(path.path);
  report.opaque("no-home");
  return UNKNOWN_PATH;
}

function below(home: PathBound, path: string): PathBound {
  return home === UNKNOWN_PATH ? home : joinBound(home, path);
}

/** `memory`: entries in MEMORY.md or USER.md. Removing one deletes what an oath may mean to keep. */
export function readMemory(reading: ToolReading): void {
  const { args, report } = reading;
  const home = hermesHome(reading);
  const operations = Array.isArray(args["operations"]) ? args["operations"] : [];
  const steps: JsonObject[] = [args, ...operations.slice(0, 500).filter(isObject)];
  const target = textAt(args, "target");
  const file =
    target === "user" ? "memories/USER.md" : target === "memory" ? "memories/MEMORY.md" : "memories/*";
  report.risk("PERSISTENT");
  for (const step of steps) {
    const action = textAt(step, "action");
    if (action === null && step === args && operations.length) continue;
    if (action === "read" || action === "list" || action === "view") continue;
    report.touch("modify", below(home, file));
    if (action === "remove" || action === "delete" || action === "clear") {
      report.risk("DELETE");
      report.touch("delete", below(home, file));
    } else if (action !== "replace" && action !== "patch") report.touch("create", below(home, file));
  }
}

/** `skill_manage`: files under `skills/[category/]name`. An existing skill's category need not be given. */
export function readSkill(reading: ToolReading): void {
  const { args, report } = reading;
  const home = hermesHome(reading);
  const action = textAt(args, "action") ?? "";
  const name = textAt(args, "name");
  const category = textAt(args, "category");
  report.risk("PERSISTENT");
  if (name === null || name === "") {
    report.unreadable(`${reading.base}/name`, "missing");
    report.touch("modify", below(home, "skills/**"));
    report.touch("delete", below(home, "skills/**"));
    return;
  }
  const folder = escapeBound(name);
  const folders = category
    ? [`skills/${escapeBound(category)}/${folder}`]
    : action === "create"
      ? [`skills/${folder}`]
      : [`skills/${folder}`, `skills/*/${folder}`];
  const file = textAt(args, "file_path");
  const inner = file === null || file === "" ? "SKILL.md" : escapeBound(file);
  for (const one of folders) {
    if (action === "delete") {
      report.risk("DELETE");
      report.touch("delete", below(home, `${one}/**`));
    } else if (action === "remove_file") {
      report.risk("DELETE");
      report.touch("delete", below(home, `${one}/${inner}`));
    } else if (action === "create") {
      // A name that is taken is refused, and only the skill itself is written.
      report.touch("create", below(home, `${one}/SKILL.md`));
    } else {
      const verbs: readonly FileVerb[] =
        action === "edit" || action === "patch" ? ["modify"] : ["modify", "create"];
      for (const verb of verbs) report.touch(verb, below(home, `${one}/${inner}`));
    }
  }
}

/** `cronjob`: what it schedules runs later, without anybody watching. */
export function readSchedule(reading: ToolReading): void {
  const { args, report, context } = reading;
  const action = textAt(args, "action") ?? "";
  if (action === "list" || action === "status" || action === "show") return;
  report.risk("PERSISTENT");
  if (action === "remove" || action === "delete") report.risk("DELETE");
  const script = textAt(args, "script");
  if (script !== null)
    report.execute("scheduled-code", script, textAt(args, "workdir") ?? context.environment.cwd);
  if (action === "create" || action === "update" || action === "run" || action === "") {
    for (const text of stringsIn(args, 50)) report.opaque("scheduled-task", text);
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
