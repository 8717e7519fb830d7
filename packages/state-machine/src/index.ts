export { createHistoryChecker } from "./history-checker.ts";
export type { HistoryChecker, HistoryCheckerOptions } from "./history-checker.ts";
export { historyCodes } from "./history-report.ts";
export type { HistoryCode, HistoryFinding, HistoryReport, FindingWitness as Seen } from "./history-report.ts";
export { instantOf } from "./instant.ts";
export type { QuestionSnapshot, Read, Snapshot, Write } from "./observation.ts";
