export * from "./bytes.ts";
export * from "./canonical.ts";
export * from "./chain.ts";
export * from "./merkle.ts";
export * from "./verify.ts";
