import type { Percentile } from "@assay/results";
import { formatChange, formatMs, formatTime } from "./shown-number.ts";

/** Formats the 95 % interval of a percentile in milliseconds, such as `[11.9, 12.8]` with a no-break space. Undefined if it has none. */
export const formatInterval = ({ low, high }: Percentile): string | undefined =>
  low === undefined || high === undefined ? undefined : `[${formatMs(low)},\u00A0${formatMs(high)}]`;

/** Formats a percentile in milliseconds with its interval, such as `12.4 [11.9, 12.8]`, or a dash if there is none. */
export const formatPercentile = (percentile: Percentile | undefined): string => {
  if (percentile === undefined) {
    return "-";
  }
  const interval = formatInterval(percentile);
  const value = formatTime(percentile.value, percentile.isCensored).replace(" ", "\u00A0");
  return interval === undefined ? value : `${value} ${interval}`;
};

/** Formats the relative change of a percentile from base to head, such as `+4.2 %`. */
export const formatShift = (base: Percentile | undefined, head: Percentile | undefined): string =>
  formatChange(
    base === undefined || head === undefined || base.isCensored === true || head.isCensored === true
      ? undefined
      : head.value / base.value - 1,
  );
