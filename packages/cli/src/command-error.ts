import { harnessErrors, isHarnessError } from "@assay/contract";
import { inspect } from "node:util";
import { visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";

/** What the user is told about an error, and how the process ends. */
export interface ShownError {
  readonly sentence: string;
  readonly exitCode: number;
  /** Where a bug is, in lines, when the user asked for it. */
  readonly trace?: string;
}

const shownTrace = (text: string): string =>
  text
    .split("\n")
    .map((line) => `${visibleText(line, 300)}\n`)
    .join("");

/** Too many open files are no bug: somebody allows too few. */
const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");

/** One sentence and the documented exit code for anything that was thrown; what nobody foresaw is a bug of the harness. `hasCode` puts the code of an error first, for programs. */
export function shownError(error: unknown, env: NodeJS.ProcessEnv, hasCode = false): ShownError {
  if (isHarnessError(error)) {
    return { sentence: hasCode ? error.message : error.sentence, exitCode: exitCodeOf(harnessErrors[error.code]) };
  }
  if (isOutOfFiles(error)) {
    const sentence = "too many files are open; allow more, such as with `ulimit -n 1024`";
    return { sentence, exitCode: exitCodeOf("usage-error") };
  }
  const text = typeof error === "string" ? error : inspect(error, { depth: 0 });
  const what = error instanceof Error ? `${error.name}: ${error.message}` : text;
  const sentence = `this is a bug in assay: ${what}; set ASSAY_DEBUG=1 to see where, and please report it`;
  const exitCode = exitCodeOf("harness-error");
  return env["ASSAY_DEBUG"] === undefined ? { sentence, exitCode } : { sentence, exitCode, trace: shownTrace(text) };
}
