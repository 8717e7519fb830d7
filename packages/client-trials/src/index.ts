export { trialSeed } from "./drive-trial.ts";
export { judgeTrial } from "./judge-trial.ts";
export { type CompletedTrial, runTrials } from "./run-trials.ts";
export { trialNames, trials } from "./trial-list.ts";
export { createTrialRepository, type TrialRepository } from "./trial-repository.ts";
export type { Trial } from "./trial.ts";
