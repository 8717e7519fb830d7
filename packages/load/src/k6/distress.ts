import type { LoadOutcome, LoadSample } from "@assay/results";

/** This many failures in a row, over at least a second, end a run. */
const maxFailuresInARow = 20;
const minSpanMs = 1000;
/** A period without any success also ends a run. */
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
  /** Takes the next finished sample. Returns a sentence if the run must end. */
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
  (row >= maxFailuresInARow && spanMs >= minSpanMs) || (row >= minInWindow && spanMs >= windowMs);

/**
 * Watches the samples of a run in the order in which they ended. Distress is 20 failures in a row over at least a
 * second (a short restart is not distress), or at least three and no success for 10 s. Violations are responses, not
 * distress. Unsent arrivals do not count.
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
