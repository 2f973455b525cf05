CREATE TABLE `retention` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`before` integer NOT NULL,
	`clean_before` integer DEFAULT 0 NOT NULL,
	`cursor` text,
	`ran_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `retention_undone` ON `retention` (`ran_at`) WHERE cursor IS NOT NULL;--> statement-breakpoint
ALTER TABLE `heads` ADD `forgotten_before` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `heads` ADD `removed_at` integer;--> statement-breakpoint
CREATE INDEX `heads_present` ON `heads` (`organization_id`,`at`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `skill_writes_by_time` ON `skill_writes` (`organization_id`,`at`);