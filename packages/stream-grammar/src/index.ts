export { createEventFramer } from "./event-framer.ts";
export type { Frame } from "./event-block.ts";
export { createBoundaryFinder } from "./incremental-array.ts";
export type { DataPart, DataReader } from "./incremental-array.ts";
export { nestsTooDeep } from "./nesting.ts";
export { createStreamChecker, defaultStreamLimits } from "./stream-checker.ts";
export type {
  GrammarFinding,
  StreamChecker,
  StreamCheckerOptions,
  StreamEvent,
  StreamLimits,
} from "./stream-checker.ts";
