import type { LoadOutcome, LoadSample } from "@assay/results";

/** Number of consecutive failures, over at least a second, that end a run. */
const maxFailuresInARow = 20;
const minSpanMs = 1000;
/** A period with failures and without a success also ends a run. */
const windowMs = 10_000;
const minFailuresInWindow = 3;

const failureOutcomes: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>([
  "refused",
  "distress",
  "bad-status",
  "timeout",
  "transport",
]);

/** Detects an overloaded target. */
export interface DistressWatch {
  /** Adds the next finished sample. Returns the reason as one sentence if the run must end. */
  readonly add: (sample: Pick<LoadSample, "outcome" | "endMs">) => string | undefined;
}

const outcomeLabels: Readonly<Partial<Record<LoadOutcome, string>>> = {
  refused: "401 or 403",
  distress: "429 or 503",
  "bad-status": "an unexpected status",
  timeout: "no response before the timeout",
  transport: "no connection, or a broken one",
};

const answeredOutcomes: ReadonlySet<LoadOutcome> = new Set<LoadOutcome>(["ok", "violation", "unfinished"]);

const isDistress = (failuresInARow: number, spanMs: number): boolean =>
  (failuresInARow >= maxFailuresInARow && spanMs >= minSpanMs) ||
  (failuresInARow >= minFailuresInWindow && spanMs >= windowMs);

/**
 * Creates a watch for the samples of a run, added in the order in which they ended. A target is overloaded after 20 consecutive failures
 * over at least a second, which a short restart does not cause, or after at least three failures and no success for
 * 10 s. A response with a violation is not a failure. Ignores unsent arrivals.
 */
export const createDistressWatch = (): DistressWatch => {
  let failuresInARow = 0;
  let firstMs = 0;
  const countFailure = (outcome: LoadOutcome, endMs: number): string | undefined => {
    firstMs = failuresInARow === 0 ? endMs : firstMs;
    failuresInARow += 1;
    const spanMs = endMs - firstMs;
    return isDistress(failuresInARow, spanMs)
      ? `the target could not handle the load, so the run was ended early: ${failuresInARow} requests in a row failed within ${(spanMs / 1000).toFixed(0)} s, the last with ${outcomeLabels[outcome] ?? outcome}`
      : undefined;
  };
  return {
    add: ({ outcome, endMs }) => {
      failuresInARow = answeredOutcomes.has(outcome) ? 0 : failuresInARow;
      return failureOutcomes.has(outcome) ? countFailure(outcome, endMs) : undefined;
    },
  };
};
