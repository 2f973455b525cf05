CREATE TABLE `anchors` (
	`organization_id` text NOT NULL,
	`anchor_id` text NOT NULL,
	`reference` text NOT NULL,
	`digest` text NOT NULL,
	`private` integer NOT NULL,
	`size` integer,
	`published_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	`changed_seq` integer NOT NULL,
	`state` text DEFAULT 'unsubmitted' NOT NULL,
	`proof` text,
	`headers` text DEFAULT '{}' NOT NULL,
	`next_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_failure` text,
	`revision` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `anchor_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `anchors_by_reference` ON `anchors` (`organization_id`,`reference`);--> statement-breakpoint
CREATE INDEX `anchors_by_digest` ON `anchors` (`organization_id`,`digest`);--> statement-breakpoint
CREATE INDEX `anchors_by_time` ON `anchors` (`organization_id`,`created_at`,`anchor_id`);--> statement-breakpoint
CREATE INDEX `anchors_due` ON `anchors` (`organization_id`,`next_at`) WHERE next_at IS NOT NULL;