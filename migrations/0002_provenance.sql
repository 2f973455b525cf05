CREATE TABLE `evidence` (
	`organization_id` text NOT NULL,
	`evidence_id` integer PRIMARY KEY NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`n` integer NOT NULL,
	`at` integer NOT NULL,
	`session_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`call_id` text NOT NULL,
	`tool` text NOT NULL,
	`target` text NOT NULL,
	`claim` text,
	`quote` text,
	`msg_id` text,
	`matched_in` text,
	`sender_id` text,
	`role` text NOT NULL,
	`condition` text NOT NULL,
	`verdict` text NOT NULL,
	`reason` text,
	`indexed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `evidence_by_claim` ON `evidence` (`organization_id`,`chain`,`seq`,`n`);--> statement-breakpoint
CREATE INDEX `evidence_by_time` ON `evidence` (`organization_id`,`at`);--> statement-breakpoint
CREATE INDEX `evidence_by_agent` ON `evidence` (`organization_id`,`agent_id`,`at`);--> statement-breakpoint
CREATE INDEX `evidence_by_session` ON `evidence` (`organization_id`,`session_id`,`at`);--> statement-breakpoint
CREATE TABLE `said` (
	`organization_id` text NOT NULL,
	`said_id` integer PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`session_id` text NOT NULL,
	`message_id` text NOT NULL,
	`at` integer NOT NULL,
	`sender_id` text,
	`text` text NOT NULL,
	`searchable` text NOT NULL,
	`indexed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `said_by_turn` ON `said` (`organization_id`,`chain`,`seq`);--> statement-breakpoint
CREATE INDEX `said_by_time` ON `said` (`organization_id`,`at`);--> statement-breakpoint
CREATE TABLE `search_scopes` (
	`organization_id` text NOT NULL,
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_scopes_by_name` ON `search_scopes` (`organization_id`,`scope`);--> statement-breakpoint
CREATE TABLE `skill_writes` (
	`organization_id` text NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`session_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`call_id` text NOT NULL,
	`skill` text NOT NULL,
	`file` text NOT NULL,
	`action` text NOT NULL,
	`before_sha256` text,
	`after_sha256` text,
	`verdict` text NOT NULL,
	`outcome` text,
	PRIMARY KEY(`organization_id`, `chain`, `seq`)
);
--> statement-breakpoint
CREATE INDEX `skill_writes_by_skill` ON `skill_writes` (`organization_id`,`agent_id`,`skill`,`at`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `purged_before` integer DEFAULT 0 NOT NULL;