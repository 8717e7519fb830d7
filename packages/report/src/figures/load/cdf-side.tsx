import type { JSX } from "preact";
import { computeCdfBand, computeCdfCurve } from "./cdf-curve.ts";
import { type CdfScales, listEvenFractions, selectVisibleSteps } from "./cdf-scales.ts";
import { sideMarks, type LatencySide } from "./latency-side.ts";
import type { PlottedPercentile } from "./plotted-percentiles.ts";
import { drawBandPath, type Point, drawStepPath } from "../shapes.ts";
import { px } from "../svg-number.ts";

const bandSteps = 60;

const drawBandOutline = ({ histogram }: LatencySide, { x, y }: CdfScales, fractions: readonly number[]): string =>
  drawBandPath(
    computeCdfBand(histogram, fractions).map(({ fraction, lowMicros, highMicros }) => ({
      position: y(fraction),
      edges: [x(lowMicros), x(highMicros)],
    })),
  );

const drawCurveOutline = ({ histogram }: LatencySide, scales: CdfScales): string => {
  const steps = selectVisibleSteps(computeCdfCurve(histogram), scales).map(({ micros, fraction }): Point => [
    scales.x(micros),
    scales.y(fraction),
  ]);
  return drawStepPath([[steps[0]?.[0] ?? scales.x(1), scales.plot.bottom], ...steps]);
};

export interface CdfSideProps {
  readonly side: LatencySide;
  readonly percentiles: readonly PlottedPercentile[];
  readonly scales: CdfScales;
}

/** Draws the curve of a side, the band around it, and a mark at each percentile. */
export const CdfSide = ({ side, percentiles, scales }: CdfSideProps): JSX.Element => {
  const { colour, dashes } = sideMarks[side.side];
  const band = drawBandOutline(side, scales, listEvenFractions(scales, bandSteps));
  return (
    <g>
      {band === "" ? null : <path d={band} fill={colour} fill-opacity="0.22" />}
      <path
        d={drawCurveOutline(side, scales)}
        fill="none"
        stroke={colour}
        stroke-width="2"
        stroke-linejoin="round"
        {...(dashes === undefined ? {} : { "stroke-dasharray": dashes })}
      />
      {percentiles.map(({ value, fraction }) => (
        <circle cx={px(scales.x(value * 1000))} cy={px(scales.y(fraction))} r="3.6" fill={colour} />
      ))}
    </g>
  );
};
