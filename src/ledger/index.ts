export * from "./bytes.ts";
export * from "./canonical.ts";
export * from "./chain.ts";
export * from "./checkpoint.ts";
export * from "./merkle.ts";
export * from "./note.ts";
export * from "./verify.ts";
