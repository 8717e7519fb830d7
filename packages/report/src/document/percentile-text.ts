import type { Percentile } from "@assay/results";
import { changeText, msText, timeText } from "./shown-number.ts";

/** The 95 % interval of a percentile in milliseconds, such as `[11.9, 12.8]` with a no-break space; undefined if it has none. */
export const intervalText = ({ low, high }: Percentile): string | undefined =>
  low === undefined || high === undefined ? undefined : `[${msText(low)},\u00A0${msText(high)}]`;

/** A percentile in milliseconds with its interval, such as `12.4 [11.9, 12.8]`; a dash for none. */
export const percentileText = (percentile: Percentile | undefined): string => {
  if (percentile === undefined) {
    return "-";
  }
  const interval = intervalText(percentile);
  const value = timeText(percentile.value, percentile.isCensored).replace(" ", "\u00A0");
  return interval === undefined ? value : `${value} ${interval}`;
};

/** How much larger the percentile of the head is than that of the base, such as `+4.2 %`. */
export const shiftText = (base: Percentile | undefined, head: Percentile | undefined): string =>
  changeText(
    base === undefined || head === undefined || base.isCensored === true || head.isCensored === true
      ? undefined
      : head.value / base.value - 1,
  );
