export { driveRun } from "./drive/drive-run.ts";
export type { DriveListener, DriveOptions, SearchRequest, SendSearch } from "./drive/drive-run.ts";
export { catalogueDigest, openApiDigest } from "./judge/catalogue-digest.ts";
export { bundleNotes, judgeBundle } from "./judge/judge-bundle.ts";
export { judgeExchanges } from "./judge/judge-exchanges.ts";
export type { JudgeInput } from "./judge/judge-exchanges.ts";
export type { JudgeSettings } from "./judge/judge-settings.ts";
export { exchangeOfBytes } from "./judge/exchange-of-bytes.ts";
export { knownFailureList } from "./known-failures/known-failure-list.ts";
export {
  isShippedListName,
  shippedKnownFailuresText,
  shippedListNames,
} from "./known-failures/shipped-known-failures.ts";
export { nearestName } from "./plan/nearest-name.ts";
export type { Probe } from "./plan/probe.ts";
export { profileNamed, profileNames } from "./plan/profiles.ts";
export type { Profile, ProfileName } from "./plan/profiles.ts";
export { findProfile, selectRules } from "./plan/select-rules.ts";
export type { Selection } from "./plan/select-rules.ts";
export { defaultQuery, probesFor } from "./plan/stream-probes.ts";
export type { ProbePlan } from "./plan/stream-probes.ts";
export { RunnerError } from "./runner-error.ts";
export type { RunnerErrorCode } from "./runner-error.ts";
