-- Contentless, so that a text stands in one place only and goes with its row. Terms are hashes: `said_search` holds those of
-- pairs of neighbouring words, since single ones are in too many messages for a quote to be found by. Where each stands
-- is not kept, since whatever holds the pairs is compared as a whole.
CREATE VIRTUAL TABLE `said_search` USING fts5(`pairs`, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
--> statement-breakpoint
CREATE TRIGGER `said_removed` AFTER DELETE ON `said` BEGIN
	DELETE FROM `said_search` WHERE rowid = old.`said_id`;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `evidence_search` USING fts5(`words`, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
--> statement-breakpoint
CREATE TRIGGER `evidence_removed` AFTER DELETE ON `evidence` BEGIN
	DELETE FROM `evidence_search` WHERE rowid = old.`evidence_id`;
END;
