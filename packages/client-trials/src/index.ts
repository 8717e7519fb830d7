export type { Check, CheckNeeds } from "./check.ts";
export { checks } from "./check-list.ts";
export { driveTrial, trialEnvironment, trialSeed, type TrialSurroundings } from "./drive-trial.ts";
export { judgeTrial, skippedStatus } from "./judge-trial.ts";
export { type RanTrial, runTrials, type TrialsRun } from "./run-trials.ts";
export { trialNames, trials } from "./trial-list.ts";
export type { ClientOutput, ElsewhereRequest, TrialRecord } from "./trial-record.ts";
export { makeTrialRepository, type TrialRepository } from "./trial-repository.ts";
export type { Trial, TrialEnding, TrialInterface, TrialTask } from "./trial.ts";
