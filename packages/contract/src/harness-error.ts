/**
 * The outcome of a command after an error: the call must be changed, there is no result, or the harness or its disk failed.
 */
export type HarnessErrorOutcome = "usage-error" | "incomplete" | "harness-error";

/** Codes of all errors that are not bugs, with the outcome of the command. */
export const harnessErrors = {
  // How a command was called.
  usage: "usage-error",
  unavailable: "incomplete",
  "client-not-started": "usage-error",
  // Settings of a client of the target; no request was sent.
  "bad-base-url": "usage-error",
  "bad-url": "usage-error",
  "bad-header": "usage-error",
  "bad-body": "usage-error",
  "bad-proxy": "usage-error",
  "bad-ca": "usage-error",
  "bad-client-certificate": "usage-error",
  "bad-credential": "usage-error",
  "token-source-failed": "usage-error",
  // The selection of rules.
  "unknown-rule": "usage-error",
  "unknown-profile": "usage-error",
  "empty-selection": "incomplete",
  // Evidence on disk. After a disk failure no other call succeeds.
  "folder-not-empty": "usage-error",
  "folder-removed": "harness-error",
  "not-writable": "usage-error",
  "disk-full": "harness-error",
  "disk-failed": "harness-error",
  "writer-closed": "harness-error",
  "duplicate-exchange": "harness-error",
  "secret-refused": "usage-error",
  "not-a-bundle": "usage-error",
  "unsupported-schema": "usage-error",
  "not-a-har": "usage-error",
  "too-large": "usage-error",
  "body-unreadable": "usage-error",
  // The reference server.
  "no-repository": "usage-error",
  "repository-missing": "usage-error",
  "not-a-work-tree": "usage-error",
  "git-missing": "usage-error",
  "unknown-fault": "usage-error",
  "unknown-fault-parameter": "usage-error",
  "invalid-fault-parameter": "usage-error",
  "unknown-latency": "usage-error",
  "invalid-latency-factor": "usage-error",
  "invalid-seed": "usage-error",
  "cannot-open-database": "usage-error",
  "port-in-use": "usage-error",
  "cannot-listen": "usage-error",
  // k6, and scripts for it.
  "no-k6": "usage-error",
  "broken-k6": "usage-error",
  "old-k6": "usage-error",
  "no-module": "usage-error",
  "bad-script": "usage-error",
  "script-hangs": "usage-error",
  "not-started": "usage-error",
  "unknown-scenario": "usage-error",
  "unreadable-scenario": "usage-error",
  "not-bundled": "usage-error",
  "unfit-syntax": "usage-error",
  "not-written": "usage-error",
  // Stored load runs and their thresholds.
  "unreadable-samples": "usage-error",
  "unreadable-summary": "usage-error",
  "unreadable-result": "usage-error",
  "bad-threshold": "usage-error",
  "nothing-to-merge": "usage-error",
  "merged-twice": "usage-error",
  "different-scenario": "usage-error",
  "different-target": "usage-error",
  "different-plan": "usage-error",
  // Baselines.
  "bad-name": "usage-error",
  "no-baseline": "usage-error",
  "no-runs": "usage-error",
  "not-a-load-result": "usage-error",
  "unusable-run": "usage-error",
  "runs-differ": "usage-error",
  "not-a-baseline": "usage-error",
  unreadable: "usage-error",
  // OpenAPI documents.
  "not-utf-8": "usage-error",
  html: "usage-error",
  "not-json": "usage-error",
  "not-yaml": "usage-error",
  "too-deep": "usage-error",
  "not-open-api": "usage-error",
  "unsupported-version": "usage-error",
  "external-reference": "usage-error",
  "unresolved-reference": "usage-error",
  "cannot-validate": "usage-error",
  "not-valid": "usage-error",
  "deadline-exceeded": "usage-error",
  "unsafe-pattern": "usage-error",
  "cannot-compile": "usage-error",
  "too-expensive": "usage-error",
} as const satisfies Readonly<Record<string, HarnessErrorOutcome>>;

export type HarnessErrorCode = keyof typeof harnessErrors;

/** Mistakes in the call itself. There is nothing to look up, so the message is the sentence alone. */
const codesWithoutPrefix: ReadonlySet<string> = new Set(["usage", "unavailable", "client-not-started"]);

/**
 * A mistake of the caller or a problem of the environment. Violations by the target are findings instead, and bugs are plain errors.
 * `sentence` states what failed, where, why and what to do next. It contains no secrets. The message is the code and the sentence, or
 * only the sentence for a mistake in the call. Match on `code`, never on text.
 */
export class HarnessError<Code extends HarnessErrorCode = HarnessErrorCode> extends Error {
  override readonly name = "HarnessError";
  readonly code: Code;
  /** The message without the code. */
  readonly sentence: string;

  constructor(code: Code, sentence: string, options?: ErrorOptions) {
    super(codesWithoutPrefix.has(code) ? sentence : `${code}: ${sentence}`, options);
    this.code = code;
    this.sentence = sentence;
  }
}

/** Reports whether a thrown value is a `HarnessError` with one of these codes. Default: any. */
export const isHarnessError = <Code extends HarnessErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is HarnessError<Code> =>
  error instanceof HarnessError && (codes.length === 0 || codes.some((code) => code === error.code));
