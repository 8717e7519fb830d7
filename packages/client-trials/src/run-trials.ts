import { HarnessError } from "@assay/contract";
import { driveTrial, type TrialSettings } from "./drive-trial.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

/** Options of `runTrials`. */
export interface RunTrialsOptions extends TrialSettings {
  readonly trials: readonly Trial[];
  /** Number of parallel trials. */
  readonly parallel: number;
  /** Reports whether to start no more trials. Called before each trial. Default: never stops. */
  readonly shouldStop?: () => boolean;
  /** Called with each record in order of completion. */
  readonly onFinished: (trial: Trial, record: TrialRecord) => void;
}

/** A trial and its record. */
export interface CompletedTrial {
  readonly trial: Trial;
  readonly record: TrialRecord;
}

/**
 * Runs a client through trials, several in parallel. Returns the records of completed trials in trial order, without trials that were
 * interrupted or never started. Throws a `HarnessError` if the client cannot start.
 */
export const runTrials = async (run: RunTrialsOptions): Promise<readonly CompletedTrial[]> => {
  const pendingTrials = run.trials.entries();
  const failureController = new AbortController();
  const signal = AbortSignal.any([run.signal, failureController.signal]);
  const finishedTrials: (CompletedTrial | undefined)[] = [];
  const runPending = async (): Promise<void> => {
    for (const [index, trial] of pendingTrials) {
      if (signal.aborted || run.shouldStop?.() === true) {
        return;
      }
      const record = await driveTrial(trial, { ...run, signal });
      if (record.end.kind !== "killed" || record.end.why !== "interrupted") {
        finishedTrials[index] = { trial, record };
        run.onFinished(trial, record);
      }
    }
  };
  const workers = Array.from({ length: run.parallel }, () =>
    runPending().catch((error: unknown) => {
      // Stops the others: the client cannot be started.
      failureController.abort();
      throw error;
    }),
  );
  const results = await Promise.allSettled(workers);
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    throw failure.reason instanceof Error
      ? failure.reason
      : new HarnessError("client-not-started", String(failure.reason));
  }
  return finishedTrials.filter((trial) => trial !== undefined);
};
