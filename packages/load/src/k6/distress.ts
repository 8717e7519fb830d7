import type { LoadOutcome, LoadSample } from "@assay/results";

/** Failures in a row, over at least a second, that end a run. */
const inARow = 20;
const leastSpanMs = 1000;
/** A stretch in which nothing went well ends a run, too. */
const windowMs = 10_000;
const leastInWindow = 3;

const failures: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([
  "refused",
  "distress",
  "bad-status",
  "timeout",
  "transport",
]);

/** Looks for a target that should be left alone. */
export interface DistressWatch {
  /** Takes the next sample that ended; one sentence when the run is to end. */
  readonly see: (sample: LoadSample) => string | undefined;
}

const wordsFor: Readonly<Partial<Record<LoadOutcome, string>>> = {
  refused: "401 or 403",
  distress: "429 or 503",
  "bad-status": "an unexpected status",
  timeout: "no answer in time",
  transport: "no connection, or it broke",
};

const answers: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["ok", "violation", "unfinished"]);

const isDistress = (row: number, spanMs: number): boolean =>
  (row >= inARow && spanMs >= leastSpanMs) || (row >= leastInWindow && spanMs >= windowMs);

/**
 * A watch over the samples of a run, in the order in which they ended. Distress: 20 failures in a row that span a second (a
 * restart that takes a moment is none), or at least three and nothing else for 10 s. Violations are answers, not distress; what
 * was not sent counts for nothing.
 */
export const createDistressWatch = (): DistressWatch => {
  let row = 0;
  let firstMs = 0;
  const fail = (outcome: LoadOutcome, endMs: number): string | undefined => {
    firstMs = row === 0 ? endMs : firstMs;
    row += 1;
    const spanMs = endMs - firstMs;
    return isDistress(row, spanMs)
      ? `the target did not bear the load, so the run was ended to spare it: ${row} requests in a row failed within ${(spanMs / 1000).toFixed(0)} s, the last with ${wordsFor[outcome] ?? outcome}`
      : undefined;
  };
  return {
    see: ({ outcome, endMs }) => {
      row = answers.has(outcome) ? 0 : row;
      return failures.has(outcome) ? fail(outcome, endMs) : undefined;
    },
  };
};
