import { type ComparedMetric, comparedMetrics, comparisonPresets } from "@assay/results";
import { presets, familyAlpha } from "../presets.ts";
import { percent } from "../comparison-summary.ts";
import { pairedConfidence } from "../compare-paired.ts";
import { pairedMetricsOf } from "../paired-metrics.ts";
import { shareAtLeast, shareAtMost } from "./binomial-bounds.ts";
import type { SimulatedCensored } from "./simulate-censored.ts";
import type { SimulatedColumn, SimulatedPreset } from "./simulate-preset.ts";
import type { SimulatedStored } from "./simulate-stored-many.ts";

/** One family of simulated paired comparisons, with a sentence that says what was simulated. */
export interface SimulatedFamily {
  readonly title: string;
  readonly presets: readonly SimulatedPreset[];
}

export interface SimulationResults {
  readonly paired: readonly SimulatedFamily[];
  readonly tail: readonly SimulatedPreset[];
  /** Questions, polled at this share of the typical time to their end. */
  readonly conversations: readonly SimulatedFamily[];
  /** Runs in which something was not seen to the end. */
  readonly censored: readonly SimulatedCensored[];
  readonly stored: readonly SimulatedStored[];
}

/** Confidence of the bounds that go with simulated shares. */
export const boundConfidence = 0.99;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const share = (hits: number, trials: number): string =>
  `${percent(hits / trials)} (${percent(shareAtLeast(hits, trials, boundConfidence))} to ${percent(shareAtMost(hits, trials, boundConfidence))})`;

const plainShare = (hits: number, trials: number): string => percent(hits / trials);

/** The table of presets; also proves that a committed page belongs to the presets of the code. */
export const presetTable = (): string =>
  table(
    [
      "preset",
      "pairs x requests",
      "warm-up pairs",
      "margin typical",
      "margin p95",
      "margin p99",
      "confidence of each interval",
    ],
    comparisonPresets.map((preset) => {
      const { pairs, requestsPerBlock, warmupPairs, margins } = presets[preset];
      const p99 = margins["first-match p99"];
      return [
        preset,
        `${pairs} x ${requestsPerBlock}`,
        `${warmupPairs}`,
        percent(margins["first-match by query"] ?? 0),
        percent(margins["first-match p95"] ?? 0),
        p99 === undefined ? "no verdict" : percent(p99),
        `${(pairedConfidence(pairedMetricsOf(preset, new Set(["stream"])).length) * 100).toFixed(2)} %`,
      ];
    }),
  );

const columnRow = (
  { preset: name, trials }: SimulatedPreset,
  shown: readonly ComparedMetric[],
  { change, offsetSd, overall, anyCalled, anyBesideZero, metrics }: SimulatedColumn,
): readonly string[] => [
  name,
  `+${percent(change)}`,
  percent(offsetSd),
  share(anyCalled, trials),
  plainShare(anyBesideZero, trials),
  plainShare(overall.regressed, trials),
  plainShare(overall.unchanged, trials),
  plainShare(overall.inconclusive, trials),
  ...shown.map((name) => {
    const verdicts = metrics.find(({ metric }) => metric === name)?.verdicts;
    return verdicts ? `${plainShare(verdicts.regressed, trials)} / ${plainShare(verdicts.unchanged, trials)}` : "-";
  }),
];

const pairedHead = [
  "preset",
  "true change",
  "instance sd",
  "any metric called",
  "any interval beside zero",
  "regressed",
  "unchanged",
  "inconclusive",
] as const;

/** All metrics of these presets, in the order of the widest. */
const metricsOf = (presets: readonly SimulatedPreset[]): readonly ComparedMetric[] =>
  comparedMetrics.filter((name) =>
    presets.some(({ columns }) => columns.some(({ metrics }) => metrics.some(({ metric }) => metric === name))),
  );

const shortName = (metric: ComparedMetric): string => metric.replace("first-match ", "");

const pairedTable = (presets: readonly SimulatedPreset[]): string => {
  const shown = metricsOf(presets);
  return table(
    [...pairedHead, ...shown.map(shortName)],
    presets.flatMap((preset) => preset.columns.map((column) => columnRow(preset, shown, column))),
  );
};

const widthTable = (presets: readonly SimulatedPreset[]): string => {
  const shown = metricsOf(presets);
  return table(
    ["preset", "trials", ...shown.map(shortName)],
    presets.map(({ preset, trials, halfWidths }) => [
      preset,
      `${trials}`,
      ...shown.map((name) => {
        const width = halfWidths.find(({ metric }) => metric === name);
        return width ? percent(width.halfWidth) : "-";
      }),
    ]),
  );
};

const storedTable = (stored: readonly SimulatedStored[]): string =>
  table(
    ["preset", "order", "true change", "trials", "any metric called", "regressed", "unchanged", "inconclusive"],
    stored.map(({ preset, order, change, trials, overall, anyCalled }) => [
      preset,
      order,
      `+${percent(change)}`,
      `${trials}`,
      share(anyCalled, trials),
      plainShare(overall.regressed, trials),
      plainShare(overall.unchanged, trials),
      plainShare(overall.inconclusive, trials),
    ]),
  );

const signed = (change: number): string => `${change < 0 ? "" : "+"}${percent(change)}`;

const censoredTable = (censored: readonly SimulatedCensored[]): string => {
  const shown = metricsOf(
    censored.map(({ preset, trials, column }) => ({ preset, trials, columns: [column], halfWidths: [] })),
  );
  return table(
    ["not seen", "preset", "true change", "any metric called", "any improved", ...shown.map(shortName)],
    censored.map(({ name, preset, trials, column }) => [
      name,
      preset,
      signed(column.change),
      share(column.anyCalled, trials),
      plainShare(column.anyImproved, trials),
      ...shown.map((metric) => {
        const verdicts = column.metrics.find((one) => one.metric === metric)?.verdicts;
        return verdicts ? `${plainShare(verdicts.regressed, trials)} / ${plainShare(verdicts.unchanged, trials)}` : "-";
      }),
    ]),
  );
};

const familySection = ({ title, presets }: SimulatedFamily): string =>
  `### ${title}\n\n${pairedTable(presets)}\n\nMean half-width of the intervals when nothing changed:\n\n${widthTable(presets)}\n`;

/** Everything simulated as one page of Markdown. */
export const renderSimulation = ({
  paired,
  tail,
  conversations,
  censored,
  stored,
}: SimulationResults): string => `# How often a comparison is right

Written by the simulation of \`packages/load\` with \`ASSAY_SIMULATION=full\`; no clock and no network take part, and the same seeds
give the same page. Each trial is a whole comparison: latencies are lognormal (standard deviation 0.45 of the
logarithm) with 3 % of requests 4 times slower, and all requests of a block share the weather of its slot: a drift of 4 %
that forgets slowly, and bursts of 25 %. "Instance sd" is by how much two processes of one version differ for good.

In parentheses stand the bounds between which the true share lies, each with ${percent(boundConfidence)} confidence. All metrics of a
comparison and its failures share an error of ${percent(familyAlpha)} (Bonferroni). With no true change, "any metric called" is the
share of false alarms. "Any interval beside zero" is how often a change would be called without margins. The columns of
single metrics say: called regressed / called unchanged.

## Presets

${presetTable()}

## Two live targets, alternating blocks

${paired.map(familySection).join("\n")}${tail.length === 0 ? "" : `\n### Only the share of slow requests grows, from 3 % by the true change\n\n${pairedTable(tail)}\n`}

## Two live targets that answer questions

A typical answer takes half a minute, polls a fifth of what a first match takes; everything else is as above, and one question comes
each second. When an answer was there is only known to lie between two polls: the interval holds the least and the most that the
times may be, so polls that are far apart cost decisions, never right ones. Served each second is counted over the time of the
questions and what a target that fell behind needed beyond it.

${conversations.map(familySection).join("\n")}
## Requests that were not seen to the end

What had not come when nobody watched any more is later than that, and what could not begin is later than the end of the run. The
interval of each metric holds whatever these would have taken, so that a verdict stands however they would have ended. A head of which a part
could not begin has never improved. The true change is that of all latencies; their shares of failures are judged apart, and not here.
Columns of single metrics say: called regressed / called unchanged.

${censoredTable(censored)}

## Stored runs, 10 against 10, 600 requests each

"On two days" adds to all runs of one side the same 5 % of standard deviation; "alternating" runs take turns in time. Where they
do not, the margins of times are doubled.

${storedTable(stored)}
`;
