import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "@assay/results";

/** The verdict in each file of a run; undefined for a missing file. */
export interface WrittenVerdicts {
  readonly result: RunResult | undefined;
  /** Whether a reader of JUnit files sees a failure or an error. */
  readonly isRedInJunit: boolean | undefined;
  /** The exit code that the summary tells. */
  readonly exitCodeInSummary: number | undefined;
}

const textOf = (folder: string, name: string): string | undefined => {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

const parsed = (text: string | undefined): RunResult | undefined => (text === undefined ? undefined : JSON.parse(text));

/** Reads the files of a run. Fails when one of them was cut off. */
export function writtenVerdicts(folder: string): WrittenVerdicts {
  const junit = textOf(folder, "junit.xml");
  const code = /exit code (\d+)/u.exec(textOf(folder, "summary.md") ?? "")?.[1];
  return {
    result: parsed(textOf(folder, "verdicts.json")),
    isRedInJunit: junit === undefined ? undefined : /<(?:failure|error)[ >]/u.test(junit),
    exitCodeInSummary: code === undefined ? undefined : Number(code),
  };
}

/** Whether any file shows a passed run. */
export const showsSuccess = ({ result, isRedInJunit, exitCodeInSummary }: WrittenVerdicts): boolean =>
  result?.outcome === "passed" || isRedInJunit === false || exitCodeInSummary === 0;
