import { HarnessError } from "@assay/contract";
import { driveTrial, type TrialSettings } from "./drive-trial.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

/** Options of `runTrials`. */
export interface TrialsRun extends TrialSettings {
  readonly trials: readonly Trial[];
  /** Number of parallel trials. */
  readonly parallel: number;
  /** Reports whether to start no more trials. Called before each trial [never]. */
  readonly isEnough?: () => boolean;
  /** Called with each record in order of completion. */
  readonly finished: (trial: Trial, record: TrialRecord) => void;
}

/** A trial and its record. */
export interface RanTrial {
  readonly trial: Trial;
  readonly record: TrialRecord;
}

/**
 * Runs a client through trials, several in parallel. Returns the records of completed trials in trial order, without trials that were
 * interrupted or never started. Throws a `HarnessError` if the client cannot start.
 */
export const runTrials = async (run: TrialsRun): Promise<readonly RanTrial[]> => {
  const waiting = run.trials.entries();
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const finishedTrials: (RanTrial | undefined)[] = [];
  const work = async (): Promise<void> => {
    for (const [index, trial] of waiting) {
      if (signal.aborted || run.isEnough?.() === true) {
        return;
      }
      const record = await driveTrial(trial, { ...run, signal });
      if (record.end.kind !== "killed" || record.end.why !== "interrupted") {
        finishedTrials[index] = { trial, record };
        run.finished(trial, record);
      }
    }
  };
  const works = Array.from({ length: run.parallel }, () =>
    work().catch((error: unknown) => {
      // Stops the others: the client cannot be started.
      failed.abort();
      throw error;
    }),
  );
  const settled = await Promise.allSettled(works);
  const failure = settled.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    throw failure.reason instanceof Error
      ? failure.reason
      : new HarnessError("client-not-started", String(failure.reason));
  }
  return finishedTrials.filter((trial) => trial !== undefined);
};
