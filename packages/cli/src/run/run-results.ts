import { defined } from "@assay/contract";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bundle, type CleanFiles, readBundle, scanForSecrets, type Secret } from "@assay/evidence";
import type { ReportedRun } from "@assay/report";
import { changeBetween, type RunChange, type RunResult } from "@assay/results";
import { bundleNotes, judgeBundle, type OnJudgeProgress } from "@assay/runner";
import type { UnrenderedFile } from "../rendered-files.ts";
import { figuresOf, type JudgedRun, reportedRun, writeResultFiles } from "../result-files.ts";

/** What a run came to. */
export interface JudgedFacts {
  readonly result: RunResult;
  /** Since the run it is compared with [with none]. */
  readonly change?: RunChange;
  /** What is to be said of the evidence, one sentence each. */
  readonly notes: readonly string[];
  /** Whether the recording was finished: a run may have been ended after that, before it was judged. */
  readonly isFinished: boolean;
}

/** What was written of a run. */
export interface WrittenRun {
  /** The run with its figures, where they can be made. */
  readonly run: ReportedRun;
  readonly unrendered: readonly UnrenderedFile[];
}

/** What is made of a run once everything is recorded, in this order. Each step may take as long as the evidence is large. */
export interface RunResults {
  /** Reads the evidence and judges it. */
  judge(): Promise<JudgedFacts>;
  /** Writes the files of the result. Fails with a code of the disk. */
  write(): Promise<WrittenRun>;
  /** Removes each file of the run in which a secret stands, and gives their names; what is known to be clean is not read again. */
  removeLeaks(secrets: readonly Secret[], clean?: CleanFiles): Promise<readonly string[]>;
  /** Ends a step that is at work; what it has not written by then is not written. */
  close(): Promise<void>;
}

/** A run whose evidence is whole. */
export interface RecordedRun {
  readonly folder: string;
  /** A run to compare with. */
  readonly before?: RunResult;
  /** Whether rules that hold are proven able to fail on this evidence [as the run was]. */
  readonly proves?: boolean;
  /** Where the results are written [the folder]. */
  readonly out?: string;
  readonly onProgress?: OnJudgeProgress;
}

/** Removes each file below a folder in which a secret stands, and gives their names. */
export async function removeLeaks(
  folder: string,
  secrets: readonly Secret[],
  clean: CleanFiles = new Map(),
): Promise<readonly string[]> {
  const hits = await scanForSecrets(folder, secrets, { clean });
  const files = [...new Set(hits.map(({ file }) => file))];
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
  return files;
}

/** The steps in the thread that asks for them: nothing else happens in it meanwhile. */
export function resultsHere({ folder, before, proves, out = folder, onProgress }: RecordedRun): RunResults {
  let bundle: Bundle | undefined;
  let judged: JudgedRun | undefined;
  return {
    async judge() {
      bundle = await readBundle(folder);
      const result = await judgeBundle(bundle, defined({ proves, onProgress }));
      const facts = {
        result,
        ...(before === undefined ? {} : { change: changeBetween(before, result) }),
        notes: bundleNotes(bundle),
        isFinished: bundle.footer !== undefined,
      };
      judged = { ...facts, bundle };
      return facts;
    },
    async write() {
      if (judged === undefined) {
        throw new Error("a run is judged before its results are written");
      }
      const figures = figuresOf(judged);
      const unrendered = await writeResultFiles(out, judged, figures);
      return { run: reportedRun(judged, figures), unrendered };
    },
    removeLeaks: (secrets, clean) => removeLeaks(folder, secrets, clean),
    close: () => Promise.resolve(),
  };
}
