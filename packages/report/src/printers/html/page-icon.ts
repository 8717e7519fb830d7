import type { RunOutcome } from "@assay/results";
import { getOutcomeTone } from "./outcome-tone.ts";
import type { Tone } from "./outcome-tone.ts";
import { palette } from "./palette.ts";

/** Signs as strokes in a 16 by 16 square, because a font may lack them. The shapes differ, so that they do not depend on colour. */
const shapes: Readonly<Record<Tone, string>> = {
  good: "M4 8.5 7 11.5 12 5",
  bad: "M4.8 4.8 11.2 11.2M11.2 4.8 4.8 11.2",
  warn: "M3.5 9c1.5-2.6 3-2.6 4.5-1s3 1.6 4.5-1",
  unknown: "M5.5 6a2.5 2.3 0 1 1 3.6 2.1C8.2 8.6 8 9 8 9.8M8 12v.2",
};

/** Returns the icon of a page for an outcome, as a data URL. */
export const createIconUrl = (outcome: RunOutcome): string => {
  const tone = getOutcomeTone(outcome);
  const square = `<rect width="16" height="16" rx="4" fill="${palette[tone]}"/>`;
  const sign = `<path d="${shapes[tone]}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${square}${sign}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
