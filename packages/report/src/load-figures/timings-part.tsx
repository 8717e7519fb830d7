import type { LoadMetric, LoadResult, Percentile } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { groupedNumber } from "../html/grouped-number.ts";
import { msText } from "../load/shown-number.ts";
import { shownText } from "../shown-text.ts";
import { DataTable } from "./data-table.tsx";
import { armMarks } from "./latency-arm.ts";
import { metricWords } from "./metric-words.ts";
import { percentileText } from "./percentile-text.ts";

const meaning = (name: string): string => {
  const known = Object.entries(metricWords).find(([metric]) => metric === name);
  return known === undefined ? "" : known[1];
};

/** A figure as it stands, or struck out where it is not to be used. */
const figure = (text: string, valid: boolean): ComponentChildren => (valid || text === "-" ? text : <s>{text}</s>);

const rowOf = (metric: LoadMetric, { valid, paired }: { readonly valid: boolean; readonly paired: boolean }) => {
  const percentiles: readonly (Percentile | undefined)[] = [metric.p50, metric.p95, metric.p99];
  return [
    <>
      {shownText(metric.metric, "name")} <small>{meaning(metric.metric)}</small>
    </>,
    ...(paired ? [armMarks[metric.arm].word] : []),
    groupedNumber(metric.count),
    figure(msText(metric.meanMs), valid),
    figure(msText(metric.minMs), valid),
    ...percentiles.map((percentile) => figure(percentileText(percentile), valid)),
    figure(msText(metric.maxMs), valid),
  ];
};

/** The timings of the measured part as a table; struck out where the run is invalid. */
export const TimingsPart = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const metrics = load.metrics.filter(({ count }) => count > 0);
  const { valid } = load.trust;
  const paired = load.run.against !== undefined;
  const caption = "Timings of the measured part, in ms";
  return metrics.length === 0 ? (
    <p>Nothing was measured.</p>
  ) : (
    <>
      <DataTable
        caption={valid ? caption : `NOT TO BE USED, the run is invalid. ${caption}`}
        head={["metric", ...(paired ? ["arm"] : []), "n", "mean", "min", "p50", "p95", "p99", "max"]}
        rows={metrics.map((metric) => rowOf(metric, { valid, paired }))}
      />
      <p class="fig-caption">
        From the planned sending; in brackets the 95 % interval (order statistics). A dash: too few samples (20 for p50,
        100 for p95, 500 for p99).
      </p>
    </>
  );
};
