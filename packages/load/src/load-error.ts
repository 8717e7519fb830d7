/** What may go wrong with stored load runs. */
export type LoadErrorCode =
  | "unreadable-samples"
  | "unreadable-summary"
  | "unreadable-result"
  | "bad-threshold"
  | "nothing-to-merge"
  | "merged-twice"
  | "different-scenario"
  | "different-target"
  | "different-plan";

/** A load run, or a wish about one, that cannot be used; the message is one sentence for the person who asked. */
export class LoadError extends Error {
  override readonly name = "LoadError";
  readonly code: LoadErrorCode;

  constructor(code: LoadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
