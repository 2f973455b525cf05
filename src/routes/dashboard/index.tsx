/** The pages for people. Each resource has its routes in one file and what it shows in another. */
import { newRouter } from "../../http/router.ts";
import { agentPages } from "./agents.tsx";
import { anchorPages } from "./anchors.tsx";
import { approvalPages } from "./approvals.tsx";
import { assets } from "./assets/index.ts";
import { channelPages } from "./channels.tsx";
import { checkPages } from "./check.tsx";
import { decisionPages } from "./decisions.tsx";
import { evidencePages } from "./evidence.tsx";
import { memberPages } from "./members.tsx";
import { oathPages } from "./oath.tsx";
import { passkeyPages } from "./passkeys.tsx";
import { readingPages } from "./reading.tsx";
import { recordPages } from "./record.tsx";
import { sessionPages } from "./session.tsx";
import { settingsPages } from "./settings.tsx";
import { skillPages } from "./skills.tsx";
import { toolPages } from "./tools.tsx";

export const dashboard = newRouter();
dashboard.route("/", assets); //        /assets, /favicon.svg
dashboard.route("/", decisionPages); // /, /decisions/latest, /decision
dashboard.route("/", approvalPages); // /approvals, /approvals/report, /approvals/:approval
dashboard.route("/", sessionPages); //  /session
dashboard.route("/", evidencePages); // /evidence
dashboard.route("/", checkPages); //    /evidence/check
dashboard.route("/", oathPages); //     /oath
dashboard.route("/", toolPages); //     /tools
dashboard.route("/", readingPages); //  /tools/reading
dashboard.route("/", agentPages); //    /agents, /agents/:agent, /agents/:agent/keys
dashboard.route("/", skillPages); //    /agents/:agent/skills, /agents/:agent/skill
dashboard.route("/", memberPages); //   /members
dashboard.route("/", passkeyPages); //  /passkeys
dashboard.route("/", channelPages); //  /channels, /channels/new/:kind, /channels/:channel
dashboard.route("/", recordPages); //   /record, /record/checkpoint, /record/receipt
dashboard.route("/", anchorPages); //   /anchors, /anchors/settings, /anchors/:anchor
dashboard.route("/", settingsPages); // /settings, /settings/compiler, /settings/purge
