import { defined } from "@assay/contract";
import type { K6End } from "./k6-end.ts";

/** Why this process ended k6 before its time. */
export interface EarlyStop {
  readonly cause: "interrupted" | "deadline" | "distress" | "decided";
  readonly sentence: string;
}

/** How the process of k6 went away. */
export interface K6Exit {
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
  readonly stop?: EarlyStop;
  /** It did not end in order when asked to, and was killed. */
  readonly wasKilled: boolean;
  /** The last error of its log, without secrets, on one line. */
  readonly lastError?: string;
}

interface CodeRow {
  readonly cause: K6End["cause"];
  /** One clause. */
  readonly what: string;
  readonly isHarnessFault?: true;
}

/** Exit codes of k6 2.x. Thresholds are judged from the samples, so a run that missed k6's own is complete. */
export const k6ExitCodes: Readonly<Record<number, CodeRow>> = {
  0: { cause: "complete", what: "it ended as planned" },
  97: { cause: "crashed", what: "the cloud test did not pass" },
  98: { cause: "crashed", what: "the cloud could not say how the test went" },
  99: { cause: "complete", what: "it ended as planned and crossed a threshold of its own" },
  100: { cause: "crashed", what: "`setup` took too long" },
  101: { cause: "crashed", what: "`teardown` took too long" },
  102: { cause: "crashed", what: "something took too long" },
  103: { cause: "crashed", what: "it could not be started from outside" },
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
  const how = exit.wasKilled ? "; k6 did not end in order and was killed" : "";
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
      ? "k6 was killed (SIGKILL), by somebody or for want of memory; use fewer virtual users or a machine with more memory"
      : `k6 was ended by ${signal ?? "an unknown signal"}; see k6.log`,
});

/**
 * What the way in which k6 went away means. A stop by this process counts unless k6 came to its planned end all the same; then
 * it is complete.
 */
export const k6EndOf = (exit: K6Exit): K6End => {
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
