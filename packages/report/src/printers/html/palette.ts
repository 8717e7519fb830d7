/**
 * Colours of marks, each `#rrggbb`, for the light and dark themes. Each has a contrast of at least 3:1 on both backgrounds, even without the
 * style sheet. They are distinct for the common kinds of colour blindness. A sign, word or shape always conveys the meaning too. `grid` is
 * for thin lines behind marks, with `stroke-opacity`.
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
