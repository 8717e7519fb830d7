import type { Comparison, MetricComparison, QueryComparison } from "@assay/results";
import { counted } from "./counted.ts";
import { type Block, type Entry, list, type Section, paragraph, type TextTable } from "./document.ts";
import { comparisonWords } from "./load-words.ts";
import { formatChange, formatTime, formatNumber, formatShare } from "./shown-number.ts";

const formatVerdict = (verdict: Comparison["verdict"]): string => {
  const { sign, word } = comparisonWords[verdict];
  return `${sign} ${word}`;
};

const formatInterval = ({ low, high }: MetricComparison): string =>
  low === undefined && high === undefined
    ? "-"
    : `[${low === undefined ? "…" : formatChange(low)}, ${high === undefined ? "…" : formatChange(high)}]`;

const formatValue = (
  metric: MetricComparison["metric"],
  value: number | undefined,
  isCensored: true | undefined,
): string => {
  if (metric !== "throughput") {
    return value === undefined ? "-" : formatTime(value, isCensored);
  }
  const text = formatNumber(value);
  return text === "-" ? text : `${text}/s`;
};

/** Lists all metrics with their verdict, both values, the change with its interval, and the smallest detectable change. */
export const createMetricTable = ({ metrics }: Comparison): TextTable => ({
  head: ["metric", "verdict", "base", "head", "change", "interval", "margin", "detectable"],
  leftColumns: 2,
  signs: metrics.map(({ verdict }) => comparisonWords[verdict].sign),
  rows: metrics.map((row) => [
    row.metric,
    formatVerdict(row.verdict),
    formatValue(row.metric, row.base, row.baseIsCensored),
    formatValue(row.metric, row.head, row.headIsCensored),
    formatChange(row.change),
    formatInterval(row),
    formatShare(row.margin),
    formatShare(row.detectable),
  ]),
});

const getUnitNoun = ({ design }: Comparison): string => (design === "paired" ? "pair" : "run");

const describeNeededUnits = ({ unitsNeeded, units }: MetricComparison, comparison: Comparison): readonly string[] =>
  unitsNeeded === undefined
    ? []
    : [`${counted(unitsNeeded, `more ${getUnitNoun(comparison)}`)} needed in addition to the ${units} measured`];

/** Returns one sentence for each inconclusive metric: the reason, or the direction in which it tends. */
export const listMetricNotes = (comparison: Comparison): readonly string[] =>
  comparison.metrics.flatMap((metric) => {
    const parts = [...(metric.note === undefined ? [] : [metric.note]), ...describeNeededUnits(metric, comparison)];
    return parts.length === 0 ? [] : [`${metric.metric}: ${parts.join("; ")}`];
  });

const timedNouns = {
  "first-match": "first matches",
  terminal: "ends of conversations",
  poll: "answers to polls",
} as const;

type TimedMetric = keyof typeof timedNouns;

const isTimed = (word: string | undefined): word is TimedMetric =>
  word !== undefined && Object.hasOwn(timedNouns, word);

/** Returns one sentence about unfinished requests for each kind of time. */
export const describeUnfinished = ({ metrics }: Comparison): readonly string[] => {
  const censoredByKind = new Map(
    metrics.flatMap(({ metric, censored }) => {
      const [word] = metric.split(" ");
      return censored !== undefined && isTimed(word) ? [[word, censored] as const] : [];
    }),
  );
  return [...censoredByKind].map(
    ([word, { base, head }]) =>
      `${base.censored} of ${base.of} ${timedNouns[word]} in the base and ${head.censored} of ${head.of} in the head had not arrived when measuring stopped: they count as slower than that (>), and the intervals allow for any time`,
  );
};

/** Describes the units and confidence of the table in one sentence. */
export const describeUnits = ({ metrics, design }: Comparison): string => {
  const confidence = metrics[0]?.confidence;
  const interval = confidence === undefined ? "" : `, with ${formatShare(confidence, 2)} intervals`;
  const units = metrics[0]?.units ?? 0;
  const source =
    design === "paired"
      ? counted(units, "pair of blocks", "pairs of blocks")
      : counted(units, "run of the smaller side", "runs of the smaller side");
  return `times in ms, from ${source}${interval}; a change below the margin does not count`;
};

const changeSentences = {
  stored:
    "base and head are the medians of the runs; the change is the median over all pairs of runs (Hodges-Lehmann), so it can differ from head divided by base",
  paired:
    "base and head are the medians of the blocks; the change is the Hodges-Lehmann estimate of the changes within pairs, so it can differ from head divided by base",
} as const satisfies Record<Comparison["design"], string>;

/** Explains in one sentence why a change can differ from head divided by base. */
export const explainChange = ({ design }: Comparison): string => changeSentences[design];

/** Describes the shares of failed requests in one sentence. Returns undefined if they were not compared. */
export const describeFailures = ({ failures }: Comparison): string | undefined =>
  failures === undefined
    ? undefined
    : `failed requests: ${failures.baseFailed} of ${failures.baseTotal} in the base, ${failures.headFailed} of ${failures.headTotal} in the head (p = ${failures.pValue.toPrecision(2)})`;

const maxNotes = 20;
const maxQueries = 5;

/** Selects queries that may have changed, largest change first. */
export const selectQueriesWorthALook = ({ queries }: Comparison): readonly QueryComparison[] =>
  queries
    .filter(({ worthALook }) => worthALook)
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, maxQueries);

/** Returns the first columns of a table, up to the change and its interval. */
const selectFirstColumns = ({ head, rows, ...rest }: TextTable): TextTable => ({
  ...rest,
  head: head.slice(0, 6),
  rows: rows.map((row) => row.slice(0, 6)),
});

const createFailuresEntry = (comparison: Comparison): readonly Entry[] => {
  const sentence = describeFailures(comparison);
  if (sentence === undefined || comparison.failures === undefined) {
    return [];
  }
  const { sign, word } = comparisonWords[comparison.failures.verdict];
  return [{ sign, line: `${word}  ${sentence}` }];
};

const createQueryBlocks = (comparison: Comparison): readonly Block[] => {
  const queries = selectQueriesWorthALook(comparison);
  const names = queries.flatMap(({ query, change }, index) => [
    index === 0 ? "" : ", ",
    { name: query },
    ` ${formatChange(change)}`,
  ]);
  return queries.length === 0
    ? []
    : [paragraph(["queries to look at (never part of the verdict): ", ...names], { isFaint: true })];
};

/** Describes a comparison below its headline: both sides, the verdict of each metric, failures, reasons, and queries to look at. */
export const createComparisonSection = (comparison: Comparison): Section => {
  const { design, preset, base, head, incomparable, metrics, verdict } = comparison;
  const designText = design === "paired" ? `paired${preset === undefined ? "" : `, preset ${preset}`}` : "stored runs";
  const table = createMetricTable(comparison);
  const { sign, word } = comparisonWords[verdict];
  return {
    sign,
    title: `Comparison (${designText}): ${word}`,
    blocks: [
      ...list([
        { label: "base", line: [{ url: base }] },
        { label: "head", line: [{ url: head }] },
      ]),
      ...(metrics.length === 0 ? [] : [paragraph(describeUnits(comparison), { isFaint: true })]),
      { kind: "table", table, narrow: selectFirstColumns(table) },
      ...(metrics.length === 0 ? [] : [paragraph(explainChange(comparison), { isFaint: true })]),
      ...list(
        [
          ...createFailuresEntry(comparison),
          ...[...describeUnfinished(comparison), ...listMetricNotes(comparison)].map((line) => ({ line })),
          ...incomparable.map((reason): Entry => ({ sign: "?", line: ["cannot be compared: ", reason] })),
        ],
        { max: maxNotes },
      ),
      ...createQueryBlocks(comparison),
    ],
  };
};
