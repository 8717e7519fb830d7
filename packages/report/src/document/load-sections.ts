import { listSides } from "@assay/contract";
import type { LoadInterval, LoadMetric, LoadResult, Percentile } from "@assay/results";
import { counted, formatGrouped } from "./counted.ts";
import {
  type Block,
  type Entry,
  fold,
  list,
  onPage,
  type Section,
  createTableBlock,
  paragraph,
  type TextTable,
} from "./document.ts";
import {
  describeCanary,
  formatCounts,
  describeGenerator,
  isPaired,
  isUnsent,
  describeMeasured,
  describeOutcomes,
  formatSeverity,
  isThresholdApplicable,
  describeThreshold,
  listViolations,
  getLoadValidity,
  validityWords,
} from "./load-facts.ts";
import { createConditionsTable, createOutcomesTable, createViolationsTable } from "./load-tables.ts";
import { getConditionWords, metricWords } from "./load-words.ts";
import { verdictWords } from "./outcome-words.ts";
import { formatInterval, formatPercentile } from "./percentile-text.ts";
import { formatMs, formatTime } from "./shown-number.ts";

/** Formats the maximum time. If an unfinished request was observed for longer, the result is `>` and that time. */
export const formatMaxTime = ({ count, maxMs, censored }: LoadMetric): string =>
  censored !== undefined && (count === 0 || censored.longestMs >= maxMs)
    ? formatTime(censored.longestMs, true)
    : formatMs(maxMs);

const isMeasured = ({ count, censored }: LoadMetric): boolean => count > 0 || censored !== undefined;

interface TimingColumns {
  readonly hasSides: boolean;
  readonly showIntervals: boolean;
}

const formatPlainPercentile = (percentile: Percentile | undefined, showInterval: boolean): string => {
  if (percentile === undefined) {
    return "-";
  }
  const interval = showInterval ? formatInterval(percentile) : undefined;
  const value = formatTime(percentile.value, percentile.isCensored);
  return interval === undefined ? value : `${value} ${interval.replace("\u00A0", " ")}`;
};

/** Counts finished samples, and those that were unfinished when measuring stopped. */
const formatCount = ({ count, censored }: LoadMetric): string =>
  censored === undefined ? String(count) : `${count} + ${censored.count}`;

const createTimingRow = (metric: LoadMetric, { hasSides, showIntervals }: TimingColumns): readonly string[] => [
  metric.metric,
  ...(hasSides ? [metric.side] : []),
  formatCount(metric),
  ...[metric.p50, metric.p95, metric.p99].map((percentile) => formatPlainPercentile(percentile, showIntervals)),
  formatMaxTime(metric),
];

/** Lists all metrics of the measured part, in milliseconds. */
const createTimingTable = (result: LoadResult, showIntervals: boolean): TextTable => {
  const hasSides = isPaired(result);
  return {
    head: ["metric", ...(hasSides ? ["side"] : []), "n", "p50", "p95", "p99", "max"],
    rows: result.metrics.filter(isMeasured).map((metric) => createTimingRow(metric, { hasSides, showIntervals })),
  };
};

/** Like `createTimingTable`, with additional columns for mean, min and unfinished requests. Struck out in an invalid run. */
const createPageTimingTable = (result: LoadResult): TextTable => {
  const metrics = result.metrics.filter(isMeasured);
  const hasUnfinished = metrics.some((metric) => metric.censored !== undefined);
  const hasSides = isPaired(result);
  const isVoid = getLoadValidity(result) === "invalid";
  const caption = "Timings of the measured part, in ms";
  return {
    caption: isVoid ? `NOT TO BE USED, the run is invalid. ${caption}` : caption,
    head: [
      "metric",
      ...(hasSides ? ["side"] : []),
      "n",
      ...(hasUnfinished ? ["unfinished"] : []),
      "mean",
      "min",
      "p50",
      "p95",
      "p99",
      "max",
    ],
    notes: metrics.map(({ metric }) => metricWords[metric] ?? ""),
    isVoid,
    rows: metrics.map((metric) => [
      metric.metric,
      ...(hasSides ? [metric.side] : []),
      formatGrouped(metric.count),
      ...(hasUnfinished ? [formatGrouped(metric.censored?.count ?? 0)] : []),
      // If there are unfinished requests, the mean is unknown.
      metric.censored === undefined ? formatMs(metric.meanMs) : "-",
      metric.count === 0 ? "-" : formatMs(metric.minMs),
      ...[metric.p50, metric.p95, metric.p99].map(formatPercentile),
      formatMaxTime(metric),
    ]),
  };
};

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

const selectBarCharacter = (value: number | undefined, max: number): string => {
  const level = value === undefined || max <= 0 ? -1 : Math.round((value / max) * (bars.length - 1));
  return bars[Math.min(bars.length - 1, level)] ?? "·";
};

/** Reduces values to at most `max` by replacing adjacent values with their maximum. */
const thinOut = (values: readonly (number | undefined)[], max: number): readonly (number | undefined)[] => {
  const step = Math.ceil(values.length / max);
  return Array.from({ length: Math.ceil(values.length / step) }, (_, index) => {
    const group = values.slice(index * step, (index + 1) * step).filter((value) => value !== undefined);
    return group.length === 0 ? undefined : Math.max(...group);
  });
};

const maxCourseColumns = 50;

const plotCourse = (intervals: readonly LoadInterval[], title: string): readonly string[] => {
  const values = intervals.map(({ p50Ms }) => p50Ms);
  const max = Math.max(0, ...values.map((value) => value ?? 0));
  const course = thinOut(values, maxCourseColumns)
    .map((value) => selectBarCharacter(value, max))
    .join("");
  return max === 0 ? [] : [`${title} ${course} up to ${formatMs(max)} ms`];
};

/** Plots the median over time, with one character for each period, or `·` if nothing was measured. */
const plotCourses = (result: LoadResult): readonly string[] => {
  const measured = result.intervals.filter(({ phase }) => phase === "measure");
  const sides = listSides(result.plan.targets);
  return measured.length < 3
    ? []
    : sides.flatMap((side) =>
        plotCourse(
          measured.filter((interval) => interval.side === side),
          `p50 over time${sides.length > 1 ? `, ${side}` : ""}`,
        ),
      );
};

const legend =
  "in milliseconds from the planned sending; - with fewer samples than a percentile needs (20 for p50, 100 for p95, 500 for p99); in brackets the 95 % interval";
const unfinishedLegend =
  "; > and + for requests that had not finished when measuring stopped: they are slower than that";

const pageLegend =
  "From the planned sending; in brackets the 95 % interval (order statistics). A dash: too few samples (20 for p50, 100 for p95, 500 for p99).";
const unfinishedPageLegend =
  " Percentiles include requests that had not finished when measuring stopped: > means slower than that.";

/** Describes the timings of the measured part. */
export const createTimingsSection = (result: LoadResult): Section => {
  const title = "Timings";
  if (isUnsent(result)) {
    return { title, blocks: [] };
  }
  if (!result.metrics.some(isMeasured)) {
    return { title, blocks: [paragraph("nothing was measured")] };
  }
  const hasUnfinished = result.metrics.some((metric) => metric.censored !== undefined);
  return {
    title,
    blocks: [
      onPage(
        [
          ...createTableBlock(createPageTimingTable(result)),
          paragraph(`${pageLegend}${hasUnfinished ? unfinishedPageLegend : ""}`, { isFaint: true }),
        ],
        [
          paragraph(`${legend}${hasUnfinished ? unfinishedLegend : ""}`, { isFaint: true }),
          { kind: "table", table: createTimingTable(result, true), narrow: createTimingTable(result, false) },
          ...plotCourses(result).map((course) => paragraph(course)),
        ],
      ),
    ],
  };
};

const maxCodes = 20;

/** Lists violations in the streams and conversations of the load, with their counts. */
export const createContractSection = (result: LoadResult): Section => {
  const { sign, word } = verdictWords.failed;
  const codes = listViolations(result);
  const entries = codes.map(([code, count]): Entry => ({
    sign,
    line: [`${word}  `, { name: code }, `, ${counted(count, "time")}`],
  }));
  return {
    sign,
    title: "Violations under load",
    blocks:
      codes.length === 0
        ? []
        : [onPage(createTableBlock(createViolationsTable(result)), list(entries, { max: maxCodes }))],
  };
};

/** Lists the outcomes of requests, and the permitted choices of the target. */
export const createLoadRequestsSection = (result: LoadResult): Section => {
  const sentences = describeOutcomes(result);
  const choices = formatCounts(result.observations);
  const noneMeasured = [paragraph("none was measured")];
  return {
    title: "Requests",
    blocks: isUnsent(result)
      ? []
      : [
          ...(sentences.length === 0
            ? noneMeasured
            : [onPage(createTableBlock(createOutcomesTable(result)), list(sentences.map((line) => ({ line }))))]),
          ...(choices === "" ? [] : [onPage([], [paragraph(`unspecified behaviour: ${choices}`, { isFaint: true })])]),
        ],
  };
};

/** Lists warnings that do not change the exit code. They are printed first. */
export const createWarningSection = ({ warnings = [] }: LoadResult): Section => {
  const { sign } = verdictWords.warned;
  return { blocks: list(warnings.map((warning) => ({ sign, line: `warning: ${warning}` }))) };
};

/** Describes the rate at which the target reached its capacity. */
export const createKneeSection = ({ knee }: LoadResult): Section => ({
  title: "Knee",
  blocks: knee === undefined ? [] : [paragraph(knee.sentence)],
});

const maxRules = 10;

/** Describes the results of the canary: contract checks during the load. `folder` is the folder of the run. */
export const createCanarySection = (result: LoadResult, folder?: string): Section => {
  const { canary, run } = result;
  const title = ["Canary", ...(run.against === undefined ? [] : [" on ", { url: run.against }])];
  if (canary === undefined || (isUnsent(result) && canary.exchanges === 0)) {
    return { title, blocks: [] };
  }
  const failedSign = verdictWords.failed.sign;
  const hasPassed = canary.failed.length === 0 && canary.outcome === "passed";
  const sign =
    canary.failed.length > 0 ? failedSign : hasPassed ? verdictWords.passed.sign : verdictWords["blocked"].sign;
  const failed = canary.failed.map(({ rule, message }): Entry => ({
    sign: failedSign,
    line: [{ name: rule }, ": ", message],
  }));
  const canaryPath = `${folder === undefined ? "" : `${folder}/`}${canary.folder}`;
  return {
    title,
    blocks: list([
      {
        sign,
        line: describeCanary(canary),
        children: [
          ...(hasPassed ? [] : [paragraph(canary.summary)]),
          ...list(failed, { max: maxRules }),
          paragraph(
            [
              "judged again by: npx assay judge ",
              { url: canaryPath },
              ...(folder === undefined ? [" in the folder of the run"] : []),
            ],
            { isFaint: true },
          ),
        ],
      },
    ]),
  };
};

const maxLeftovers = 10;

/** Lists conversations that the run created on the target, and the ones that were not deleted. */
export const createCleanUpSection = ({ cleanUp }: LoadResult): Section => {
  const title = "Clean-up";
  if (cleanUp === undefined || (cleanUp.created === 0 && cleanUp.left.length === 0)) {
    return { title, blocks: [] };
  }
  const { created, removed, left } = cleanUp;
  const { sign } = left.length === 0 ? verdictWords.passed : verdictWords.warned;
  return {
    title,
    blocks: [
      ...list([{ sign, line: `${counted(created, "conversation")} made, ${removed} removed, ${left.length} left` }]),
      ...list(
        left.map((leftover) => ({ line: ["left: ", leftover] })),
        { max: maxLeftovers, restHint: "; `assay cleanup` removes what can be removed" },
      ),
    ],
  };
};

const createVoidNotice = (result: LoadResult): readonly Block[] => {
  if (getLoadValidity(result) !== "invalid") {
    return [];
  }
  const hasApplicable = result.thresholds.some((threshold) => isThresholdApplicable(result, threshold));
  return [
    paragraph(
      hasApplicable
        ? "In an invalid run a threshold counts only where a late generator does not explain that it failed"
        : "NOT TO BE USED: in an invalid run no threshold counts",
    ),
  ];
};

/** Lists the thresholds of the run with their measured values. The page strikes out thresholds that do not apply. */
export const createThresholdsSection = (result: LoadResult): Section => {
  const thresholds = isUnsent(result) ? [] : result.thresholds;
  const entries = thresholds.map((threshold): Entry => {
    const { sign, word } = getConditionWords(threshold.ok);
    const isWarning = threshold.severity === "warn" && threshold.ok === false;
    return { sign: isWarning ? verdictWords.warned.sign : sign, line: `${word}  ${describeThreshold(threshold)}` };
  });
  const pageEntries = thresholds.map((threshold, index): Entry => {
    const severity = formatSeverity(threshold);
    return isThresholdApplicable(result, threshold)
      ? (entries[index] ?? { line: "" })
      : {
          sign: "?",
          line: [
            `does not count  ${threshold.threshold}${severity === "" ? "" : ` (${severity})`}: `,
            { invalid: describeMeasured(threshold) },
          ],
        };
  });
  return {
    title: "Thresholds",
    blocks: thresholds.length === 0 ? [] : [onPage([...createVoidNotice(result), ...list(pageEntries)], list(entries))],
  };
};

const formatTrustTitle = (result: LoadResult, passedCount: number): string => {
  if (result.trust.valid) {
    return `The figures can be trusted: ${passedCount} of ${result.trust.checks.length} conditions were checked and passed`;
  }
  return isUnsent(result)
    ? "There are no figures, so nothing is said about speed"
    : "The figures cannot be trusted, so nothing is said about speed";
};

const validityNotices = {
  ok: undefined,
  undecided: "Too few samples came for a verdict on speed. The figures are those of the requests that were measured.",
  invalid:
    "This run is invalid: its figures are shown to find out why, and are not to be used. It has no verdict on speed.",
} as const;

/** For the page: explains why figures are invalid, and lists all conditions with value and threshold, folded if all passed. */
const createConditionBlocks = (result: LoadResult): readonly Block[] => {
  const validity = getLoadValidity(result);
  const notice = validityNotices[validity];
  const table = createTableBlock(createConditionsTable(result));
  const passedCount = result.trust.checks.filter(({ ok }) => ok === true).length;
  return [
    ...(notice === undefined
      ? []
      : [paragraph([`${validityWords[validity].sign} ${notice}`], { sign: validityWords[validity].sign })]),
    ...(table.length === 0 ? [paragraph("No condition was checked.")] : []),
    ...(validity === "ok" ? fold(`✓ ${counted(passedCount, "condition")} passed`, table) : table),
  ];
};

/** Describes the validity of the figures: lists the conditions that failed or could not be checked, or all of them if `showAll` is set. */
export const createTrustSection = (result: LoadResult, showAll: boolean): Section => {
  const { checks, valid } = result.trust;
  const passedCount = checks.filter(({ ok }) => ok === true).length;
  const conditionEntries = (isListed: (ok: boolean | undefined) => boolean): readonly Block[] =>
    list(
      checks
        .filter(({ check, ok }) => (isUnsent(result) ? check === "completed" : isListed(ok)))
        .map(({ check, ok, sentence }): Entry => ({
          sign: getConditionWords(ok).sign,
          line: [{ name: check }, ": ", sentence],
        })),
    );
  return {
    sign: getConditionWords(valid).sign,
    title: formatTrustTitle(result, passedCount),
    blocks: [
      onPage(
        [
          ...(getLoadValidity(result) === "ok" ? conditionEntries((ok) => ok !== true) : []),
          ...createConditionBlocks(result),
        ],
        conditionEntries((ok) => showAll || ok !== true),
      ),
      paragraph(describeGenerator(result), { isFaint: true }),
    ],
  };
};

/** Warns that a run ended early, so that its figures cover only a part. */
export const createEndedEarlySection = (result: LoadResult): Section => ({
  blocks:
    result.complete || isUnsent(result)
      ? []
      : list([
          { sign: "?", line: "The run ended early; what was recorded until then is stored, and is all that is shown" },
        ]),
});
