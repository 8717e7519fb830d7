/**
 * Colours of marks on a page, each `#rrggbb`. One set serves the light and the dark theme: each stands out at least 3:1 from
 * both papers, also where the style sheet is blocked and the marks carry these values themselves. The set stays apart for the
 * common kinds of colour blindness; even so a colour never says something alone: a sign, a word or a shape says it too.
 * `grid` is for lines behind marks, best drawn thin and with `stroke-opacity`.
 */
export const palette = {
  good: "#0e8a72",
  bad: "#d8432f",
  warn: "#ad7500",
  unknown: "#8268d6",
  accent: "#2b7bd4",
  second: "#c8571b",
  third: "#c0499a",
  fourth: "#1a8aa8",
  muted: "#767d89",
  grid: "#848b96",
} as const;

/** Name of a colour of the palette. */
export type Colour = keyof typeof palette;
