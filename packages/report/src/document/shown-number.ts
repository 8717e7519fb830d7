import { formatGrouped } from "@assay/results";

const dash = "-";

/** Formats three significant digits: `0.12`, `9.81`, `12.4`, `1,204`. Returns a dash for undefined, NaN and infinity. */
const formatThreeDigits = (value: number | undefined): string => {
  if (value === undefined || !Number.isFinite(value)) {
    return dash;
  }
  const size = Math.abs(value);
  return size >= 99.95 ? formatGrouped(value) : value.toFixed(size >= 9.995 ? 1 : 2);
};

/** Formats milliseconds without their unit, to three digits, or a dash for undefined. */
export const formatMs = formatThreeDigits;

/** Formats milliseconds, or `> 42,000` if a request was still unfinished after that time. */
export const formatTime = (ms: number, isCensored: boolean | undefined): string =>
  isCensored === true ? `> ${formatMs(ms)}` : formatMs(ms);

/** Formats a number without a unit, to three digits, or a dash for undefined. */
export const formatNumber = formatThreeDigits;

/** Formats a change as a signed percentage such as `+4.2 %`, or a dash for undefined. */
export const formatChange = (change: number | undefined): string => {
  if (change === undefined || !Number.isFinite(change)) {
    return dash;
  }
  const percent = (100 * change).toFixed(1);
  const sign = Number(percent) > 0 ? "+" : Number(percent) === 0 ? "±" : "";
  return `${sign}${percent.replace(/^-(?=0\.0$)/u, "")} %`;
};

/** Formats a share as a percentage such as `5 %` or `99.67 %`, or a dash for undefined. */
export const formatShare = (share: number | undefined, digits = 1): string =>
  share === undefined || !Number.isFinite(share) ? dash : `${Number((100 * share).toFixed(digits))} %`;

/** Formats a duration such as `250 ms`, `15 s`, `2 min` or `1 h`. */
export const formatPeriod = (ms: number): string => {
  const units = [
    { name: "h", size: 3_600_000 },
    { name: "min", size: 60_000 },
    { name: "s", size: 1000 },
  ] as const;
  const unit = units.find(({ size }) => ms >= size && (ms % size === 0 || size === 1000));
  return unit === undefined ? `${Math.round(ms)} ms` : `${Number((ms / unit.size).toFixed(1))} ${unit.name}`;
};
