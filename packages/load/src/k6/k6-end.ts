import { defined } from "@assay/contract";

/** How a run of k6 ended. */
export interface K6End {
  /** Undefined if a signal ended it. */
  readonly exitCode?: number;
  /**
   * `complete`: as planned. `interrupted`: by the caller's signal, or by a signal to k6. `deadline`: the wall-clock
   * limit. `not-started`: no load was sent, since the target cannot be loaded. `distress`: ended early to spare the
   * target. `decided`: ended early, because a threshold could not be met any more. `crashed`: anything else.
   */
  readonly cause: "complete" | "not-started" | "interrupted" | "deadline" | "distress" | "decided" | "crashed";
  /** What happened and what to do; absent if complete. */
  readonly sentence?: string;
  /** True for faults of the harness: a panic of k6, wrong options. */
  readonly isHarnessFault?: boolean;
}

/** The reason for which this process ended k6 early. */
export interface EarlyStop {
  readonly cause: "interrupted" | "deadline" | "distress" | "decided";
  readonly sentence: string;
}

/** How the process of k6 ended. */
export interface K6Exit {
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
  readonly stop?: EarlyStop;
  /** It did not end after the interrupt, and was killed. */
  readonly wasKilled: boolean;
  /** The last error of its log, redacted, on one line. */
  readonly lastError?: string;
}

interface CodeRow {
  readonly cause: K6End["cause"];
  /** One clause. */
  readonly what: string;
  readonly isHarnessFault?: true;
}

/** Exit codes of k6 2.x. Thresholds are judged from the samples, so a run that missed k6's own thresholds is complete. */
export const k6ExitCodes: Readonly<Record<number, CodeRow>> = {
  0: { cause: "complete", what: "it ended as planned" },
  97: { cause: "crashed", what: "the cloud test did not pass" },
  98: { cause: "crashed", what: "the cloud could not report the result of the test" },
  99: { cause: "complete", what: "it ended as planned and missed one of its own thresholds" },
  100: { cause: "crashed", what: "`setup` took too long" },
  101: { cause: "crashed", what: "`teardown` took too long" },
  102: { cause: "crashed", what: "something took too long" },
  103: { cause: "crashed", what: "an external start failed" },
  104: { cause: "crashed", what: "its options are wrong", isHarnessFault: true },
  105: { cause: "interrupted", what: "a signal ended it" },
  106: { cause: "crashed", what: "its REST address cannot be used", isHarnessFault: true },
  107: { cause: "crashed", what: "the script threw" },
  108: { cause: "crashed", what: "the script ended the test" },
  109: { cause: "crashed", what: "it panicked", isHarnessFault: true },
  110: { cause: "crashed", what: "the script marked the test as failed" },
};

const unknownCode: CodeRow = { cause: "crashed", what: "it failed" };

const codeSentence = (row: CodeRow, { exitCode, lastError }: K6Exit): string => {
  const detail = lastError === undefined ? "" : `: ${lastError}`;
  return `k6 ended early, ${row.what} (exit code ${exitCode ?? "none"})${detail}; see k6.log`;
};

const stoppedEnd = (stop: EarlyStop, exit: K6Exit): K6End => {
  const how = exit.wasKilled ? "; k6 did not end after the interrupt and was killed" : "";
  return {
    cause: stop.cause,
    sentence: `${stop.sentence}${how}`,
    ...defined({ exitCode: exit.exitCode }),
  };
};

const signalEnd = (signal: NodeJS.Signals | undefined): K6End => ({
  cause: "crashed",
  sentence:
    signal === "SIGKILL"
      ? "k6 was killed (SIGKILL), by a user or because memory ran out; use fewer virtual users or a machine with more memory"
      : `k6 was ended by ${signal ?? "an unknown signal"}; see k6.log`,
});

/** Classifies the end of k6. A stop by this process counts, unless k6 reached its planned end anyway. */
export const classifyK6End = (exit: K6Exit): K6End => {
  const { exitCode, signal, stop } = exit;
  const row = exitCode === undefined ? undefined : (k6ExitCodes[exitCode] ?? unknownCode);
  if (row !== undefined && exitCode !== undefined && row.cause === "complete") {
    return { exitCode, cause: "complete" };
  }
  if (stop !== undefined) {
    return stoppedEnd(stop, exit);
  }
  if (row === undefined || exitCode === undefined) {
    return signalEnd(signal);
  }
  return {
    exitCode,
    cause: row.cause,
    sentence: codeSentence(row, exit),
    ...(row.isHarnessFault === true ? { isHarnessFault: true } : {}),
  };
};
