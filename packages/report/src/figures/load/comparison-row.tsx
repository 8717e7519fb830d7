import type { MetricComparison } from "@assay/results";
import type { JSX } from "preact";
import { palette } from "../../printers/html/palette.ts";
import { comparisonWords } from "../../document/load-words.ts";
import { formatChange, formatTime, formatNumber, formatShare } from "../../document/shown-number.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapText } from "../../printers/terminal/wrap-text.ts";
import { changePlot, type ChangeScale, computeMarginEnds } from "./change-scale.ts";
import { drawLinePath, type Point } from "../shapes.ts";
import { px } from "../svg-number.ts";

/** The colour of a verdict, next to its sign and word. */
export const verdictColours = {
  improved: palette.good,
  unchanged: palette.good,
  regressed: palette.bad,
  inconclusive: palette.unknown,
} as const satisfies Record<MetricComparison["verdict"], string>;

/** Formats a value of a metric with its unit: `>` before a lower bound, a dash if there is no value. */
export const formatValue = ({ metric }: MetricComparison, value: number | undefined, isCensored?: true): string => {
  if (value === undefined || !Number.isFinite(value)) {
    return "-";
  }
  return metric === "throughput" ? `${formatNumber(value)}/s` : `${formatTime(value, isCensored)} ms`;
};

const keepFinite = (value: number | undefined): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : value;

const formatEnd = (value: number | undefined): string => (keepFinite(value) === undefined ? "…" : formatChange(value));

/** Formats the interval of a change, such as `[-1.2 %, +2.8 %]`. An unknown end is `…`. */
export const formatChangeInterval = ({ low, high }: MetricComparison): string =>
  `[${formatEnd(low)}, ${formatEnd(high)}]`;

/** Returns the mark at one end of an interval: a stroke, or an arrow if it continues beyond the plot or has no end. */
const drawEndMark = (
  value: number | undefined,
  side: -1 | 1,
  { y, scale }: { y: number; scale: ChangeScale },
): readonly Point[] => {
  if (value !== undefined && scale.isInside(value)) {
    const x = scale.x(value);
    return [
      [x, y - 6],
      [x, y + 6],
    ];
  }
  const tip = side < 0 ? changePlot.left - 6 : changePlot.right + 6;
  return [
    [tip - side * 8, y - 6],
    [tip, y],
    [tip - side * 8, y + 6],
  ];
};

/** Maximum characters and lines of a note in a plot without marks. */
const noteColumns = 66;
const noteLines = 3;

const drawIntervalPath = (row: MetricComparison, y: number, scale: ChangeScale): string => {
  const low = keepFinite(row.low);
  const high = keepFinite(row.high);
  const from = low !== undefined && scale.isInside(low) ? scale.x(low) : changePlot.left - 6;
  const to = high !== undefined && scale.isInside(high) ? scale.x(high) : changePlot.right + 6;
  const ends = [drawEndMark(low, -1, { y, scale }), drawEndMark(high, 1, { y, scale })] as const;
  return drawLinePath([[from, y], [to, y], undefined, ...ends[0], undefined, ...ends[1]]);
};

const Marks = ({
  row,
  y,
  scale,
}: {
  readonly row: MetricComparison;
  readonly y: number;
  readonly scale: ChangeScale;
}) => {
  const colour = verdictColours[row.verdict];
  const change = keepFinite(row.change);
  if (change === undefined) {
    return (
      <g fill="currentColor" text-anchor="middle">
        {wrapText(`no verdict: ${escapeForDisplay(row.note ?? "too few samples")}`, noteColumns)
          .slice(0, noteLines)
          .map((line, lineIndex) => (
            <text x={(changePlot.left + changePlot.right) / 2} y={y - 10 + lineIndex * 14} font-size="11.5">
              {line}
            </text>
          ))}
      </g>
    );
  }
  return (
    <g stroke={colour} stroke-width="2.4" fill="none">
      <path d={drawIntervalPath(row, y, scale)} />
      {row.verdict === "inconclusive" ? (
        <circle cx={px(scale.x(change))} cy={y} r="5" fill={palette.muted} fill-opacity="0.25" />
      ) : (
        <circle cx={px(scale.x(change))} cy={y} r="5" fill={colour} />
      )}
    </g>
  );
};

/** Columns for the reason of a missing verdict. */
const reasonColumns = 44;

/** Describes the reason of a missing verdict, or the margin and the detectable change. */
const formatSmallPrint = (row: MetricComparison, unit: string): string => {
  const { unitsNeeded } = row;
  if (row.verdict === "inconclusive" && unitsNeeded !== undefined) {
    return `no verdict: ${unitsNeeded} more ${unitsNeeded === 1 ? unit : `${unit}s`} needed`;
  }
  if (row.verdict === "inconclusive" && row.note !== undefined && keepFinite(row.change) !== undefined) {
    const [first, ...more] = wrapText(`no verdict: ${escapeForDisplay(row.note)}`, reasonColumns);
    return more.length === 0 ? first : `${first} …`;
  }
  return [
    `margin ${formatShare(row.margin)}`,
    ...(keepFinite(row.detectable) === undefined ? [] : [`${formatShare(row.detectable)} would have shown`]),
    `${row.units} ${row.units === 1 ? unit : `${unit}s`}`,
  ].join(" · ");
};

export interface ComparisonRowProps {
  readonly row: MetricComparison;
  /** Position of the row, from 0. */
  readonly index: number;
  readonly scale: ChangeScale;
  /** Noun for one unit: `pair` or `run`. */
  readonly unit: string;
}

/** Shows one metric: name and verdict, the interval of its change against the margin, and the values. */
export const ComparisonRow = ({ row, index, scale, unit }: ComparisonRowProps): JSX.Element => {
  const top = changePlot.top + index * changePlot.rowHeight;
  const y = top + changePlot.rowHeight / 2;
  const [low, high] = computeMarginEnds(row.margin);
  const { sign, word } = comparisonWords[row.verdict];
  return (
    <g>
      <title>{`${escapeForDisplay(row.metric, "name")}: ${word}, ${formatChange(row.change)} ${formatChangeInterval(row)}`}</title>
      <rect
        x={px(scale.x(low))}
        y={top + 5}
        width={px(scale.x(high) - scale.x(low))}
        height={changePlot.rowHeight - 10}
        fill={palette.muted}
        fill-opacity="0.22"
      />
      <Marks row={row} y={y} scale={scale} />
      <g fill="currentColor">
        <text x="4" y={y - 4} font-size="14" font-weight="600">
          {escapeForDisplay(row.metric, "name")}
        </text>
        <text x="4" y={y + 15} font-size="14" font-weight="600" fill={verdictColours[row.verdict]}>
          {`${sign} ${word}`}
        </text>
        <text x={changePlot.right + 22} y={y - 4} font-size="13">
          {row.base === undefined && row.head === undefined
            ? "no values"
            : `${formatValue(row, row.base, row.baseIsCensored)} → ${formatValue(row, row.head, row.headIsCensored)}`}
        </text>
        <text x="956" y={y - 4} font-size="13" font-weight="600" text-anchor="end">
          {row.change === undefined ? "" : formatChange(row.change)}
        </text>
        <text x={changePlot.right + 22} y={y + 14} font-size="11.5">
          {formatSmallPrint(row, unit)}
        </text>
      </g>
    </g>
  );
};
