import { HarnessError } from "@assay/contract";
import { driveTrial, type TrialSurroundings } from "./drive-trial.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

/** Options of `runTrials`. */
export interface TrialsRun extends TrialSurroundings {
  readonly trials: readonly Trial[];
  /** How many trials run at the same time. */
  readonly parallel: number;
  /** Whether no further trial is to begin; asked before each [never]. */
  readonly isEnough?: () => boolean;
  /** Told of each record, in the order in which the trials end. */
  readonly finished: (trial: Trial, record: TrialRecord) => void;
}

/** A trial with what it came to. */
export interface RanTrial {
  readonly trial: Trial;
  readonly record: TrialRecord;
}

/**
 * Has a client do trials, some at a time. Returns those that came to an end of their own, in the order of the trials; a trial
 * that an interrupt cut off is none of them, nor is one that did not begin. Fails with HarnessError when the client cannot be started.
 */
export const runTrials = async (run: TrialsRun): Promise<readonly RanTrial[]> => {
  const waiting = run.trials.entries();
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const ran: (RanTrial | undefined)[] = [];
  const work = async (): Promise<void> => {
    for (const [index, trial] of waiting) {
      if (signal.aborted || run.isEnough?.() === true) {
        return;
      }
      const record = await driveTrial(trial, { ...run, signal });
      if (record.end.kind !== "killed" || record.end.why !== "interrupted") {
        ran[index] = { trial, record };
        run.finished(trial, record);
      }
    }
  };
  const works = Array.from({ length: run.parallel }, () =>
    work().catch((error: unknown) => {
      // The others need not go on with a client that cannot be started.
      failed.abort();
      throw error;
    }),
  );
  const settled = await Promise.allSettled(works);
  const failure = settled.find((one) => one.status === "rejected");
  if (failure !== undefined) {
    throw failure.reason instanceof Error
      ? failure.reason
      : new HarnessError("client-not-started", String(failure.reason));
  }
  return ran.filter((one) => one !== undefined);
};
