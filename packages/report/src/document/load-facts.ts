import { describeMeasurement } from "@assay/results";
import type { CanaryReport, LoadPlan, LoadResult, LoadThreshold } from "@assay/results";
import { counted, formatSize } from "./counted.ts";
import { comparisonWords } from "./load-words.ts";
import { outcomeWords, type Sign, verdictWords } from "./outcome-words.ts";
import { formatNumber, formatShare, formatPeriod } from "./shown-number.ts";

const describeWarmUp = ({ blocks, warmupMs }: LoadPlan): string => {
  if (blocks !== undefined) {
    return `${counted(blocks.warmupPairs, "pair")} of warm-up`;
  }
  return warmupMs > 0 ? `${formatPeriod(warmupMs)} of warm-up` : "no warm-up";
};

/** Describes the requests and their rate as a clause. */
export const describeArrival = (plan: LoadPlan): string => {
  const { scenario, shape, ratePerSecond, durationMs, blocks } = plan;
  const arrivals = `${scenario} · ${shape}, ${formatNumber(ratePerSecond)}/s`;
  const extent =
    blocks === undefined
      ? `for ${formatPeriod(durationMs)}`
      : `in ${counted(blocks.pairs, "pair")} of blocks of ${counted(blocks.requestsPerBlock, "request")}`;
  return `${arrivals} ${extent} after ${describeWarmUp(plan)}`;
};

/** Describes the target of the load as a clause. */
export const describeTarget = ({ run }: LoadResult): string => {
  const target = `${run.target}${run.embedded ? " (embedded reference server)" : ""}`;
  return run.against === undefined ? target : `${target} against ${run.against}`;
};

/** Describes the settings of the run as clauses. */
export const listRunDetails = ({ run, judgement }: LoadResult): readonly string[] => [
  `limits ${run.limits}`,
  ...(judgement?.httpVersions ?? []).map((version) => `HTTP/${version}`),
  ...(run.preset === undefined ? [] : [`preset ${run.preset}`]),
  ...(run.processes === 1 ? [] : [`${run.processes} processes`]),
  `seed ${run.seed}`,
  `run ${run.id}`,
];

/** Reports whether a load compares two targets. */
export const isPaired = ({ run }: LoadResult): boolean => run.against !== undefined;

/** Reports whether the run ended before it sent a request. Then only the reason matters, which is among the conditions. */
export const isUnsent = ({ outcomes, intervals, judgement, trust }: LoadResult): boolean =>
  Object.keys(outcomes).length === 0 &&
  intervals.every(({ ok, failed }) => ok + failed === 0) &&
  (judgement?.groups ?? []).length === 0 &&
  trust.checks.some(({ check, ok }) => check === "completed" && ok === false);

/** Returns the validity of the figures of a load: `undecided` if it only lacks samples, `invalid` if a different condition failed. */
export const getLoadValidity = ({ trust: { valid, checks } }: LoadResult): "ok" | "undecided" | "invalid" => {
  if (valid) {
    return "ok";
  }
  const failedChecks = checks.filter(({ ok }) => ok === false);
  return failedChecks.length > 0 && failedChecks.every(({ check }) => check === "enough-samples")
    ? "undecided"
    : "invalid";
};

/** Sign and words for the validity of a load. */
export const validityWords = {
  ok: { sign: "✓", words: "generator ok" },
  undecided: { sign: "?", words: "undecided: too few samples" },
  invalid: { sign: "✗", words: "invalid: conditions failed" },
} as const;

type Counts = Readonly<Record<string, number | undefined>>;

const listNonZero = (counts: Counts): readonly (readonly [string, number])[] =>
  Object.entries(counts).flatMap(([key, count]) => (count === undefined || count === 0 ? [] : [[key, count] as const]));

/** Formats counts with their names, such as `118 ok, 2 timeout`. */
export const formatCounts = (counts: Counts): string =>
  listNonZero(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, count]) => `${count} ${key}`)
    .join(", ");

/** Describes the outcomes of measured requests, in one sentence for each kind. */
export const describeOutcomes = ({ outcomes }: LoadResult): readonly string[] =>
  Object.entries(outcomes)
    .map(([kind, counts]) => ({ kind, counts: formatCounts(counts) }))
    .filter(({ counts }) => counts !== "")
    .map(({ kind, counts }) => `${kind}: ${counts}`);

/** Returns the codes of violations with their counts, most frequent first. */
export const listViolations = ({ violations }: LoadResult): readonly (readonly [string, number])[] =>
  listNonZero(violations).toSorted(([, a], [, b]) => b - a);

/** Describes the measured value of a threshold as a clause. */
export const describeMeasured = (threshold: LoadThreshold): string => {
  const value = describeMeasurement(threshold);
  const measured = value === "" && threshold.ok !== undefined ? "as k6 judged it" : value;
  const undecided = measured === "" ? "too few samples to say" : `not decided: ${measured}`;
  return threshold.ok === undefined ? undecided : measured;
};

/** Describes the effect of a failed threshold. Returns an empty string for the default effect. */
export const formatSeverity = ({ severity }: LoadThreshold): string =>
  severity === undefined ? "" : { warn: "warning only", abort: "ends the run" }[severity];

/** Describes a threshold with its measured value as a clause. */
export const describeThreshold = (threshold: LoadThreshold): string => {
  const severity = formatSeverity(threshold);
  return `${threshold.threshold}${severity === "" ? "" : ` (${severity})`}: ${describeMeasured(threshold)}`;
};

/** Reports whether a threshold applies. In an invalid run it applies only if it fails regardless of the generator's delay. */
export const isThresholdApplicable = (load: LoadResult, { decisive }: LoadThreshold): boolean =>
  getLoadValidity(load) !== "invalid" || (decisive === true && load.outcome === "performance-failed");

/** Describes the results of the canary as a clause. */
export const describeCanary = ({ exchanges, observedRules, failed }: CanaryReport): string =>
  `${counted(exchanges, "exchange")} during the load, ${counted(observedRules, "rule")} tested, ${failed.length} failed`;

/** Describes the machine that generated the load, and its utilization, as a clause. */
export const describeGenerator = ({ generator, environment }: LoadResult): string => {
  const machine = `${environment.cpuModel}, ${environment.cores} cores, k6 ${environment.k6Version}`;
  if (generator === undefined) {
    return machine;
  }
  const { cpuSeconds, wallSeconds, cores, maxRssBytes } = generator;
  const share = cpuSeconds / Math.max(0.001, wallSeconds * cores);
  return `${machine}; k6 used ${formatShare(share)} of the processor and ${formatSize(maxRssBytes)}`;
};

/** Reports whether a run passed but its comparison was inconclusive. */
export const hasInconclusiveComparison = ({ outcome, comparison }: LoadResult): boolean =>
  outcome === "passed" && comparison?.verdict === "inconclusive";

/** Returns the sign and word of a load. The word includes warnings and an inconclusive comparison. */
export const getLoadWords = (load: LoadResult): { readonly sign: Sign; readonly word: string } => {
  const { outcome, warnings = [] } = load;
  const passed =
    outcome === "passed" && warnings.length > 0
      ? {
          sign: verdictWords.warned.sign,
          word: warnings.length === 1 ? "passed with a warning" : "passed with warnings",
        }
      : outcomeWords[outcome];
  return hasInconclusiveComparison(load)
    ? {
        sign: comparisonWords.inconclusive.sign,
        word: `${passed.word}, comparison ${comparisonWords.inconclusive.word}`,
      }
    : passed;
};
