import { scaleLinear } from "d3-scale";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { drawLinePath } from "../shapes.ts";
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
  /** True if each panel's name is above it instead of to its left. */
  readonly isNarrow: boolean;
}

export const trendPlot: TrendPlot = { left: 116, right: 880, top: 14, panelHeight: 92, gap: 22, isNarrow: false };

/** Bounds on a narrow page. */
export const narrowTrendPlot: TrendPlot = { left: 44, right: 352, top: 26, panelHeight: 72, gap: 36, isNarrow: true };

/** Returns the horizontal position of a run. `index` counts from 0. */
export const computeRunX = ({ left, right }: TrendPlot, index: number, count: number): number => {
  const slot = Math.min((right - left) / 6, (right - left - 72) / Math.max(1, count - 1));
  return left + 24 + index * slot;
};

interface PlacedPoint extends TrendPoint {
  readonly x: number;
  readonly y: (value: number) => number;
}

const drawTrendLine = (points: readonly PlacedPoint[]): string =>
  drawLinePath(
    points.flatMap(({ isUsable, value, x, y }) => (isUsable && value !== undefined ? [[x, y(value)] as const] : [])),
  );

interface MarkProps {
  readonly point: PlacedPoint;
  /** False on a narrow page, which has the table instead. */
  readonly hasTooltip: boolean;
}

const Mark = ({ point, hasTooltip }: MarkProps): JSX.Element | null => {
  const { value, low, high, x, y, isUsable, tooltip } = point;
  if (value === undefined) {
    return null;
  }
  return (
    <g>
      {hasTooltip ? <title>{tooltip}</title> : null}
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

/** Returns the top of the scale: the highest value of valid runs, raised by at most half to include invalid ones. */
const findMaxDrawnValue = (points: readonly TrendPoint[]): number => {
  const valuesOfRuns = (areUsable: boolean): readonly number[] =>
    points
      .filter(({ isUsable }) => isUsable === areUsable)
      .map(({ value, high }) => Math.max(value ?? 0, (areUsable ? high : 0) ?? 0));
  const maxUsable = Math.max(0, ...valuesOfRuns(true));
  const maxUnusable = Math.max(0, ...valuesOfRuns(false));
  return maxUsable > 0 ? Math.max(maxUsable, Math.min(maxUnusable, maxUsable * 1.5)) : maxUnusable;
};

/** Plots one quantity over the runs, from zero. Valid runs are joined, others are hollow and separate. */
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
  const maxValue = findMaxDrawnValue(series.points);
  const scale = scaleLinear()
    .domain([0, maxValue > 0 ? maxValue * 1.08 : 1])
    .range([bottom, top])
    .clamp(true);
  const points = series.points.map((point, pointIndex) => ({
    ...point,
    x: computeRunX(plot, pointIndex, series.points.length),
    y: scale,
  }));
  const last = points.findLast(({ isUsable, value }) => isUsable && value !== undefined);
  const line = drawTrendLine(points);
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
      {(maxValue > 0 ? scale.ticks(3) : [0]).map((tick) => (
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
        <Mark point={point} hasTooltip={!plot.isNarrow} />
      ))}
      {last?.value === undefined ? null : (
        <text x={px(last.x + 10)} y={px(scale(last.value) - 7)} font-size="13" font-weight="600" fill="currentColor">
          {series.format(last.value)}
        </text>
      )}
    </g>
  );
};
