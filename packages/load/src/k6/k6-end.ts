import { defined } from "@assay/contract";

/** The end of a k6 run. */
export interface K6End {
  /** Undefined if a signal ended k6. */
  readonly exitCode?: number;
  /**
   * - `complete`: k6 ended as planned.
   * - `interrupted`: The caller's signal or a signal to k6 ended it.
   * - `deadline`: The wall-clock limit was reached.
   * - `not-started`: No load was sent, because the target did not accept requests.
   * - `distress`: Ended early because the target is overloaded.
   * - `decided`: Ended early because a threshold can no longer be met.
   * - `crashed`: Anything else.
   */
  readonly cause: "complete" | "not-started" | "interrupted" | "deadline" | "distress" | "decided" | "crashed";
  /** The cause and advice in one sentence. Absent if complete. */
  readonly sentence?: string;
  /** True for bugs of the harness: a panic of k6, or invalid options. */
  readonly isHarnessFault?: boolean;
}

/** The reason this process ended k6 early. */
export interface EarlyStop {
  readonly cause: "interrupted" | "deadline" | "distress" | "decided";
  readonly sentence: string;
}

/** The exit of the k6 process. */
export interface K6Exit {
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
  readonly stop?: EarlyStop;
  /** True if it did not exit after the interrupt and was killed. */
  readonly wasKilled: boolean;
  /** The last error of its log, redacted, on one line. */
  readonly lastError?: string;
}

interface ExitCodeRow {
  readonly cause: K6End["cause"];
  /** A clause. */
  readonly reason: string;
  readonly isHarnessFault?: true;
}

/** The exit codes of k6 2.x. Thresholds are judged from the samples, so a run that missed k6's own thresholds is complete. */
export const k6ExitCodes: Readonly<Record<number, ExitCodeRow>> = {
  0: { cause: "complete", reason: "it ended as planned" },
  97: { cause: "crashed", reason: "the cloud test did not pass" },
  98: { cause: "crashed", reason: "the cloud could not report the result of the test" },
  99: { cause: "complete", reason: "it ended as planned and missed one of its own thresholds" },
  100: { cause: "crashed", reason: "`setup` took too long" },
  101: { cause: "crashed", reason: "`teardown` took too long" },
  102: { cause: "crashed", reason: "something took too long" },
  103: { cause: "crashed", reason: "an external start failed" },
  104: { cause: "crashed", reason: "its options are wrong", isHarnessFault: true },
  105: { cause: "interrupted", reason: "a signal ended it" },
  106: { cause: "crashed", reason: "its REST address cannot be used", isHarnessFault: true },
  107: { cause: "crashed", reason: "the script threw" },
  108: { cause: "crashed", reason: "the script ended the test" },
  109: { cause: "crashed", reason: "it panicked", isHarnessFault: true },
  110: { cause: "crashed", reason: "the script marked the test as failed" },
};

const unknownCode: ExitCodeRow = { cause: "crashed", reason: "it failed" };

const describeExitCode = (row: ExitCodeRow, { exitCode, lastError }: K6Exit): string => {
  const detail = lastError === undefined ? "" : `: ${lastError}`;
  return `k6 ended early, ${row.reason} (exit code ${exitCode ?? "none"})${detail}; see k6.log`;
};

const classifyStop = (stop: EarlyStop, exit: K6Exit): K6End => {
  const suffix = exit.wasKilled ? "; k6 did not exit after the interrupt and was killed" : "";
  return {
    cause: stop.cause,
    sentence: `${stop.sentence}${suffix}`,
    ...defined({ exitCode: exit.exitCode }),
  };
};

const classifySignal = (signal: NodeJS.Signals | undefined): K6End => ({
  cause: "crashed",
  sentence:
    signal === "SIGKILL"
      ? "k6 was killed (SIGKILL), by a user or because the machine ran out of memory; use fewer virtual users or a machine with more memory"
      : `k6 was ended by ${signal ?? "an unknown signal"}; see k6.log`,
});

/** Classifies the end of k6. If this process stopped k6, that is the cause, unless k6 reached its planned end anyway. */
export const classifyK6End = (exit: K6Exit): K6End => {
  const { exitCode, signal, stop } = exit;
  const row = exitCode === undefined ? undefined : (k6ExitCodes[exitCode] ?? unknownCode);
  if (row !== undefined && exitCode !== undefined && row.cause === "complete") {
    return { exitCode, cause: "complete" };
  }
  if (stop !== undefined) {
    return classifyStop(stop, exit);
  }
  if (row === undefined || exitCode === undefined) {
    return classifySignal(signal);
  }
  return {
    exitCode,
    cause: row.cause,
    sentence: describeExitCode(row, exit),
    ...(row.isHarnessFault === true ? { isHarnessFault: true } : {}),
  };
};
