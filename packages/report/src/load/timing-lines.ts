import type { LoadInterval, LoadMetric, LoadResult, Percentile } from "@assay/results";
import type { Page } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { wrapIndented } from "../wrap-text.ts";
import { msText } from "./shown-number.ts";
import { fitsPage, tableLines, type TextTable } from "./table-lines.ts";

/** A percentile, with its interval where there is one. */
const percentileText = (percentile: Percentile | undefined, withInterval: boolean): string => {
  if (percentile === undefined) {
    return "-";
  }
  const { value, low, high } = percentile;
  return withInterval && low !== undefined && high !== undefined
    ? `${msText(value)} [${msText(low)}, ${msText(high)}]`
    : msText(value);
};

const isPaired = ({ run }: LoadResult): boolean => run.against !== undefined;

const rowOf = (metric: LoadMetric, { paired, withInterval }: { paired: boolean; withInterval: boolean }) => [
  shownText(metric.metric, "name"),
  ...(paired ? [metric.arm] : []),
  String(metric.count),
  percentileText(metric.p50, withInterval),
  percentileText(metric.p95, withInterval),
  percentileText(metric.p99, withInterval),
  msText(metric.maxMs),
];

/** Every metric of the measured part as a table, in milliseconds. */
export const timingTable = (result: LoadResult, withInterval: boolean): TextTable => {
  const paired = isPaired(result);
  return {
    head: ["metric", ...(paired ? ["arm"] : []), "n", "p50", "p95", "p99", "max"],
    rows: result.metrics.filter(({ count }) => count > 0).map((metric) => rowOf(metric, { paired, withInterval })),
  };
};

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

const barOf = (value: number | undefined, highest: number): string => {
  const level = value === undefined || highest <= 0 ? -1 : Math.round((value / highest) * (bars.length - 1));
  return bars[Math.min(bars.length - 1, level)] ?? "·";
};

/** At most so many neighbours as one; the largest stands for them. */
const thinned = (values: readonly (number | undefined)[], most: number): readonly (number | undefined)[] => {
  const step = Math.ceil(values.length / most);
  return Array.from({ length: Math.ceil(values.length / step) }, (_, index) => {
    const group = values.slice(index * step, (index + 1) * step).filter((value) => value !== undefined);
    return group.length === 0 ? undefined : Math.max(...group);
  });
};

const courseLine = (intervals: readonly LoadInterval[], title: string, page: Page): readonly string[] => {
  const values = intervals.map(({ p50Ms }) => p50Ms);
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const course = thinned(values, Math.max(10, page.columns - title.length - 24))
    .map((value) => barOf(value, highest))
    .join("");
  return highest === 0 ? [] : [`  ${title} ${course} up to ${msText(highest)} ms`];
};

/** How the median moved over the measured part, one character for each stretch; `·` where nothing came. */
const courseLines = (result: LoadResult, page: Page): readonly string[] => {
  const measured = result.intervals.filter(({ phase }) => phase === "measure");
  const arms = isPaired(result) ? (["a", "b"] as const) : (["a"] as const);
  return measured.length < 3
    ? []
    : arms.flatMap((arm) =>
        courseLine(
          measured.filter((interval) => interval.arm === arm),
          `p50 over time${arms.length > 1 ? `, ${arm}` : ""}`,
          page,
        ),
      );
};

const legend =
  "in milliseconds from the planned sending; - where too few samples came for a percentile (20 for p50, 100 for p95, 500 for p99)";

/** The timings of the measured part; says so when there are none. */
export const timingLines = (result: LoadResult, page: Page): readonly string[] => {
  const { columns, paint } = page;
  const withInterval = fitsPage(timingTable(result, true), page);
  const lines = tableLines(timingTable(result, withInterval), page);
  const intervals = withInterval ? "; in brackets the 95 % interval" : "";
  return lines.length === 0
    ? [paint.bold("Timings: nothing was measured")]
    : [
        paint.bold("Timings"),
        ...wrapIndented(`${legend}${intervals}`, { columns, indent: 2 }).map(paint.dim),
        ...lines,
        ...courseLines(result, page),
      ];
};
