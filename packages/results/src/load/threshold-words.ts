import type { LoadThreshold } from "./load-result.ts";

/** From here on times are shown in seconds. */
const shownInSecondsMs = 10_000;

/** A time such as `912.0 ms` or `42.0 s`. */
export const timeText = (ms: number): string =>
  ms >= shownInSecondsMs ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(1)} ms`;

const countsText = ({ counts, ok }: LoadThreshold): string => {
  if (counts === undefined) {
    return "";
  }
  const { count, over, unknown } = counts;
  const least = unknown > 0 ? "at least " : "";
  const unseen = unknown > 0 ? `, ${unknown} not watched that long` : "";
  const chance = ok === undefined && over > 0 && unknown === 0 ? ", which may be chance" : "";
  return `${least}${over} of ${count} over it${unseen}${chance}`;
};

const notBegunText = ({ notBegun }: LoadThreshold): string =>
  notBegun === undefined ? "" : `${notBegun.count} of ${notBegun.of} could not begin`;

const valueText = ({ valueMs, valueFraction, isCensored }: LoadThreshold): string => {
  if (valueFraction !== undefined) {
    return `${Math.floor(valueFraction * 10_000) / 100} %`;
  }
  return valueMs === undefined ? "" : `${isCensored === true ? "> " : ""}${timeText(valueMs)}`;
};

/**
 * The measured value of a threshold, one clause; with the number of samples above the limit if that decides or leaves it undecided. Empty if
 * nothing was measured.
 */
export const foundText = (threshold: LoadThreshold): string => {
  const { counts, ok, isCensored, valueMs } = threshold;
  const isPlain = valueMs !== undefined && isCensored !== true && ok !== undefined && (counts?.unknown ?? 0) === 0;
  return [valueText(threshold), isPlain ? "" : countsText(threshold), notBegunText(threshold)]
    .filter((part) => part !== "")
    .join("; ");
};
