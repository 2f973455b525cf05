-- Words of what users typed, and of evidence: contentless, so that a text stands in one place only and goes with its row.
CREATE VIRTUAL TABLE `said_search` USING fts5(`words`, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
--> statement-breakpoint
CREATE TRIGGER `said_removed` AFTER DELETE ON `said` BEGIN
	DELETE FROM `said_search` WHERE rowid = old.`said_id`;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `evidence_search` USING fts5(`words`, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
--> statement-breakpoint
CREATE TRIGGER `evidence_removed` AFTER DELETE ON `evidence` BEGIN
	DELETE FROM `evidence_search` WHERE rowid = old.`evidence_id`;
END;
