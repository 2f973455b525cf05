import type { RiskClass } from "../../types.ts";
import { UNKNOWN_PATH } from "../report.ts";
import {
  actOnPaths,
  noteReads,
  noteUrls,
  pathsOf,
  pointer,
  stringsIn,
  type ToolReading,
  textAt,
  valuesAt,
} from "./arguments.ts";
import { readMemory, readSchedule, readSkill } from "./hermes.ts";
import { readPatch } from "./patch.ts";
import { readForeignShell, readShellTool } from "./shells.ts";

/** One tool under all its names. Columns list argument names with spaces between; several spellings may stand together. */
export interface ToolRow {
  readonly canonical: string;
  readonly names: string;
  readonly risks?: readonly RiskClass[];
  /** The name also means this tool when an MCP server offers it, provided it has the arguments of one of these columns. */
  readonly anywhere?: true;
  /** Paths that are wholly written, changed in place, created, deleted with all below, or only read. */
  readonly writes?: string;
  readonly edits?: string;
  readonly creates?: string;
  readonly deletes?: string;
  readonly reads?: string;
  readonly urls?: string;
  /** Arguments that hold code. */
  readonly code?: string;
  /** What depends on the arguments. */
  readonly also?: (reading: ToolReading) => void;
}

const PATH =
  "path file_path filePath absolute_path filepath file target_file targetFile notebook_path filename";
const FOLDER = "path dir_path directory dir folder dirPath";
const SOURCE = "source source_path src from old_path oldPath sourcePath";
const TARGET = "destination destination_path dest to new_path newPath destinationPath";
const REMOTE: readonly RiskClass[] = ["NETWORK", "EXTERNAL_WRITE"];

export const TOOLS: readonly ToolRow[] = [
  // Shells and code
  {
    canonical: "shell",
    names:
      "terminal bash shell run_shell_command run_terminal_cmd run_command execute_command exec_command local_shell container.exec run_in_terminal shell_command exec unified_exec",
    anywhere: true,
    also: readShellTool,
  },
  { canonical: "foreign_shell", names: "powershell pwsh cmd run_powershell", also: readForeignShell },
  { canonical: "process", names: "process process_manage write_stdin send_input", also: readProcess },
  {
    canonical: "execute_code",
    names: "execute_code python run_python code_interpreter jupyter_execute execute_python browser_exec",
    risks: ["EXECUTE"],
    code: "code script source expression input",
  },
  {
    canonical: "read_terminal",
    names: "read_terminal bashoutput bash_output taskoutput get_terminal_output read_bash list_bash monitor",
  },
  {
    canonical: "close_terminal",
    names: "close_terminal killshell killbash kill_shell stop_bash taskstop",
    risks: ["EXECUTE"],
  },

  // Files
  {
    canonical: "write_file",
    names: "write_file write create_file write_to_file writefile save_file fs_write",
    writes: PATH,
    anywhere: true,
  },
  {
    canonical: "edit_file",
    names:
      "edit multiedit multi_edit edit_file search_replace str_replace replace replace_string_in_file multi_replace_string_in_file insert_edit_into_file notebookedit edit_notebook_file edit_notebook apply_diff replace_in_file",
    edits: PATH,
    anywhere: true,
    also: createsWhenEmpty,
  },
  {
    canonical: "text_editor",
    names: "str_replace_editor str_replace_based_edit_tool text_editor",
    also: textEditor,
  },
  { canonical: "patch", names: "patch apply_patch applypatch", also: applyPatch },
  {
    canonical: "delete_file",
    names: "delete_file delete_path remove_file delete_directory remove_directory",
    deletes: `${PATH} ${FOLDER}`,
    anywhere: true,
  },
  {
    canonical: "move_file",
    names: "move_file rename_file move_path",
    anywhere: true,
    deletes: SOURCE,
    writes: TARGET,
  },
  { canonical: "copy_file", names: "copy_file copy_path", anywhere: true, writes: TARGET, reads: SOURCE },
  {
    canonical: "create_directory",
    names: "create_directory make_directory mkdir create_folder",
    creates: FOLDER,
    anywhere: true,
  },
  {
    canonical: "read_file",
    names:
      "read_file read view read_many_files cat open_file read_text_file read_media_file read_multiple_files notebookread get_file_info view_image",
    reads: `${PATH} paths`,
    anywhere: true,
  },
  {
    canonical: "search_files",
    names:
      "search_files grep glob ls list_dir list_directory list_files search_file_content grep_search file_search semantic_search codebase_search find_files directory_tree list_allowed_directories codesearch",
    reads: FOLDER,
  },

  // The web
  {
    canonical: "web_search",
    names: "web_search websearch x_search google_web_search search_web",
    risks: ["NETWORK"],
  },
  {
    canonical: "web_extract",
    names: "web_extract webfetch web_fetch fetch fetch_webpage fetch_url read_url open_url",
    risks: ["NETWORK"],
    urls: "urls url uri",
    also: urlsInPrompt,
  },
  { canonical: "browser_navigate", names: "browser_navigate navigate goto", risks: ["NETWORK"], urls: "url" },
  {
    canonical: "browser_read",
    names:
      "browser_snapshot browser_scroll browser_back browser_get_images browser_vision browser_vault_list",
  },
  {
    canonical: "browser_act",
    names: "browser_click browser_type browser_press browser_dialog browser_fill browser_select",
    risks: REMOTE,
  },
  { canonical: "browser_console", names: "browser_console", also: browserConsole },
  { canonical: "browser_cdp", names: "browser_cdp", risks: ["EXECUTE"], code: "params method", urls: "url" },
  {
    canonical: "browser_vault",
    names: "browser_vault_unlock browser_vault_fill browser_vault_save_login browser_vault_enter_code",
    risks: ["CREDENTIAL", "EXTERNAL_WRITE"],
  },
  {
    canonical: "vision_analyze",
    names: "vision_analyze video_analyze",
    urls: "image_url video_url",
    reads: "image_url video_url",
  },
  {
    canonical: "image_generate",
    names: "image_generate video_generate xai_video_edit xai_video_extend",
    risks: ["NETWORK"],
    urls: "image_url video_url reference_image_urls",
    reads: "image_url",
  },
  { canonical: "text_to_speech", names: "text_to_speech", writes: "output_path" },

  // The agent itself
  { canonical: "memory", names: "memory memory_manage save_memory", also: memoryOf },
  { canonical: "skill_manage", names: "skill_manage", also: readSkill },
  {
    canonical: "cronjob",
    names: "cronjob cronjob_manage croncreate crondelete cronlist schedulewakeup",
    also: scheduleOf,
  },
  {
    canonical: "todo",
    names:
      "todo todo_list todowrite todoread todo_write write_todos update_plan manage_task_list taskcreate taskupdate taskget tasklist",
  },
  { canonical: "clarify", names: "clarify askuserquestion ask_user" },
  { canonical: "session_search", names: "session_search" },
  { canonical: "skill_view", names: "skills_list skill_view skill" },
  { canonical: "tool_search", names: "tool_search tool_describe toolsearch" },
  // What a child does is judged when it does it.
  { canonical: "delegate_task", names: "delegate_task task agent spawn_agent" },
  {
    canonical: "plan",
    names:
      "exitplanmode enterplanmode slashcommand think report_intent project_list fetch_copilot_cli_documentation",
  },
  {
    canonical: "read_resource",
    names:
      "list_mcp_resources listmcpresources listmcpresourcestool read_mcp_resource readmcpresource readmcpresourcetool",
  },
  { canonical: "project", names: "project_create project_switch desktop_project", creates: "path" },
  { canonical: "worktree", names: "enterworktree exitworktree", risks: ["WRITE"] },
  { canonical: "manage_connections", names: "manage_connections", risks: ["CREDENTIAL", "EXTERNAL_WRITE"] },

  // People and services
  {
    canonical: "send_message",
    names: "send_message",
    also: (reading) => byAction(reading, /^list$/, ["COMMUNICATION"], "send"),
  },
  { canonical: "sendmessage", names: "sendmessage" },
  {
    canonical: "direct_message",
    names: "yb_send_dm yb_send_sticker feishu_drive_add_comment feishu_drive_reply_comment",
    risks: ["COMMUNICATION"],
  },
  {
    canonical: "directory",
    names:
      "yb_query_group_info yb_query_group_members yb_search_sticker feishu_doc_read feishu_drive_list_comments feishu_drive_list_comment_replies ha_list_entities ha_get_state ha_list_services kanban_show kanban_list",
  },
  { canonical: "discord", names: "discord discord_admin", also: discord },
  { canonical: "ha_call_service", names: "ha_call_service", risks: ["EXTERNAL_WRITE"] },
  {
    canonical: "kanban",
    names:
      "kanban_create kanban_comment kanban_complete kanban_block kanban_unblock kanban_link kanban_heartbeat kanban_request_review kanban_request_changes kanban_attach kanban_attach_url kanban_attachments kanban_apply_expert_repair_plan kanban_apply_plan_audit_actuation kanban_create_worker_escalation kanban_record_plan_audit_verdict",
    risks: ["EXTERNAL_WRITE"],
    urls: "url",
  },
  {
    canonical: "computer_use",
    names: "computer_use",
    also: (reading) => byAction(reading, /^(?:capture|list_apps|wait)$/, ["EXECUTE"], ""),
  },
  {
    canonical: "spotify",
    names:
      "spotify_library spotify_playback spotify_playlists spotify_search spotify_queue spotify_devices spotify_albums",
    also: spotify,
  },
];

const BY_NAME: ReadonlyMap<string, ToolRow> = new Map(
  TOOLS.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)),
);

/** The row for a tool's plain name; upper and lower case are one, since harnesses disagree. */
export function toolNamed(name: string): ToolRow | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** True when a tool of an MCP server has the arguments that the row would read. */
export function fits(row: ToolRow, reading: ToolReading): boolean {
  if (!row.anywhere) return false;
  const { args } = reading;
  if (row.canonical === "shell") return valuesAt(args, "command cmd").length > 0;
  const columns = [row.writes, row.edits, row.creates, row.deletes, row.reads].filter(
    (one) => one !== undefined,
  );
  return columns.every((names) =>
    valuesAt(args, names).some(
      ({ value }) => typeof value === "string" && /^(?:[/~.$\\]|[A-Za-z]:[\\/])/.test(value),
    ),
  );
}

/** Applies a row's columns, then what depends on the arguments. */
export function readTool(row: ToolRow, reading: ToolReading): void {
  const { report, args, context } = reading;
  if (row.risks) report.risk(...row.risks);
  if (row.writes !== undefined)
    actOnPaths(reading, row.writes, ["modify", "create"], { required: row.canonical !== "text_to_speech" });
  if (row.edits !== undefined) actOnPaths(reading, row.edits, ["modify"], { required: true });
  if (row.creates !== undefined)
    actOnPaths(reading, row.creates, ["create"], { required: row.canonical === "create_directory" });
  if (row.deletes !== undefined) actOnPaths(reading, row.deletes, ["delete"], { required: true, tree: true });
  if (row.reads !== undefined) noteReads(reading, row.reads);
  if (row.urls !== undefined) noteUrls(reading, row.urls);
  if (row.code !== undefined) {
    const found = valuesAt(args, row.code);
    report.execute("inline-code");
    for (const { value } of found.length ? found : [{ value: args }]) {
      for (const text of stringsIn(value, 100)) report.opaque("inline-code", text, context.environment.cwd);
    }
  }
  row.also?.(reading);
}

function byAction(reading: ToolReading, looks: RegExp, risks: readonly RiskClass[], otherwise: string): void {
  const action = textAt(reading.args, "action") ?? otherwise;
  if (!looks.test(action)) reading.report.risk(...risks);
}

function readProcess(reading: ToolReading): void {
  const { args, report, context } = reading;
  const action = textAt(args, "action") ?? (valuesAt(args, "chars data input").length ? "write" : "");
  if (/^(?:list|poll|log|wait)$/.test(action)) return;
  report.execute(/^(?:write|submit)$/.test(action) ? "process-input" : "process-control");
  for (const { value } of valuesAt(args, "data chars input"))
    if (typeof value === "string") report.opaque("process-input", value, context.environment.cwd);
}

/** An edit that replaces nothing writes the whole file, new or not. */
function createsWhenEmpty(reading: ToolReading): void {
  const { args } = reading;
  const edits = Array.isArray(args["edits"]) ? args["edits"] : [];
  const olds = [args, ...edits].flatMap((one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? valuesAt(one, "old_string oldString old_str oldText")
      : [],
  );
  if (olds.some(({ value }) => value === "")) actOnPaths(reading, PATH, ["create"]);
  // Some harnesses give each edit of a batch its own file.
  for (const [at, one] of edits.slice(0, 500).entries()) {
    if (typeof one === "object" && one !== null && !Array.isArray(one)) {
      actOnPaths({ ...reading, args: one, base: pointer(reading.base, "edits", at) }, PATH, ["modify"]);
    }
  }
}

function textEditor(reading: ToolReading): void {
  const command = textAt(reading.args, "command");
  if (command === "view") noteReads(reading, PATH);
  else if (command === "create") actOnPaths(reading, PATH, ["modify", "create"], { required: true });
  else actOnPaths(reading, PATH, command === "delete" ? ["delete"] : ["modify"], { required: true });
  if (command === "rename") actOnPaths(reading, "new_path", ["modify", "create"]);
}

/** `patch` of Hermes replaces text in one file, or applies a patch to many; other harnesses only have the latter. */
function applyPatch(reading: ToolReading): void {
  const { args, report, context } = reading;
  const mode = textAt(args, "mode");
  const texts = valuesAt(args, "patch patchText patch_text input diff");
  const replaces = mode === "replace" || (mode === null && texts.length === 0);
  if (replaces || valuesAt(args, "old_string").length) {
    actOnPaths(reading, PATH, ["modify"], { required: true });
    if (textAt(args, "old_string") === "") actOnPaths(reading, PATH, ["create"]);
  } else if (texts.length === 0) {
    report.unreadable(pointer(reading.base, "patch"), "missing");
    for (const verb of ["modify", "create", "delete"] as const) report.act(verb, UNKNOWN_PATH);
  }
  if (mode === "replace") return;
  for (const { name, value } of texts) {
    const at = pointer(reading.base, name);
    if (typeof value !== "string") {
      report.unreadable(at, "not-text");
      continue;
    }
    const { changes, sound } = readPatch(value);
    if (!sound) report.unparsed("malformed-patch", value, context.environment.cwd);
    for (const change of changes.slice(0, 2000)) {
      for (const path of pathsOf(change.path, at, reading)) {
        if (change.kind === "delete" || change.kind === "move") report.act("delete", path);
        if (change.kind === "add") report.write(path);
        if (change.kind === "update") report.act("modify", path);
      }
      if (change.to !== undefined) for (const path of pathsOf(change.to, at, reading)) report.write(path);
    }
    if (changes.length > 2000) report.opaque("too-many-actions");
  }
}

function urlsInPrompt(reading: ToolReading): void {
  const prompt = textAt(reading.args, "prompt");
  if (prompt !== null)
    noteUrls(
      { ...reading, args: { urls: prompt.match(/https?:\/\/[^\s"'<>)]{1,2000}/gi)?.slice(0, 50) ?? [] } },
      "urls",
    );
}

function browserConsole(reading: ToolReading): void {
  const expression = textAt(reading.args, "expression");
  if (expression !== null && expression !== "")
    reading.report.execute("inline-code", expression, reading.context.environment.cwd);
}

/** Gemini's `save_memory` keeps its file elsewhere; Hermes' `memory` under its home. */
function memoryOf(reading: ToolReading): void {
  if (reading.tool.toLowerCase() !== "save_memory") {
    readMemory(reading);
    return;
  }
  reading.report.risk("PERSISTENT");
  for (const path of pathsOf("~/.gemini/GEMINI.md", reading.base, reading))
    for (const verb of ["modify", "create"] as const) reading.report.touch(verb, path);
}

function scheduleOf(reading: ToolReading): void {
  const name = reading.tool.toLowerCase();
  if (name === "cronlist") return;
  readSchedule(name === "crondelete" ? { ...reading, args: { ...reading.args, action: "remove" } } : reading);
}

function discord(reading: ToolReading): void {
  const action = textAt(reading.args, "action") ?? "";
  if (/^(?:fetch_messages|search_members|list_\w+|server_info|channel_info|member_info)$/.test(action))
    return;
  if (/^delete_/.test(action)) reading.report.risk("DELETE");
  else if (/^(?:send|reply)/.test(action)) reading.report.risk("COMMUNICATION");
  else if (/role$/.test(action)) reading.report.risk("SHARE", "EXTERNAL_WRITE");
  else reading.report.risk("EXTERNAL_WRITE");
}

function spotify(reading: ToolReading): void {
  const name = reading.tool.toLowerCase();
  const action = textAt(reading.args, "action") ?? (name === "spotify_search" ? "search" : "");
  if (
    /^(?:list|get|search|current|status|recent\w*|currently_playing|get_\w+|list_\w+|devices|state)$/.test(
      action,
    )
  )
    return;
  reading.report.risk("EXTERNAL_WRITE");
}
