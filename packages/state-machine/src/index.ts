export { createHistoryChecker, prepareHistoryCheckers } from "./history-checker.ts";
export { mergeHistoryReports } from "./history-report.ts";
export type { HistoryCode, HistoryFinding, HistoryReport } from "./history-report.ts";
export { parseInstant } from "./instant.ts";
export type { QuestionSnapshot, Read, ShownOutcome, Snapshot, Write } from "./observation.ts";
