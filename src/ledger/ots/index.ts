export { type Attestation, isCalendarUri } from "./attestation.ts";
export { checksOfProof, judgeAnchor, utcOf } from "./checks.ts";
export { type BlockHeader, fitsHeight, HEADER_BYTES, type ReadHeader, readHeader } from "./header.ts";
export * from "./judge.ts";
export { apply, type HashName, hashWith, MAX_MESSAGE_BYTES, type Operation } from "./operation.ts";
export * from "./timestamp.ts";
export type { Refusal, RefusalCode } from "./wire.ts";
