CREATE TABLE `agents` (
	`organization_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`name` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_seq` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `agent_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_by_name` ON `agents` (`organization_id`,`name`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`organization_id` text NOT NULL,
	`key_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`changed_seq` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `key_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_id` ON `api_keys` (`key_id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_agent` ON `api_keys` (`organization_id`,`agent_id`);--> statement-breakpoint
CREATE TABLE `member_sessions` (
	`organization_id` text NOT NULL,
	`member_session_id` text NOT NULL,
	`member_id` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`organization_id`, `member_session_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `member_sessions_by_id` ON `member_sessions` (`member_session_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`organization_id` text NOT NULL,
	`member_id` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`changed_seq` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `member_id`)
);
--> statement-breakpoint
CREATE TABLE `oath_versions` (
	`organization_id` text NOT NULL,
	`oath` text NOT NULL,
	`version` integer NOT NULL,
	`text` text NOT NULL,
	`sworn_by` text NOT NULL,
	`sworn_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `oath`, `version`)
);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`policy_version` integer NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `records` (
	`organization_id` text NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`session_id` text,
	`agent_id` text,
	`outcome` text,
	`tool` text,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`private` text,
	`salt` text,
	PRIMARY KEY(`organization_id`, `chain`, `seq`)
);
--> statement-breakpoint
CREATE INDEX `records_by_kind` ON `records` (`organization_id`,`kind`,`at`);--> statement-breakpoint
CREATE INDEX `records_by_agent` ON `records` (`organization_id`,`agent_id`,`at`);--> statement-breakpoint
CREATE INDEX `records_by_session` ON `records` (`organization_id`,`session_id`,`at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`organization_id` text NOT NULL,
	`session_id` text NOT NULL,
	`root_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`relation` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `session_id`)
);
--> statement-breakpoint
CREATE INDEX `sessions_by_time` ON `sessions` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`organization_id` text NOT NULL,
	`link_id` text NOT NULL,
	`member_id` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`organization_id`, `link_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_links_by_id` ON `sign_in_links` (`link_id`);