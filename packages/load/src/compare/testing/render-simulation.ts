import { type ComparedMetric, comparedMetrics, comparisonPresets } from "@assay/results";
import { presets, familyAlpha } from "../presets.ts";
import { formatPercent } from "../comparison-summary.ts";
import { computePairedConfidence } from "../compare-paired.ts";
import { selectPairedMetrics } from "../paired-metrics.ts";
import { shareAtLeast, shareAtMost } from "./binomial-bounds.ts";
import type { SimulatedCensored } from "./simulate-censored.ts";
import type { SimulatedColumn, SimulatedPreset } from "./simulate-preset.ts";
import type { SimulatedStored } from "./simulate-stored-many.ts";

/** One family of simulated paired comparisons, with a sentence about it. */
export interface SimulatedFamily {
  readonly title: string;
  readonly presets: readonly SimulatedPreset[];
}

export interface SimulationResults {
  readonly paired: readonly SimulatedFamily[];
  readonly tail: readonly SimulatedPreset[];
  /** Questions, polled at this share of the typical time to their end. */
  readonly conversations: readonly SimulatedFamily[];
  /** Runs with censored times. */
  readonly censored: readonly SimulatedCensored[];
  readonly stored: readonly SimulatedStored[];
}

/** Confidence of the bounds that go with simulated shares. */
export const boundConfidence = 0.99;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const share = (hits: number, trials: number): string =>
  `${formatPercent(hits / trials)} (${formatPercent(shareAtLeast(hits, trials, boundConfidence))} to ${formatPercent(shareAtMost(hits, trials, boundConfidence))})`;

const plainShare = (hits: number, trials: number): string => formatPercent(hits / trials);

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
        formatPercent(margins["first-match by query"] ?? 0),
        formatPercent(margins["first-match p95"] ?? 0),
        p99 === undefined ? "no verdict" : formatPercent(p99),
        `${(computePairedConfidence(selectPairedMetrics(preset, new Set(["stream"])).length) * 100).toFixed(2)} %`,
      ];
    }),
  );

const columnRow = (
  { preset, trials }: SimulatedPreset,
  shown: readonly ComparedMetric[],
  { change, offsetSd, overall, anyCalled, anyBesideZero, metrics }: SimulatedColumn,
): readonly string[] => [
  preset,
  `+${formatPercent(change)}`,
  formatPercent(offsetSd),
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

/** All metrics of these simulations, in the order of the widest. */
const metricsOf = (simulated: readonly SimulatedPreset[]): readonly ComparedMetric[] =>
  comparedMetrics.filter((name) =>
    simulated.some(({ columns }) => columns.some(({ metrics }) => metrics.some(({ metric }) => metric === name))),
  );

const shortName = (metric: ComparedMetric): string => metric.replace("first-match ", "");

const pairedTable = (simulated: readonly SimulatedPreset[]): string => {
  const shown = metricsOf(simulated);
  return table(
    [...pairedHead, ...shown.map(shortName)],
    simulated.flatMap((preset) => preset.columns.map((column) => columnRow(preset, shown, column))),
  );
};

const widthTable = (simulated: readonly SimulatedPreset[]): string => {
  const shown = metricsOf(simulated);
  return table(
    ["preset", "trials", ...shown.map(shortName)],
    simulated.map(({ preset, trials, halfWidths }) => [
      preset,
      `${trials}`,
      ...shown.map((name) => {
        const width = halfWidths.find(({ metric }) => metric === name);
        return width ? formatPercent(width.halfWidth) : "-";
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
      `+${formatPercent(change)}`,
      `${trials}`,
      share(anyCalled, trials),
      plainShare(overall.regressed, trials),
      plainShare(overall.unchanged, trials),
      plainShare(overall.inconclusive, trials),
    ]),
  );

const signed = (change: number): string => `${change < 0 ? "" : "+"}${formatPercent(change)}`;

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

const familySection = (family: SimulatedFamily): string =>
  `### ${family.title}\n\n${pairedTable(family.presets)}\n\nMean half-width of the intervals when nothing changed:\n\n${widthTable(family.presets)}\n`;

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

In parentheses stand the bounds between which the true share lies, each with ${formatPercent(boundConfidence)} confidence. All metrics of a
comparison and its failures share an error of ${formatPercent(familyAlpha)} (Bonferroni). With no true change, "any metric called" is the
share of false alarms. "Any interval beside zero" is how often a change would be called without margins. The columns of
single metrics say: called regressed / called unchanged.

## Presets

${presetTable()}

## Two live targets, alternating blocks

${paired.map(familySection).join("\n")}${tail.length === 0 ? "" : `\n### Only the share of slow requests grows, from 3 % by the true change\n\n${pairedTable(tail)}\n`}

## Two live targets that answer questions

A typical answer takes half a minute, a poll a fifth of the time to a first match. One question is asked each second; everything else is
as above. The end of an answer is only known to lie between two polls, and the interval allows for any time between them. Polls that are
far apart make more comparisons inconclusive, and no verdict wrong. Throughput counts over the time of the questions plus the backlog of
the target.

${conversations.map(familySection).join("\n")}
## Requests that were not seen to the end

Requests that had not finished when measuring stopped are censored: slower than the time they were watched for. Requests that could not
begin are slower than the end of the run. The interval of each metric allows for any time that these would have taken. A head that could
not begin all requests has never improved. The true change is that of all latencies. Failures are judged separately, and not here. The
columns of single metrics show: called regressed / called unchanged.

${censoredTable(censored)}

## Stored runs, 10 against 10, 600 requests each

"On two days" adds the same 5 % of standard deviation to all runs of one side. "Alternating" runs take turns in time. If they do not,
the margins of times are doubled.

${storedTable(stored)}
`;
