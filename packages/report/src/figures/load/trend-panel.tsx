import { scaleLinear } from "d3-scale";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { linePath } from "../shapes.ts";
import { px } from "../svg-number.ts";
import type { TrendPoint, TrendSeries } from "./trend-series.ts";
import { StraightLine } from "../straight-line.tsx";

/** Bounds of the panels, one below the other. */
export interface TrendPlot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly panelHeight: number;
  readonly gap: number;
  /** True if the name of a panel is above it and not to its left. */
  readonly isNarrow: boolean;
}

export const trendPlot: TrendPlot = { left: 116, right: 880, top: 14, panelHeight: 92, gap: 22, isNarrow: false };

/** The same on a narrow page. */
export const narrowTrendPlot: TrendPlot = { left: 44, right: 352, top: 26, panelHeight: 72, gap: 36, isNarrow: true };

/** Position of the run with an index, from 0, among a number of runs. */
export const runX = ({ left, right }: TrendPlot, index: number, count: number): number => {
  const slot = Math.min((right - left) / 6, (right - left - 72) / Math.max(1, count - 1));
  return left + 24 + index * slot;
};

interface Placed extends TrendPoint {
  readonly x: number;
  readonly y: (value: number) => number;
}

const trendLine = (points: readonly Placed[]): string =>
  linePath(
    points.flatMap(({ isUsable, value, x, y }) => (isUsable && value !== undefined ? [[x, y(value)] as const] : [])),
  );

interface MarkProps {
  readonly point: Placed;
  /** True if hovering shows its numbers. A narrow page has the table instead. */
  readonly isHovered: boolean;
}

const Mark = ({ point, isHovered }: MarkProps): JSX.Element | null => {
  const { value, low, high, x, y, isUsable, hover } = point;
  if (value === undefined) {
    return null;
  }
  return (
    <g>
      {isHovered ? <title>{hover}</title> : null}
      {low === undefined || high === undefined || !isUsable ? null : (
        <StraightLine
          from={[x, y(low)]}
          to={[x, y(high)]}
          stroke={palette.accent}
          stroke-width="5"
          stroke-opacity="0.35"
        />
      )}
      <circle
        cx={px(x)}
        cy={px(y(value))}
        r="4.5"
        stroke={isUsable ? palette.accent : palette.muted}
        stroke-width="1.8"
        {...(isUsable ? { fill: palette.accent } : { fill: "none" })}
      />
    </g>
  );
};

/** The highest drawn value: that of valid runs, or at most half as much again for the others. */
const roomOf = (points: readonly TrendPoint[]): number => {
  const of = (usable: boolean): readonly number[] =>
    points
      .filter(({ isUsable }) => isUsable === usable)
      .map(({ value, high }) => Math.max(value ?? 0, (usable ? high : 0) ?? 0));
  const counts = Math.max(0, ...of(true));
  const others = Math.max(0, ...of(false));
  return counts > 0 ? Math.max(counts, Math.min(others, counts * 1.5)) : others;
};

/** One quantity over the runs, from zero. Valid runs are joined, others are hollow and separate. */
export const TrendPanel = ({
  series,
  index,
  plot,
}: {
  readonly series: TrendSeries;
  readonly index: number;
  readonly plot: TrendPlot;
}): JSX.Element => {
  const top = plot.top + index * (plot.panelHeight + plot.gap);
  const bottom = top + plot.panelHeight;
  const most = roomOf(series.points);
  const scale = scaleLinear()
    .domain([0, most > 0 ? most * 1.08 : 1])
    .range([bottom, top])
    .clamp(true);
  const points = series.points.map((point, at) => ({ ...point, x: runX(plot, at, series.points.length), y: scale }));
  const last = points.findLast(({ isUsable, value }) => isUsable && value !== undefined);
  const line = trendLine(points);
  return (
    <g>
      <text
        x="4"
        y={plot.isNarrow ? top - 10 : top + plot.panelHeight / 2 + 5}
        font-size="13"
        font-weight="600"
        fill="currentColor"
      >
        {series.name}
      </text>
      {(most > 0 ? scale.ticks(3) : [0]).map((tick) => (
        <g>
          <StraightLine
            from={[plot.left, scale(tick)]}
            to={[plot.right, scale(tick)]}
            stroke={palette.grid}
            stroke-opacity="0.3"
          />
          <text x={plot.left - 8} y={px(scale(tick) + 4)} text-anchor="end" font-size="11" fill="currentColor">
            {tick === 0 ? "0" : series.format(tick)}
          </text>
        </g>
      ))}
      {line === "" ? null : <path d={line} fill="none" stroke={palette.accent} stroke-width="1.6" />}
      {points.map((point) => (
        <Mark point={point} isHovered={!plot.isNarrow} />
      ))}
      {last?.value === undefined ? null : (
        <text x={px(last.x + 10)} y={px(scale(last.value) - 7)} font-size="13" font-weight="600" fill="currentColor">
          {series.format(last.value)}
        </text>
      )}
    </g>
  );
};
