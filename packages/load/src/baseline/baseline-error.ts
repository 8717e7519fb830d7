/** Closed codes of what can go wrong with a baseline. */
export const baselineErrorCodes = [
  "bad-name",
  "no-baseline",
  "no-runs",
  "not-a-load-result",
  "unsupported-schema",
  "unusable-run",
  "runs-differ",
  "not-a-baseline",
  "too-large",
  "unreadable",
] as const;
export type BaselineErrorCode = (typeof baselineErrorCodes)[number];

/** A baseline could not be kept or read; the message starts with the code and is one sentence that says what to do. */
export class BaselineError extends Error {
  override readonly name = "BaselineError";
  readonly code: BaselineErrorCode;

  constructor(code: BaselineErrorCode, sentence: string, options?: ErrorOptions) {
    super(`${code}: ${sentence}`, options);
    this.code = code;
  }
}
