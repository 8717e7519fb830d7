/** What may go wrong before k6 makes any load. */
export type K6ErrorCode =
  | "no-k6"
  | "broken-k6"
  | "old-k6"
  | "no-module"
  | "bad-script"
  | "script-hangs"
  | "not-started";

/** The ways to get a k6, for messages. */
export const waysToK6 =
  "set ASSAY_K6 to its path, build it with `npm run k6:build` (needs Go), or put a k6 of version 2 on the PATH";

/** k6, or a script for it, cannot be used; the message is one sentence that says what to do. */
export class K6Error extends Error {
  override readonly name = "K6Error";
  readonly code: K6ErrorCode;

  constructor(code: K6ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
