export { findAnswerGroup, isSuccessWithoutStream } from "./judge/answer-group.ts";
export { ApiWatch, isNotFromApi } from "./judge/root-reason.ts";
export { createPace } from "./drive/pace.ts";
export type { Pace } from "./drive/pace.ts";
export {
  createContractDriver,
  documentTimeoutMs,
  createInvalidToken,
  selectMainCredential,
  runContract,
  wait,
} from "./run-contract.ts";
export type { ContractDriver, ContractOptions, ContractTarget } from "./run-contract.ts";
export { driveRun } from "./drive/drive-run.ts";
export type { DriveListener, DriveOptions, ReasonToStop, SearchRequest, SendSearch } from "./drive/drive-run.ts";
export { catalogueDigest, openApiDigest } from "./judge/catalogue-digest.ts";
export { crossJudge } from "./judge/cross-judge.ts";
export type { CrossRow } from "./judge/cross-judge.ts";
export { explainRule } from "./judge/explain-rule.ts";
export {
  bundleNotes,
  judgeBundle,
  judgeBundleCalls,
  judgeBundleSearches,
  judgeBundleShare,
} from "./judge/judge-bundle.ts";
export { judgeExchanges } from "./judge/judge-exchanges.ts";
export type { JudgedSearches, JudgeInput, OtherThread } from "./judge/judge-exchanges.ts";
export { createLoadJudge, judgeLoad } from "./load-judge/load-judge.ts";
export type { ExchangeCount, LoadJudge, LoadToJudge, UnloadedExchanges } from "./load-judge/load-judge.ts";
export type { JudgeProgress, OnJudgeProgress } from "./judge/judge-progress.ts";
export type { JudgeSettings } from "./judge/judge-settings.ts";
export { findServedApi } from "./judge/served-api.ts";
export type { ServedApi } from "./judge/served-api.ts";
export { createExchangeFromBytes } from "./judge/exchange-from-bytes.ts";
export type { ResponseHead } from "./judge/exchange-from-bytes.ts";
export { acceptInList, listsFailure } from "./known-failures/accept-in-list.ts";
export { applyKnownFailureLists } from "./known-failures/apply-known-failures.ts";
export { knownFailureList } from "./known-failures/known-failure-list.ts";
export { isDate } from "./known-failures/parse-known-failures.ts";
export { findKnownCodes, type KnownLoadFailures, findMistakesInLoad } from "./known-failures/known-load-failures.ts";
export {
  isShippedListName,
  shippedKnownFailuresText,
  shippedListNames,
} from "./known-failures/shipped-known-failures.ts";
export { nearestName } from "@assay/contract";
export { ruleExample } from "./rule-example.ts";
export { estimateProbeCount, estimateRequests, estimateSeconds } from "./plan/estimate-requests.ts";
export { describePlanCoverage } from "./plan/plan-coverage.ts";
export type { Probe } from "./plan/probe.ts";
export { getProfile, profileNames } from "./plan/profiles.ts";
export type { Profile, ProfileName } from "./plan/profiles.ts";
export {
  findProfile,
  testsInterfaces,
  judgedInterfaces,
  limitToVersion,
  selectRules,
  limitToInterfaces,
  excludeRules,
  limitToTags,
} from "./plan/select-rules.ts";
export type { JudgedInterface, Selection } from "./plan/select-rules.ts";
export { defaultQuery, planProbes } from "./plan/stream-probes.ts";
export type { ProbePlan } from "./plan/stream-probes.ts";
export { cleanUp } from "./converse/clean-up.ts";
export type { CleanUpResult, CleanUpOptions, RemainingItem } from "./converse/clean-up.ts";
export type { ConverseListener, SendCall } from "./converse/caller.ts";
export { conversationLimitNames, conversationLimits } from "./converse/conversation-limits.ts";
export type { ConversationLimitName, ConversationLimits } from "./converse/conversation-limits.ts";
export { converse } from "./converse/converse.ts";
export type { ConverseEnd, ConverseOptions } from "./converse/converse.ts";
export { conversationInterfaces } from "./converse/dialect.ts";
export type { ConversationInterface } from "./converse/dialect.ts";
export { fetchApiReference } from "./converse/fetch-api-reference.ts";
export { ledgerFile, openLedger, readLedger } from "./converse/ledger.ts";
export type { Ledger, LedgerEntry } from "./converse/ledger.ts";
export { createRateLimit } from "./converse/rate-limit.ts";
export type { CallerStop, Wait } from "./converse/caller.ts";
export type { ConversationProbe } from "./converse/conversation-probe.ts";
export type { SkippedProbe } from "./converse/drive-context.ts";
export { createTimelines } from "./timelines/create-timelines.ts";
export type { StreamArrival, StreamArrivals } from "./timelines/stream-arrival.ts";
export { diagnose } from "./doctor/diagnose.ts";
export type { DiagnoseSettings } from "./doctor/diagnose.ts";
export type { DoctorEvidence } from "./doctor/doctor-evidence.ts";
export { runDoctorProbes } from "./doctor/drive-doctor.ts";
export type { DoctorOptions } from "./doctor/drive-doctor.ts";
export { mergeFooters } from "./run-footer.ts";
