/** What can go wrong with the plan of a run before anything is sent. */
export type RunnerErrorCode = "unknown-rule" | "unknown-profile" | "empty-selection";

/** A mistake of the user: the message says what, where and what next, and starts with the code. */
export class RunnerError extends Error {
  override readonly name = "RunnerError";
  readonly code: RunnerErrorCode;

  constructor(code: RunnerErrorCode, sentence: string) {
    super(`${code}: ${sentence}`);
    this.code = code;
  }
}
