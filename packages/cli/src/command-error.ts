import { harnessErrors, isHarnessError } from "@assay/contract";
import { inspect } from "node:util";
import { visibleText } from "@assay/evidence";
import { type ExitCode, exitCodeOf } from "@assay/results";

/** The message about an error, and the exit code. */
export interface ShownError {
  readonly sentence: string;
  readonly exitCode: ExitCode;
  /** Stack trace of a bug, if the user asked for it. */
  readonly trace?: string;
}

const shownTrace = (text: string): string =>
  text
    .split("\n")
    .map((line) => `${visibleText(line, 300)}\n`)
    .join("");

/** Too many open files are not a bug: the limit of the system is too low. */
const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");

/** One sentence and the documented exit code for any thrown value. Unexpected ones are bugs of the harness. `hasCode` puts the error code first, for programs. */
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
