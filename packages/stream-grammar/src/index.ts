export { createEventFramer } from "./event-framer.ts";
export type { EventFramer, EventFramerOptions } from "./event-framer.ts";
export type { BlockEvents, Departure, EndedBlock, Frame, Place } from "./event-block.ts";
export { nestsTooDeep } from "./nesting.ts";
export { createLineSplitter } from "./line-splitter.ts";
export type { Line, LineSplitter } from "./line-splitter.ts";
export { createStreamChecker, defaultStreamLimits } from "./stream-checker.ts";
export type {
  GrammarFinding,
  StreamChecker,
  StreamCheckerOptions,
  StreamEvent,
  StreamLimits,
} from "./stream-checker.ts";
