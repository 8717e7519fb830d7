import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { px } from "../svg-number.ts";
import type { TimeScale } from "./time-scale.ts";
import { StraightLine } from "../straight-line.tsx";

interface TimeAxisProps {
  readonly scale: TimeScale;
  readonly top: number;
  readonly bottom: number;
  /** The zero of the axis in words, such as `since the request was sent`. */
  readonly since: string;
}

/** Height of the axis below its bottom line. */
export const axisHeight = 38;

/** Grid lines at round times with labels below; the script redraws them on zoom. */
export const TimeAxis = ({ scale, top, bottom, since }: TimeAxisProps): JSX.Element => (
  <g class="fig-axis" font-size="11" data-zoom-axis={`${px(scale.left)} 0 ${px(scale.right)} ${scale.endValue}`}>
    {scale.ticks.map(({ x, text }) => (
      <g data-zoom-tick="x">
        <StraightLine from={[x, top]} to={[x, bottom + 4]} stroke={palette.grid} stroke-opacity="0.3" />
        <text x={px(x)} y={px(bottom + 17)} text-anchor="middle" fill="currentColor">
          {text}
        </text>
      </g>
    ))}
    <StraightLine from={[scale.left, bottom]} to={[scale.right, bottom]} stroke={palette.grid} />
    <text x={px((scale.left + scale.right) / 2)} y={px(bottom + 33)} text-anchor="middle" fill="currentColor">
      {`${scale.unit} ${since}`}
    </text>
  </g>
);
