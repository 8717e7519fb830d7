import type { LoadOutcome, LoadSample } from "@assay/results";

/** Number of consecutive failures, over at least a second, that end a run. */
const maxFailuresInARow = 20;
const minSpanMs = 1000;
/** A period with failures and without a success also ends a run. */
const windowMs = 10_000;
const minInWindow = 3;

const failures: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([
  "refused",
  "distress",
  "bad-status",
  "timeout",
  "transport",
]);

/** Detects an overloaded target. */
export interface DistressWatch {
  /** Adds the next finished sample. Returns the reason as one sentence if the run must end. */
  readonly see: (sample: LoadSample) => string | undefined;
}

const wordsFor: Readonly<Partial<Record<LoadOutcome, string>>> = {
  refused: "401 or 403",
  distress: "429 or 503",
  "bad-status": "an unexpected status",
  timeout: "no response before the timeout",
  transport: "no connection, or a broken one",
};

const answers: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["ok", "violation", "unfinished"]);

const isDistress = (row: number, spanMs: number): boolean =>
  (row >= maxFailuresInARow && spanMs >= minSpanMs) || (row >= minInWindow && spanMs >= windowMs);

/**
 * Watches the samples of a run in the order in which they ended. A target is overloaded after 20 consecutive failures
 * over at least a second, which a short restart does not cause, or after at least three failures and no success for
 * 10 s. A response with a violation is not a failure. Ignores unsent arrivals.
 */
export const createDistressWatch = (): DistressWatch => {
  let row = 0;
  let firstMs = 0;
  const fail = (outcome: LoadOutcome, endMs: number): string | undefined => {
    firstMs = row === 0 ? endMs : firstMs;
    row += 1;
    const spanMs = endMs - firstMs;
    return isDistress(row, spanMs)
      ? `the target could not handle the load, so the run was ended early: ${row} requests in a row failed within ${(spanMs / 1000).toFixed(0)} s, the last with ${wordsFor[outcome] ?? outcome}`
      : undefined;
  };
  return {
    see: ({ outcome, endMs }) => {
      row = answers.has(outcome) ? 0 : row;
      return failures.has(outcome) ? fail(outcome, endMs) : undefined;
    },
  };
};
