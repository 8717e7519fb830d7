import type { LoadSide } from "@assay/contract";
import type { JSX } from "preact";
import { formatDuration } from "../../document/counted.ts";
import { palette } from "../../printers/html/palette.ts";
import { formatNumber } from "../../document/shown-number.ts";
import { sideMarks } from "./latency-side.ts";
import { listLogTicks } from "../log-ticks.ts";
import { px } from "../svg-number.ts";
import type { TimeScales } from "./time-scales.ts";
import { StraightLine } from "../straight-line.tsx";

const formatSeconds = (seconds: number): string => `${Number(seconds.toPrecision(6))} s`;

/** Grid lines and labels of latencies and rates. */
export const ValueAxes = ({ scales }: { readonly scales: TimeScales }): JSX.Element => (
  <g class="fig-axis">
    {listLogTicks(...scales.latencyDomainMs).map((ms) => (
      <g>
        <StraightLine
          from={[scales.plot.left, scales.latency(ms)]}
          to={[scales.plot.right, scales.latency(ms)]}
          stroke={palette.grid}
          stroke-opacity="0.3"
        />
        <text x={scales.plot.left - 8} y={px(scales.latency(ms) + 4)} text-anchor="end" fill="currentColor">
          {formatDuration(ms * 1000)}
        </text>
      </g>
    ))}
    {scales.rateTicks.map((rate) => (
      <g>
        <StraightLine
          from={[scales.plot.left, scales.rate(rate)]}
          to={[scales.plot.right, scales.rate(rate)]}
          stroke={palette.grid}
          stroke-opacity="0.3"
        />
        <text x={scales.plot.left - 8} y={px(scales.rate(rate) + 4)} text-anchor="end" fill="currentColor">
          {`${Number(rate.toPrecision(6))}/s`}
        </text>
      </g>
    ))}
  </g>
);

/** Time labels in seconds since the first planned request. The script replaces them when the figure is zoomed. */
export const SecondTicks = ({ scales }: { readonly scales: TimeScales }): JSX.Element => (
  <g
    class="fig-axis"
    data-zoom-axis={`${scales.plot.left} 0 ${scales.plot.right} ${scales.endSeconds}`}
    data-zoom-unit=" s"
  >
    {scales.secondTicks.map((seconds) => (
      <g data-zoom-tick="x">
        <StraightLine
          from={[scales.x(seconds * 1000), scales.plot.rateBottom]}
          to={[scales.x(seconds * 1000), scales.plot.rateBottom + 5]}
          stroke={palette.grid}
          vector-effect="non-scaling-stroke"
        />
        <text x={px(scales.x(seconds * 1000))} y={scales.plot.rateBottom + 20} text-anchor="middle" fill="currentColor">
          {formatSeconds(seconds)}
        </text>
      </g>
    ))}
  </g>
);

/** A shaded area for the warm-up, which is not measured. */
export const WarmUp = ({ endMs, scales }: { readonly endMs: number; readonly scales: TimeScales }): JSX.Element => {
  const left = scales.x(0);
  const width = scales.x(endMs) - left;
  return (
    <g>
      <rect
        x={px(left)}
        y={scales.plot.top}
        width={px(width)}
        height={scales.plot.rateBottom - scales.plot.top}
        fill={palette.muted}
        fill-opacity="0.16"
      />
      <StraightLine
        from={[left + width, scales.plot.top]}
        to={[left + width, scales.plot.rateBottom]}
        stroke={palette.muted}
        stroke-dasharray="2 3"
        vector-effect="non-scaling-stroke"
      />
      <text x={px(left)} y={scales.plot.top - 5} font-size="11" fill="currentColor">
        warm-up
      </text>
    </g>
  );
};

/** A line at the highest rate of the plan. Fewer requests were started if the generator fell behind, or if the shape or a gap planned fewer. */
export const PlanLine = ({
  perSecond,
  scales,
}: {
  readonly perSecond: number;
  readonly scales: TimeScales;
}): JSX.Element => (
  <StraightLine
    from={[scales.plot.left, scales.rate(perSecond)]}
    to={[scales.plot.right, scales.rate(perSecond)]}
    stroke="currentColor"
    stroke-opacity="0.7"
    stroke-dasharray="2 4"
  >
    <title>{`plan: ${formatNumber(perSecond)}/s`}</title>
  </StraightLine>
);

interface TimeLegendProps {
  readonly sides: readonly LoadSide[];
  readonly scales: TimeScales;
  /** True to put sides and legends one below the other. */
  readonly isNarrow?: boolean;
}

const barWords = ["bars: succeeded, failed on top", "line: planned", "dotted: highest rate of the plan"] as const;

const timeWords = "seconds since the first planned sending →";

/** Explains the marks. */
export const TimeLegend = ({ sides, scales, isNarrow = false }: TimeLegendProps): JSX.Element => (
  <g font-size="13" fill="currentColor">
    {sides.map((side, index) => {
      const left = isNarrow ? 4 : scales.plot.left + index * 270;
      const { colour } = sideMarks[side];
      return (
        <g transform={isNarrow && index > 0 ? `translate(0 ${index * 20})` : undefined}>
          <rect x={left} y="9" width="26" height="14" fill={colour} fill-opacity="0.16" />
          <StraightLine from={[left, 23]} to={[left + 26, 23]} stroke={colour} stroke-width="2.4" />
          <StraightLine from={[left, 9]} to={[left + 26, 9]} stroke={colour} />
          <text x={left + 34} y="21">
            {`${sides.length > 1 ? `${side}: ` : ""}p50 (thick) to p95 (thin)`}
          </text>
        </g>
      );
    })}
    <text x={scales.plot.left - 8} y={scales.plot.failedY + 4} text-anchor="end" font-size="12">
      failed
    </text>
    {(isNarrow ? [timeWords, barWords.slice(0, 2).join(" · ")] : [timeWords]).map((words, index) => (
      <text
        x={isNarrow ? 4 : scales.plot.right}
        y={scales.plot.rateBottom + 40 + index * 17}
        text-anchor={isNarrow ? "start" : "end"}
        font-size="12"
      >
        {words}
      </text>
    ))}
    {isNarrow ? null : (
      <text x={scales.plot.left} y={scales.plot.rateBottom + 40} font-size="12">
        {barWords.join(" · ")}
      </text>
    )}
  </g>
);
