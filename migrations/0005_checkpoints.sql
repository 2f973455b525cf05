CREATE TABLE `checkpoints` (
	`organization_id` text NOT NULL,
	`number` integer NOT NULL,
	`tree_size` integer NOT NULL,
	`root` text NOT NULL,
	`note` text NOT NULL,
	`at` integer NOT NULL,
	`prev` text,
	`ledger_seq` integer,
	PRIMARY KEY(`organization_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `drift_rounds` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`leaf_index` integer DEFAULT 0 NOT NULL,
	`checkpoint` integer DEFAULT 1 NOT NULL,
	`ran_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `drift_rounds_by_time` ON `drift_rounds` (`ran_at`);--> statement-breakpoint
CREATE TABLE `heads` (
	`organization_id` text NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL,
	`at` integer NOT NULL,
	`news_seq` integer NOT NULL,
	`sealed_seq` integer DEFAULT 0 NOT NULL,
	`checked_seq` integer DEFAULT 0 NOT NULL,
	`checked_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `chain`)
);
--> statement-breakpoint
CREATE INDEX `heads_unsealed` ON `heads` (`organization_id`,`chain`) WHERE seq > sealed_seq;--> statement-breakpoint
CREATE INDEX `heads_moved` ON `heads` (`organization_id`) WHERE news_seq > sealed_seq;--> statement-breakpoint
CREATE INDEX `heads_by_check` ON `heads` (`organization_id`,`checked_at`);--> statement-breakpoint
CREATE TABLE `log_leaves` (
	`organization_id` text NOT NULL,
	`leaf_index` integer NOT NULL,
	`chain` text NOT NULL,
	`seq` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`organization_id`, `leaf_index`)
);
--> statement-breakpoint
CREATE INDEX `log_leaves_by_chain` ON `log_leaves` (`organization_id`,`chain`,`seq`);--> statement-breakpoint
CREATE TABLE `log_nodes` (
	`organization_id` text NOT NULL,
	`level` integer NOT NULL,
	`node_index` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`organization_id`, `level`, `node_index`)
);
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`organization_id` text NOT NULL,
	`key_id` text NOT NULL,
	`vkey` text NOT NULL,
	`sealed` text NOT NULL,
	`valid_from` integer NOT NULL,
	`valid_until` integer,
	`changed_seq` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `key_id`)
);
--> statement-breakpoint
CREATE INDEX `records_by_decision` ON `records` (`organization_id`,body ->> 'id') WHERE kind = 'decision';--> statement-breakpoint
-- Chains that were begun before this stand where their newest record does.
INSERT INTO `heads` (`organization_id`, `chain`, `seq`, `hash`, `at`, `news_seq`)
SELECT `organization_id`, `chain`, max(`seq`), `hash`, `at`, max(`seq`) FROM `records` GROUP BY `organization_id`, `chain`;
