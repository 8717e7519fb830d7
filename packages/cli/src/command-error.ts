import { harnessErrors, isHarnessError } from "@assay/contract";
import { inspect } from "node:util";
import { visibleText } from "@assay/evidence";
import { type ExitCode, exitCodeOf } from "@assay/results";

/** The message and exit code for an error. */
export interface ErrorDescription {
  readonly message: string;
  readonly exitCode: ExitCode;
  /** Stack trace of a bug, if the user requested it. */
  readonly trace?: string;
}

const formatTrace = (text: string): string =>
  text
    .split("\n")
    .map((line) => `${visibleText(line, 300)}\n`)
    .join("");

/** EMFILE and ENFILE mean that the limit on open files is too low; they are not bugs. */
const isOpenFileLimitError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");

/**
 * Returns a message and exit code for any thrown value. Values other than `HarnessError` are treated as bugs. If `showsCode` is set, the
 * message starts with the error code, for programs.
 */
export function describeError(error: unknown, env: NodeJS.ProcessEnv, showsCode = false): ErrorDescription {
  if (isHarnessError(error)) {
    return { message: showsCode ? error.message : error.sentence, exitCode: exitCodeOf(harnessErrors[error.code]) };
  }
  if (isOpenFileLimitError(error)) {
    const message = "too many open files; raise the limit, for example with `ulimit -n 1024`";
    return { message, exitCode: exitCodeOf("usage-error") };
  }
  const text = typeof error === "string" ? error : inspect(error, { depth: 0 });
  const description = error instanceof Error ? `${error.name}: ${error.message}` : text;
  const message = `this is a bug in assay: ${description}; set ASSAY_DEBUG=1 for a stack trace, and please report it`;
  const exitCode = exitCodeOf("harness-error");
  return env["ASSAY_DEBUG"] === undefined ? { message, exitCode } : { message, exitCode, trace: formatTrace(text) };
}
