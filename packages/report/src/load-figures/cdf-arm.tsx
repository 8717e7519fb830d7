import type { JSX } from "preact";
import { cdfBand, cdfCurve } from "./cdf-curve.ts";
import { cdfPlot, type CdfScales, evenFractions, visibleSteps } from "./cdf-scales.ts";
import { armMarks, type LatencyArm } from "./latency-arm.ts";
import type { PercentileRule } from "./percentile-rules.ts";
import { px } from "./svg-number.ts";

const bandSteps = 60;

const bandPath = ({ histogram }: LatencyArm, scales: CdfScales): string => {
  const points = cdfBand(histogram, evenFractions(scales, bandSteps));
  const low = points.map((point) => `${px(scales.x(point.lowMicros))} ${px(scales.y(point.fraction))}`);
  const high = points.map((point) => `${px(scales.x(point.highMicros))} ${px(scales.y(point.fraction))}`);
  return points.length < 2 ? "" : `M${[...low, ...high.toReversed()].join("L")}Z`;
};

const curvePath = ({ histogram }: LatencyArm, scales: CdfScales): string => {
  const steps = visibleSteps(cdfCurve(histogram), scales);
  const path = steps.map(({ micros, fraction }) => `H${px(scales.x(micros))}V${px(scales.y(fraction))}`).join("");
  return `M${px(scales.x(steps[0]?.micros ?? 1))} ${cdfPlot.bottom}${path}`;
};

export interface CdfArmProps {
  readonly arm: LatencyArm;
  readonly rules: readonly PercentileRule[];
  readonly scales: CdfScales;
}

/** The curve of an arm, the band around it, and a mark at each percentile. */
export const CdfArm = ({ arm, rules, scales }: CdfArmProps): JSX.Element => {
  const { colour, dashes } = armMarks[arm.arm];
  const band = bandPath(arm, scales);
  return (
    <g>
      {band === "" ? null : <path d={band} fill={colour} fill-opacity="0.22" />}
      <path
        d={curvePath(arm, scales)}
        fill="none"
        stroke={colour}
        stroke-width="2"
        stroke-linejoin="round"
        {...(dashes === undefined ? {} : { "stroke-dasharray": dashes })}
      />
      {rules.map(({ value, fraction }) => (
        <circle cx={px(scales.x(value * 1000))} cy={px(scales.y(fraction))} r="3.6" fill={colour} />
      ))}
    </g>
  );
};
