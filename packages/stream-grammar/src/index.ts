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
