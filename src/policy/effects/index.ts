export { effectsOf } from "./read.ts";
