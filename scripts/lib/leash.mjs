/** Loaded into wrangler's process: whoever started it holds the other end, and when they are gone it goes too. */
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
