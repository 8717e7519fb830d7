import type { LoadThreshold } from "./load-result.ts";

/** Times from this value up are formatted in seconds. */
const minSecondsMs = 10_000;

/** Formats a time such as `912.0 ms` or `42.0 s`. */
export const formatTime = (ms: number): string =>
  ms >= minSecondsMs ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(1)} ms`;

const describeCounts = ({ counts, ok }: LoadThreshold): string => {
  if (counts === undefined) {
    return "";
  }
  const { count, over, unknown } = counts;
  const atLeast = unknown > 0 ? "at least " : "";
  const unknownText = unknown > 0 ? `, ${unknown} not watched that long` : "";
  const chanceText = ok === undefined && over > 0 && unknown === 0 ? ", which may be chance" : "";
  return `${atLeast}${over} of ${count} over it${unknownText}${chanceText}`;
};

const describeNotBegun = ({ notBegun }: LoadThreshold): string =>
  notBegun === undefined ? "" : `${notBegun.count} of ${notBegun.of} could not begin`;

const formatValue = ({ valueMs, valueFraction, isCensored }: LoadThreshold): string => {
  if (valueFraction !== undefined) {
    return `${Math.floor(valueFraction * 10_000) / 100} %`;
  }
  return valueMs === undefined ? "" : `${isCensored === true ? "> " : ""}${formatTime(valueMs)}`;
};

/**
 * Describes the measured value of a threshold as a clause, with the number of samples above the limit if that decides it or leaves it
 * undecided. Empty if nothing was measured.
 */
export const describeMeasurement = (threshold: LoadThreshold): string => {
  const { counts, ok, isCensored, valueMs } = threshold;
  const isPlain = valueMs !== undefined && isCensored !== true && ok !== undefined && (counts?.unknown ?? 0) === 0;
  return [formatValue(threshold), isPlain ? "" : describeCounts(threshold), describeNotBegun(threshold)]
    .filter((part) => part !== "")
    .join("; ");
};
