-- A purge writes these indexes anew itself, a part at a time. Left to themselves they would do it in the middle of a
-- delete once a tenth of a part is gone: seconds in which nothing else is answered.
INSERT INTO `said_search` (`said_search`, `rank`) VALUES ('deletemerge', 0);
--> statement-breakpoint
INSERT INTO `evidence_search` (`evidence_search`, `rank`) VALUES ('deletemerge', 0);
