ALTER TABLE `organizations` ADD `tool_table` text DEFAULT '{"tools":[]}' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `tool_table_version` integer DEFAULT 0 NOT NULL;