import type { RiskClass } from "../../types.ts";
import {
  applyPatch,
  browserConsole,
  browserProtocol,
  byAction,
  createsWhenEmpty,
  discord,
  homeService,
  memoryOf,
  messageOf,
  messageService,
  readProcess,
  scheduleOf,
  spotify,
  textEditor,
  urlsInPrompt,
} from "./acts.ts";
import { PATH } from "./arguments.ts";
import { readSkill } from "./hermes.ts";
import type { ToolRow } from "./row.ts";
import { readCodeTool, readForeignShell, readShellTool } from "./shells.ts";

const FOLDER = "path dir_path directory dir folder dirPath";
const SOURCE = "source source_path src from old_path oldPath sourcePath";
const TARGET = "destination destination_path dest to new_path newPath destinationPath";
const REMOTE: readonly RiskClass[] = ["NETWORK", "EXTERNAL_WRITE"];

/** Every tool that is known. A name stands in one row only. */
export const TOOLS: readonly ToolRow[] = [
  // Shells and code
  {
    canonical: "shell",
    names:
      "terminal bash shell run_shell_command run_terminal_cmd run_command execute_command exec_command local_shell container.exec run_in_terminal shell_command exec unified_exec sh zsh dash ksh ash run_shell shell_exec execute_shell run_bash execute_bash",
    anywhere: true,
    verbs: "run execute",
    object: "command",
    also: readShellTool,
  },
  {
    canonical: "foreign_shell",
    names: "powershell pwsh cmd run_powershell fish nu nushell",
    items: "command cmd script",
    verbs: "run execute",
    object: "command",
    also: readForeignShell,
  },
  {
    canonical: "process",
    names: "process process_manage write_stdin send_input",
    items: "session_id data chars input",
    object: "process",
    also: readProcess,
  },
  {
    canonical: "execute_code",
    names: "execute_code python run_python code_interpreter jupyter_execute execute_python browser_exec",
    risks: ["EXECUTE"],
    items: "code",
    verbs: "run execute",
    object: "code",
    also: readCodeTool,
  },
  {
    canonical: "read_terminal",
    names: "read_terminal bashoutput bash_output taskoutput get_terminal_output read_bash list_bash monitor",
  },
  {
    canonical: "close_terminal",
    names: "close_terminal killshell killbash kill_shell stop_bash taskstop",
    items: "shell_id bash_id task_id session_id id",
    verbs: "close stop kill",
    object: "terminal process",
    risks: ["EXECUTE"],
  },

  // Files
  {
    canonical: "write_file",
    names: "write_file write create_file write_to_file writefile save_file fs_write",
    verbs: "write create save",
    object: "file",
    writes: PATH,
    content: "content contents text file_text body data",
    anywhere: true,
  },
  {
    canonical: "edit_file",
    names:
      "edit multiedit multi_edit edit_file search_replace str_replace replace replace_string_in_file multi_replace_string_in_file insert_edit_into_file notebookedit edit_notebook_file edit_notebook apply_diff replace_in_file",
    edits: PATH,
    content:
      "new_string newString new_str newText new_text new_source replacement code_edit content edits diff",
    anywhere: true,
    verbs: "edit change",
    object: "file",
    also: createsWhenEmpty,
  },
  {
    canonical: "text_editor",
    names: "str_replace_editor str_replace_based_edit_tool text_editor",
    content: "file_text new_str insert_text",
    verbs: "edit",
    object: "file",
    also: textEditor,
  },
  {
    canonical: "patch",
    names: "patch apply_patch applypatch",
    content: "new_string patch patchText patch_text input diff",
    verbs: "edit patch",
    object: "file",
    also: applyPatch,
  },
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
    verbs: "move rename",
    object: "file",
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
    verbs: "fetch read",
    object: "web page",
    risks: ["NETWORK"],
    urls: "urls url uri",
    also: urlsInPrompt,
  },
  {
    canonical: "browser_navigate",
    names: "browser_navigate navigate goto",
    risks: ["NETWORK"],
    urls: "url",
    verbs: "open browse navigate",
    object: "page",
  },
  {
    canonical: "browser_read",
    names:
      "browser_snapshot browser_scroll browser_back browser_get_images browser_vision browser_vault_list",
  },
  {
    canonical: "browser_act",
    names: "browser_click browser_type browser_press browser_dialog browser_fill browser_select",
    risks: REMOTE,
    items: "ref text key prompt_text value",
    object: "page form",
  },
  {
    canonical: "browser_console",
    names: "browser_console",
    items: "expression",
    verbs: "run evaluate",
    object: "console expression",
    also: browserConsole,
  },
  {
    canonical: "browser_cdp",
    names: "browser_cdp",
    risks: ["EXECUTE"],
    code: "params method",
    urls: "url",
    items: "method expression",
    verbs: "run evaluate",
    object: "browser expression",
    also: browserProtocol,
  },
  {
    canonical: "browser_vault",
    names: "browser_vault_unlock browser_vault_fill browser_vault_save_login browser_vault_enter_code",
    risks: ["CREDENTIAL", "EXTERNAL_WRITE"],
    items: "name ref",
    object: "login password",
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
    verbs: "generate create",
    risks: ["NETWORK"],
    urls: "image_url video_url reference_image_urls",
    reads: "image_url",
  },
  { canonical: "text_to_speech", names: "text_to_speech", writes: "output_path" },

  // The agent itself
  {
    canonical: "memory",
    names: "memory memory_manage save_memory",
    stored: "content new_text fact operations",
    items: "target old_text",
    verbs: "remember save",
    object: "memory",
    also: memoryOf,
  },
  {
    canonical: "skill_manage",
    names: "skill_manage",
    stored: "content new_string file_content",
    items: "name category file_path absorbed_into",
    verbs: "change",
    also: readSkill,
  },
  {
    canonical: "cronjob",
    names: "cronjob cronjob_manage croncreate crondelete cronlist schedulewakeup",
    stored: "prompt",
    items: "job_id id name schedule cron repeat skills workdir model",
    verbs: "schedule",
    object: "job cron task reminder",
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
  // What a child does is judged when it does it; what it is told to do, when it is told.
  {
    canonical: "delegate_task",
    names: "delegate_task task agent spawn_agent",
    stored: "goal prompt instructions task message context query",
  },
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
  {
    canonical: "manage_connections",
    names: "manage_connections",
    risks: ["CREDENTIAL", "EXTERNAL_WRITE"],
    items: "name connection service provider",
  },

  // People and services
  {
    canonical: "send_message",
    names: "send_message",
    items: "emoji message_id",
    wording: messageService,
    also: messageOf,
  },
  { canonical: "sendmessage", names: "sendmessage" },
  {
    canonical: "direct_message",
    names: "yb_send_dm yb_send_sticker feishu_drive_add_comment feishu_drive_reply_comment",
    risks: ["COMMUNICATION"],
    recipients: "user_id name chat_id",
    channels: "group_code",
    items: "file_token comment_id sticker reply_to",
  },
  {
    canonical: "directory",
    names:
      "yb_query_group_info yb_query_group_members yb_search_sticker feishu_doc_read feishu_drive_list_comments feishu_drive_list_comment_replies ha_list_entities ha_get_state ha_list_services kanban_show kanban_list",
  },
  {
    canonical: "discord",
    names: "discord discord_admin",
    members: "user_id",
    channels: "channel_id thread_id",
    items: "guild_id message_id role_id name query reason",
    also: discord,
  },
  {
    canonical: "ha_call_service",
    names: "ha_call_service",
    risks: ["EXTERNAL_WRITE"],
    items: "domain service entity_id data temperature brightness color value option",
    wording: homeService,
  },
  {
    canonical: "kanban",
    names:
      "kanban_create kanban_comment kanban_complete kanban_block kanban_unblock kanban_link kanban_heartbeat kanban_request_review kanban_request_changes kanban_attach kanban_attach_url kanban_attachments kanban_apply_expert_repair_plan kanban_apply_plan_audit_actuation kanban_create_worker_escalation kanban_record_plan_audit_verdict",
    risks: ["EXTERNAL_WRITE"],
    urls: "url",
    stored: "body description instructions prompt comment content message",
    items:
      "task_id root_task_id worker_task_id executor_task_id title assignee parent_id child_id board priority project status kind approved created_cards artifacts",
    service: "kanban",
  },
  {
    canonical: "computer_use",
    names: "computer_use",
    items: "app text keys value element",
    object: "computer screen",
    also: (reading) => byAction(reading, /^(?:capture|list_apps|wait)$/, ["EXECUTE"], ""),
  },
  {
    canonical: "spotify",
    names:
      "spotify_library spotify_playback spotify_playlists spotify_search spotify_queue spotify_devices spotify_albums",
    items: "uri uris id ids playlist_id name context type query device_id volume_percent",
    also: spotify,
  },
];
