import { defined } from "@assay/contract";
import { type Bundle, type CleanFiles, readBundle, type Secret } from "@assay/evidence";
import type { ReportedRun } from "@assay/report";
import { changeBetween, type RunChange, type RunResult } from "@assay/results";
import {
  bundleNotes,
  judgeBundle,
  type JudgedSearches,
  type OnJudgeProgress,
  type OtherThread,
  type StreamArrival,
} from "@assay/runner";
import type { UnrenderedFile } from "../rendered-files.ts";
import type { JudgedRun } from "../result-files.ts";
import { removeLeaks } from "./remove-leaks.ts";

/** The result of judging a run. */
export interface JudgingFacts {
  readonly result: RunResult;
  /** Changes since the baseline, if there is one. */
  readonly change?: RunChange;
  /** Notes about the evidence. */
  readonly notes: readonly string[];
  /** Whether the recording is complete, even if the process ended before judging. */
  readonly isFinished: boolean;
}

/** The written results of a run. */
export interface WrittenRun {
  /** The run with its figures, if they could be made. */
  readonly run: ReportedRun;
  readonly unrendered: readonly UnrenderedFile[];
}

/** The steps after recording, in this order. The duration of each step grows with the evidence. */
export interface RunResults {
  /** Reads the evidence and judges it. */
  judge(): Promise<JudgingFacts>;
  /** Writes the result files. Rejects with a disk error code. */
  write(): Promise<WrittenRun>;
  /** Removes each file of the run that contains a secret, and returns their names. Skips files in `clean`. */
  removeLeaks(secrets: readonly Secret[], cleanFiles?: CleanFiles): Promise<readonly string[]>;
  /** Stops a running step. Files that it has not written yet are not written. */
  close(): Promise<void>;
}

/** A run with complete evidence. */
export interface RecordedRun {
  readonly folder: string;
  /** Baseline of the comparison. */
  readonly baseline?: RunResult;
  /** Whether passed rules are confirmed with altered responses. Default: as recorded in the run. */
  readonly confirmsPasses?: boolean;
  /** Folder for the results. Default: `folder`. */
  readonly out?: string;
  readonly onProgress?: OnJudgeProgress;
  /** Judges a part of the run in another thread. Default: this thread judges everything. */
  readonly judgeInOtherThread?: () => OtherThread;
  /** The searches, if they were judged while the run sent its last calls. */
  readonly judgedSearches?: Promise<JudgedSearches | undefined>;
}

/** Runs the steps in the calling thread, which blocks it. */
export function openResultsInThisThread({
  folder,
  baseline,
  confirmsPasses,
  out = folder,
  onProgress,
  judgeInOtherThread,
  judgedSearches,
}: RecordedRun): RunResults {
  let bundle: Bundle | undefined;
  let judgedRun: JudgedRun | undefined;
  return {
    async judge() {
      const otherThread = judgeInOtherThread?.();
      const searches = await judgedSearches;
      bundle = await readBundle(folder);
      const arrivals = new Map<string, StreamArrival>();
      const options = defined({ confirmsPasses, onProgress, otherThread, judgedSearches: searches });
      const result = await judgeBundle(bundle, { ...options, arrivals });
      const facts = {
        result,
        ...(baseline === undefined ? {} : { change: changeBetween(baseline, result) }),
        notes: bundleNotes(bundle),
        isFinished: bundle.footer !== undefined,
      };
      judgedRun = { ...facts, bundle, arrivals };
      return facts;
    },
    async write() {
      if (judgedRun === undefined) {
        throw new Error("a run is judged before its results are written");
      }
      // Loaded here, because a thread that only judges a part of a run does not need it.
      const { createLazyFigures, toReportedRun, writeResultFiles } = await import("../result-files.ts");
      const figures = createLazyFigures(judgedRun);
      const unrendered = await writeResultFiles(out, judgedRun, figures);
      return { run: toReportedRun(judgedRun, figures), unrendered };
    },
    removeLeaks: (secrets, cleanFiles) => removeLeaks(folder, secrets, cleanFiles),
    close: () => Promise.resolve(),
  };
}
