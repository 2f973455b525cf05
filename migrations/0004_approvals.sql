CREATE TABLE `approvals` (
	`organization_id` text NOT NULL,
	`approval_id` text NOT NULL,
	`root_id` text NOT NULL,
	`session_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`call_id` text NOT NULL,
	`tool` text NOT NULL,
	`action_digest` text NOT NULL,
	`risks` text NOT NULL,
	`rule_keys` text NOT NULL,
	`people` integer NOT NULL,
	`status` text NOT NULL,
	`grant_status` text,
	`opened_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`via` text,
	`edit_of` text,
	`replaced_by` text,
	`changed_seq` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `approval_id`)
);
--> statement-breakpoint
CREATE INDEX `approvals_by_time` ON `approvals` (`organization_id`,`opened_at`);--> statement-breakpoint
CREATE INDEX `approvals_by_status` ON `approvals` (`organization_id`,`status`,`opened_at`);--> statement-breakpoint
CREATE TABLE `channels` (
	`organization_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`member_id` text,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`events` text NOT NULL,
	`target` text NOT NULL,
	`shown` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`changed_seq` integer NOT NULL,
	`last_sent_at` integer,
	`last_failed_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_failure` text,
	PRIMARY KEY(`organization_id`, `channel_id`)
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`organization_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`member_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`changed_seq` integer NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`organization_id`, `credential_id`)
);
--> statement-breakpoint
CREATE INDEX `passkeys_by_member` ON `passkeys` (`organization_id`,`member_id`);