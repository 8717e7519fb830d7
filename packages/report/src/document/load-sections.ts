import { foundText } from "@assay/results";
import type {
  CanaryReport,
  LoadInterval,
  LoadMetric,
  LoadPlan,
  LoadResult,
  LoadThreshold,
  Percentile,
} from "@assay/results";
import { counted, sizeOf } from "./counted.ts";
import { outcomeWords, type Sign, verdictWords } from "./outcome-words.ts";
import { type Entry, list, type Section, text, type TextTable } from "./document.ts";
import { comparisonWords, conditionWords } from "./load-words.ts";
import { laterText, msText, plainNumber, shareText, stretchText } from "./shown-number.ts";

const warmUpOf = ({ blocks, warmupMs }: LoadPlan): string => {
  if (blocks !== undefined) {
    return `${counted(blocks.warmupPairs, "pair")} of warm-up`;
  }
  return warmupMs > 0 ? `${stretchText(warmupMs)} of warm-up` : "no warm-up";
};

/** What was sent and how fast, one clause. */
export const arrivalSentence = (plan: LoadPlan): string => {
  const { scenario, shape, ratePerSecond, durationMs, blocks } = plan;
  const arrivals = `${scenario} · ${shape}, ${plainNumber(ratePerSecond)}/s`;
  const length =
    blocks === undefined
      ? `for ${stretchText(durationMs)}`
      : `in ${counted(blocks.pairs, "pair")} of blocks of ${counted(blocks.requestsPerBlock, "request")}`;
  return `${arrivals} ${length} after ${warmUpOf(plan)}`;
};

/** Where the load went, one clause. */
export const targetSentence = ({ run }: LoadResult): string => {
  const target = `${run.target}${run.embedded ? " (embedded reference server)" : ""}`;
  return run.against === undefined ? target : `${target} against ${run.against}`;
};

/** How the run was made, clauses. */
export const runDetails = ({ run, judgement }: LoadResult): readonly string[] => [
  `limits ${run.limits}`,
  ...(judgement?.httpVersions ?? []).map((version) => `HTTP/${version}`),
  ...(run.preset === undefined ? [] : [`preset ${run.preset}`]),
  ...(run.processes === 1 ? [] : [`${run.processes} processes`]),
  `seed ${run.seed}`,
  `run ${run.id}`,
];

/** A percentile, with its interval where there is one. */
const percentileText = (percentile: Percentile | undefined, withInterval: boolean): string => {
  if (percentile === undefined) {
    return "-";
  }
  const { value, isLater, low, high } = percentile;
  const shown = laterText(value, isLater);
  return withInterval && low !== undefined && high !== undefined ? `${shown} [${msText(low)}, ${msText(high)}]` : shown;
};

/** How many samples came, and how many had not. */
const countText = ({ count, later }: LoadMetric): string =>
  later === undefined ? String(count) : `${count} + ${later.count}`;

/** The longest time; later than the longest watch where something was watched longer in vain. */
export const mostText = ({ count, maxMs, later }: LoadMetric): string =>
  later !== undefined && (count === 0 || later.longestMs >= maxMs) ? laterText(later.longestMs, true) : msText(maxMs);

const isPaired = ({ run }: LoadResult): boolean => run.against !== undefined;

const rowOf = (metric: LoadMetric, { paired, withInterval }: { paired: boolean; withInterval: boolean }) => [
  metric.metric,
  ...(paired ? [metric.arm] : []),
  countText(metric),
  percentileText(metric.p50, withInterval),
  percentileText(metric.p95, withInterval),
  percentileText(metric.p99, withInterval),
  mostText(metric),
];

/** Every metric of the measured part as a table, in milliseconds. */
const timingTable = (result: LoadResult, withInterval: boolean): TextTable => {
  const paired = isPaired(result);
  return {
    head: ["metric", ...(paired ? ["arm"] : []), "n", "p50", "p95", "p99", "max"],
    rows: result.metrics
      .filter(({ count, later }) => count > 0 || later !== undefined)
      .map((metric) => rowOf(metric, { paired, withInterval })),
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

/** Characters that a course has at most. */
const courseColumns = 50;

const courseOf = (intervals: readonly LoadInterval[], title: string): readonly string[] => {
  const values = intervals.map(({ p50Ms }) => p50Ms);
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const course = thinned(values, courseColumns)
    .map((value) => barOf(value, highest))
    .join("");
  return highest === 0 ? [] : [`${title} ${course} up to ${msText(highest)} ms`];
};

/** How the median moved over the measured part, one character for each stretch; `·` where nothing came. */
const coursesOf = (result: LoadResult): readonly string[] => {
  const measured = result.intervals.filter(({ phase }) => phase === "measure");
  const arms = isPaired(result) ? (["a", "b"] as const) : (["a"] as const);
  return measured.length < 3
    ? []
    : arms.flatMap((arm) =>
        courseOf(
          measured.filter((interval) => interval.arm === arm),
          `p50 over time${arms.length > 1 ? `, ${arm}` : ""}`,
        ),
      );
};

const legend =
  "in milliseconds from the planned sending; - where too few samples came for a percentile (20 for p50, 100 for p95, 500 for p99); in brackets the 95 % interval";
const laterLegend = "; > and + for what had not come when nobody watched any more: it is later than that";

/** Whether a run ended before anything of its load was sent, so that only why it did means something: it stands among the conditions. */
export const isUnsent = ({ outcomes, intervals, judgement, trust }: LoadResult): boolean =>
  Object.keys(outcomes).length === 0 &&
  intervals.every(({ ok, failed }) => ok + failed === 0) &&
  (judgement?.groups ?? []).length === 0 &&
  trust.checks.some(({ check, ok }) => check === "completed" && ok === false);

/** The timings of the measured part; says so when there are none. */
export const timingsSection = (result: LoadResult): Section => {
  const table = timingTable(result, true);
  if (isUnsent(result)) {
    return { title: "Timings", blocks: [] };
  }
  return table.rows.length === 0
    ? { title: "Timings", blocks: [text("nothing was measured")] }
    : {
        title: "Timings",
        blocks: [
          text(`${legend}${result.metrics.some(({ later }) => later !== undefined) ? laterLegend : ""}`, {
            isFaint: true,
          }),
          { kind: "table", table, narrow: timingTable(result, false) },
          ...coursesOf(result).map((course) => text(course)),
        ],
      };
};

type Counts = Readonly<Record<string, number | undefined>>;

const entriesOf = (counts: Counts): readonly (readonly [string, number])[] =>
  Object.entries(counts).flatMap(([key, count]) => (count === undefined || count === 0 ? [] : [[key, count] as const]));

/** Counts with the names of what they count, such as `118 ok, 2 timeout`. */
const countsText = (counts: Counts): string =>
  entriesOf(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, count]) => `${count} ${key}`)
    .join(", ");

/** How each kind of request of the measured part ended, a sentence for each kind. */
export const outcomeSentences = ({ outcomes }: LoadResult): readonly string[] =>
  Object.entries(outcomes)
    .map(([kind, counts]) => ({ kind, counted: countsText(counts) }))
    .filter(({ counted: each }) => each !== "")
    .map(({ kind, counted: each }) => `${kind}: ${each}`);

/** Each violated code with how often it was seen, most often first. */
export const violationEntries = ({ violations }: LoadResult): readonly (readonly [string, number])[] =>
  entriesOf(violations).toSorted(([, one], [, other]) => other - one);

const shownCodes = 20;

/** Violations in the streams and conversations of the load, each with the number of times. */
export const contractSection = (result: LoadResult): Section => {
  const { sign, word } = verdictWords.failed;
  const entries = violationEntries(result).map(([code, count]): Entry => ({
    sign,
    line: [`${word}  `, { name: code }, `, ${counted(count, "time")}`],
  }));
  return { sign, title: "Violations under load", blocks: list(entries, { most: shownCodes }) };
};

/** How the requests ended, and which choices the target made. */
export const requestsSectionOfLoad = (result: LoadResult): Section => {
  const sentences = outcomeSentences(result);
  const choices = countsText(result.observations);
  return {
    title: "Requests",
    blocks: isUnsent(result)
      ? []
      : [
          ...(sentences.length === 0 ? [text("none was measured")] : list(sentences.map((line) => ({ line })))),
          ...(choices === "" ? [] : [text(`unspecified behaviour: ${choices}`, { isFaint: true })]),
        ],
  };
};

/** What went otherwise than hoped and leaves the exit code, in the first lines. */
export const warningSection = ({ warnings = [] }: LoadResult): Section => {
  const { sign } = verdictWords.warned;
  return { blocks: list(warnings.map((warning) => ({ sign, line: `warning: ${warning}` }))) };
};

/** Whether a run that is not red was to compare and decided nothing. */
export const hasDecidedNothing = ({ outcome, comparison }: LoadResult): boolean =>
  outcome === "passed" && comparison?.verdict === "inconclusive";

/** Word and sign of a run: one that passed with a warning, or without an answer to whether something became slower, has not just passed. */
export const loadWords = (load: LoadResult): { readonly sign: Sign; readonly word: string } => {
  const { outcome, warnings = [] } = load;
  const passed =
    outcome === "passed" && warnings.length > 0
      ? {
          sign: verdictWords.warned.sign,
          word: warnings.length === 1 ? "passed with a warning" : "passed with warnings",
        }
      : outcomeWords[outcome];
  return hasDecidedNothing(load)
    ? {
        sign: comparisonWords.inconclusive.sign,
        word: `${passed.word}, comparison ${comparisonWords.inconclusive.word}`,
      }
    : passed;
};

/** At which rate the target could take no more. */
export const kneeSection = ({ knee }: LoadResult): Section => ({
  title: "Knee",
  blocks: knee === undefined ? [] : [text(knee.sentence)],
});

/** What the judges saw beside the load, one clause. */
export const canarySentence = ({ exchanges, observedRules, failed }: CanaryReport): string =>
  `${counted(exchanges, "exchange")} during the load, ${counted(observedRules, "rule")} tested, ${failed.length} failed`;

const shownRules = 10;

/** What the judges said about the streams and conversations that ran beside the load; `folder` is that of the run. */
export const canarySection = (result: LoadResult, folder?: string): Section => {
  const { canary, run } = result;
  const title = ["Canary", ...(run.against === undefined ? [] : [" on ", { url: run.against }])];
  if (canary === undefined || (isUnsent(result) && canary.exchanges === 0)) {
    return { title, blocks: [] };
  }
  const violated = verdictWords.failed.sign;
  const isWell = canary.failed.length === 0 && canary.outcome === "passed";
  const sign = canary.failed.length > 0 ? violated : isWell ? verdictWords.passed.sign : verdictWords["blocked"].sign;
  const failed = canary.failed.map(({ rule, message }): Entry => ({
    sign: violated,
    line: [{ name: rule }, ": ", message],
  }));
  const place = `${folder === undefined ? "" : `${folder}/`}${canary.folder}`;
  return {
    title,
    blocks: list([
      {
        sign,
        line: canarySentence(canary),
        below: [
          ...(isWell ? [] : [text(canary.summary)]),
          ...list(failed, { most: shownRules }),
          text(["judged again by: npx assay judge ", { url: place }], { isFaint: true }),
        ],
      },
    ]),
  };
};

const shownLeft = 10;

/** What the run made on the target, and what of it is still there. */
export const cleanUpSection = ({ cleanUp }: LoadResult): Section => {
  const title = "Clean-up";
  if (cleanUp === undefined || (cleanUp.created === 0 && cleanUp.left.length === 0)) {
    return { title, blocks: [] };
  }
  const { created, removed, left } = cleanUp;
  const { sign } = left.length === 0 ? verdictWords.passed : verdictWords.warned;
  return {
    title,
    blocks: [
      ...list([{ sign, line: `${created} conversations made, ${removed} removed, ${left.length} left` }]),
      ...list(
        left.map((what) => ({ line: ["left: ", what] })),
        { most: shownLeft, where: "; `assay cleanup` removes what can be removed" },
      ),
    ],
  };
};

/** What was measured of a threshold, one clause. */
export const measuredText = (threshold: LoadThreshold): string => {
  const found = foundText(threshold);
  const measured = found === "" && threshold.ok !== undefined ? "as k6 judged it" : found;
  const undecided = measured === "" ? "too few samples to say" : `not decided: ${measured}`;
  return threshold.ok === undefined ? undecided : measured;
};

/** What follows from a threshold that is missed, where that is not the usual. */
export const severityText = ({ severity }: LoadThreshold): string =>
  severity === undefined ? "" : { warn: "warning only", abort: "ends the run" }[severity];

/** A threshold with what was measured, one clause. */
export const thresholdSentence = (threshold: LoadThreshold): string => {
  const severity = severityText(threshold);
  return `${threshold.threshold}${severity === "" ? "" : ` (${severity})`}: ${measuredText(threshold)}`;
};

/** The absolute limits of the run, each with what was measured; none of a load that was not sent. */
export const thresholdsSection = (result: LoadResult): Section => ({
  title: "Thresholds",
  blocks: list(
    (isUnsent(result) ? [] : result.thresholds).map((threshold) => {
      const { sign, word } = conditionWords(threshold.ok);
      const isWarning = threshold.severity === "warn" && threshold.ok === false;
      return { sign: isWarning ? verdictWords.warned.sign : sign, line: `${word}  ${thresholdSentence(threshold)}` };
    }),
  ),
});

/** The machine that made the load, and how much of it was used, one clause. */
export const generatorText = ({ generator, environment }: LoadResult): string => {
  const machine = `${environment.cpuModel}, ${environment.cores} cores, k6 ${environment.k6Version}`;
  if (generator === undefined) {
    return machine;
  }
  const { cpuSeconds, wallSeconds, cores, maxRssBytes } = generator;
  const share = cpuSeconds / Math.max(0.001, wallSeconds * cores);
  return `${machine}; k6 used ${shareText(share)} of the processor and ${sizeOf(maxRssBytes)}`;
};

const trustTitle = (result: LoadResult, met: number): string => {
  if (result.trust.valid) {
    return `The figures can be trusted: ${met} of ${result.trust.checks.length} conditions were checked and passed`;
  }
  return isUnsent(result)
    ? "There are no figures, so nothing is said about speed"
    : "The figures cannot be trusted, so nothing is said about speed";
};

/**
 * Whether the figures mean something: with every condition that is not met or could not be checked, with `isWhole` also with those that
 * hold.
 */
export const trustSection = (result: LoadResult, isWhole: boolean): Section => {
  const { checks, valid } = result.trust;
  const met = checks.filter(({ ok }) => ok === true).length;
  const entries = checks
    .filter(({ check, ok }) => (isUnsent(result) ? check === "completed" : isWhole || ok !== true))
    .map(({ check, ok, sentence }): Entry => ({
      sign: conditionWords(ok).sign,
      line: [{ name: check }, ": ", sentence],
    }));
  return {
    sign: conditionWords(valid).sign,
    title: trustTitle(result, met),
    blocks: [...list(entries), text(generatorText(result), { isFaint: true })],
  };
};

/** That a run ended early, which makes all figures those of a part. */
export const endedEarlySection = (result: LoadResult): Section => ({
  blocks:
    result.complete || isUnsent(result)
      ? []
      : list([
          { sign: "?", line: "The run ended early; what was recorded until then is stored, and is all that is shown" },
        ]),
});
