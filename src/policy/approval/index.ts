/** Approvals: what may become of an ask, what it takes to answer one, and what a grant still answers for. */
export * from "./configuration.ts";
export * from "./findings.ts";
export * from "./machine.ts";
export * from "./means.ts";
export * from "./quiet.ts";
