import { formatGrouped } from "@assay/results";

export { formatGrouped };

/** Formats a count with its noun, such as `1 rule` or `12,000 rules`. `plural` defaults to the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatGrouped(count)} ${count === 1 ? noun : plural}`;

const sizes = ["B", "kB", "MB", "GB"] as const;

/** Formats a number of bytes to three significant digits, such as `120 B` or `1.24 MB`. One kB is 1,000 bytes. */
export const formatSize = (bytes: number): string => {
  const power = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : Number(value.toPrecision(3))} ${sizes[power] ?? "B"}`;
};

/** Formats a duration to three significant digits, such as `480 µs`, `12.4 ms` or `3.2 s`. */
export const formatDuration = (micros: number): string => {
  if (micros < 1000) {
    return `${Math.round(micros)} µs`;
  }
  return micros < 1_000_000
    ? `${Number((micros / 1000).toPrecision(3))} ms`
    : `${Number((micros / 1_000_000).toPrecision(3))} s`;
};

/** Capitalizes the first letter of a word. */
export const capitalize = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
