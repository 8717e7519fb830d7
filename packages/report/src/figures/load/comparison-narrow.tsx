import type { MetricComparison } from "@assay/results";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { comparisonWords } from "../../document/load-words.ts";
import { formatChange, formatShare } from "../../document/shown-number.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { changePlot, type ChangeScale, computeMarginEnds } from "./change-scale.ts";
import { formatValue, verdictColours } from "./comparison-row.tsx";
import { narrowWidth } from "../figure-frame.tsx";
import { px } from "../svg-number.ts";

const rowHeight = 74;

const plot = { left: 10, right: narrowWidth - 10 } as const;

/** Returns the height of the narrow figure for a number of metrics. */
export const computeNarrowHeight = (metricCount: number): number => metricCount * rowHeight + 4;

interface NarrowRowProps {
  readonly row: MetricComparison;
  readonly index: number;
  readonly scale: ChangeScale;
}

/** Shows one metric on a narrow page: name and verdict, then the interval against the margin, then the values. */
const NarrowRow = ({ row, index, scale }: NarrowRowProps): JSX.Element => {
  const top = index * rowHeight;
  const y = top + 36;
  const toX = (change: number): number =>
    plot.left + ((scale.x(change) - changePlot.left) / (changePlot.right - changePlot.left)) * (plot.right - plot.left);
  const [low, high] = computeMarginEnds(row.margin);
  const { sign, word } = comparisonWords[row.verdict];
  const colour = verdictColours[row.verdict];
  const values =
    row.change === undefined
      ? `no verdict: ${escapeForDisplay(row.note ?? "too few samples", "name").slice(0, 46)}`
      : `${formatValue(row, row.base, row.baseIsCensored)} → ${formatValue(row, row.head, row.headIsCensored)}, ${formatChange(row.change)}, margin ${formatShare(row.margin)}`;
  return (
    <g fill="currentColor">
      <text x="4" y={top + 16} font-size="13" font-weight="600">
        {escapeForDisplay(row.metric, "name")}
      </text>
      <text x={narrowWidth - 4} y={top + 16} font-size="13" font-weight="600" text-anchor="end" fill={colour}>
        {`${sign} ${word}`}
      </text>
      <rect
        x={px(toX(low))}
        y={y - 11}
        width={px(toX(high) - toX(low))}
        height="22"
        fill={palette.muted}
        fill-opacity="0.22"
      />
      <line x1={px(toX(0))} x2={px(toX(0))} y1={y - 13} y2={y + 13} stroke="currentColor" stroke-opacity="0.8" />
      {row.change === undefined ? null : (
        <g stroke={colour} stroke-width="2.4">
          <line
            x1={px(row.low === undefined ? plot.left : toX(row.low))}
            x2={px(row.high === undefined ? plot.right : toX(row.high))}
            y1={y}
            y2={y}
          />
          <circle cx={px(toX(row.change))} cy={y} r="4.5" fill={colour} />
        </g>
      )}
      <text x="4" y={top + 66} font-size="12">
        {values}
      </text>
    </g>
  );
};

interface NarrowComparisonProps {
  readonly metrics: readonly MetricComparison[];
  readonly scale: ChangeScale;
}

/** Shows every metric of a comparison on a narrow page. */
export const NarrowComparison = ({ metrics, scale }: NarrowComparisonProps): JSX.Element => (
  <>
    {metrics.map((row, index) => (
      <NarrowRow row={row} index={index} scale={scale} />
    ))}
  </>
);
