import { closedObject, count, implies, mapShape, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { ExitCodeShape, outcomeHasItsExitCode } from "../exit-codes.ts";
import { OutcomeShape } from "../outcome.ts";
import { schemaHeader, ToolShape, schemaVersionSchema } from "../schema-header.ts";
import { IncompleteReasonShape, MistakesShape } from "../run-result.ts";
import { KnownFailureShape } from "../verdict.ts";
import { ComparisonShape, comparisonPresets } from "./comparison.ts";
import { LoadHistogramShape, loadMetricNames, PhaseShape, SideShape } from "./load-histogram.ts";
import { LoadJudgementShape } from "./load-judgement.ts";
import { LoadPlanShape } from "./load-plan.ts";
import { type LoadOutcome, loadOutcomes } from "./load-sample.ts";

/** Creates the shape of a non-negative number with fractions. */
const amountShape = (description?: string) =>
  Type.Number({ minimum: 0, ...(description === undefined ? {} : { description }) });
const share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));
const atLeastOneShape = (description?: string) =>
  Type.Integer({ minimum: 1, ...(description === undefined ? {} : { description }) });
const sha256Shape = (description: string) => Type.String({ pattern: "^(?:[0-9a-f]{64})?$", description });

const GeneratorFactsShape = closedObject(
  {
    cpuSeconds: amountShape(),
    wallSeconds: amountShape(),
    cores: amountShape("Cores available to it."),
    maxRssBytes: amountShape(),
    timerLagP99Ms: amountShape("Lateness of a 10 ms timer inside the process, 99th percentile."),
    timerLagMaxMs: amountShape("Lateness of that timer, maximum."),
  },
  { $id: "generator", description: "Resources used by the process that made the load." },
);
/** Resources used by the process that made the load. */
export interface GeneratorFacts extends Stored<typeof GeneratorFactsShape> {}

const LoadEnvironmentShape = closedObject(
  {
    platform: Type.String(),
    architecture: Type.String(),
    cpuModel: Type.String(),
    cores: amountShape(),
    memoryBytes: amountShape(),
    nodeVersion: Type.String(),
    k6Version: Type.String(),
    k6Sha256: sha256Shape("Digest of the k6 program, in lower-case hex. Empty if unknown."),
    fingerprint: Type.String({
      description:
        "Digest of all of these except the Node version. Two runs are only compared if their fingerprints are equal.",
    }),
  },
  { $id: "environment", description: "The machine of a load run." },
);
/** The machine of a load run. Two runs are only compared if their `fingerprint` is equal. */
export interface LoadEnvironment extends Stored<typeof LoadEnvironmentShape> {}

const TrustCheckShape = closedObject(
  {
    check: Type.Enum([
      "dropped-iterations",
      "arrivals-begun",
      "start-lag",
      "generator-cpu",
      "generator-timer",
      "warm-up-is-flat",
      "sides-end-alike",
      "completed",
      "enough-samples",
    ]),
    ok: Type.Optional(
      Type.Boolean({
        description: "False makes the run invalid. Absent if it could not be checked, which leaves the run valid.",
      }),
    ),
    value: Type.Optional(Type.Number()),
    limit: Type.Optional(Type.Number()),
    unit: Type.Optional(Type.Enum(["ms", "fraction", "count"])),
    sentence: Type.String({ description: "The result, one sentence; with advice if the condition failed." }),
  },
  { $id: "trustCheck", description: "A condition of a valid run." },
);
/** A condition of a valid run. */
export interface TrustCheck extends Stored<typeof TrustCheckShape> {}

/** Minimum number of samples for a percentile: with fewer, almost none would be above it. */
export const percentileMinimum = { p50: 20, p95: 100, p99: 500 } as const;

const PercentileShape = closedObject(
  {
    value: amountShape(),
    isCensored: Type.Optional(
      Type.Literal(true, {
        description:
          "Present if the percentile is censored, because requests had not finished: the true value is above `value`.",
      }),
    ),
    low: Type.Optional(amountShape()),
    high: Type.Optional(amountShape()),
  },
  {
    $id: "percentile",
    description:
      "In milliseconds, with its 95 % interval from order statistics. Bounds are absent if there are too few samples.",
  },
);
/** A percentile with its 95 % interval from order statistics. Bounds are absent if there are too few samples. */
export interface Percentile extends Stored<typeof PercentileShape> {}

const LoadMetricShape = closedObject(
  {
    metric: Type.Enum(loadMetricNames),
    side: SideShape,
    count: count("Finished requests."),
    meanMs: amountShape(),
    minMs: amountShape(),
    maxMs: amountShape(),
    censored: Type.Optional(
      closedObject(
        { count: atLeastOneShape(), longestMs: amountShape() },
        {
          description:
            "Requests that had not finished (cut off, or not begun), and the longest time one was watched for. Absent if there are none.",
        },
      ),
    ),
    p50: Type.Optional(PercentileShape),
    p95: Type.Optional(PercentileShape),
    p99: Type.Optional(PercentileShape),
  },
  {
    $id: "metric",
    description: `One metric of one target in the measured phase, in milliseconds. Percentiles include requests that had not finished, and are absent below ${Object.values(percentileMinimum).join(", ")} samples. Mean, minimum and maximum are of finished requests; if there are none, of the times they were watched for.`,
    anyOf: [{ properties: { count: { minimum: 1 } } }, { required: ["censored"] }],
  },
);
/**
 * One metric of one target in the measured phase, in milliseconds. Percentiles include requests that had not finished, and are absent below
 * 20, 100 and 500 samples. Mean, minimum and maximum cover finished requests, or, if there are none, the times that requests were watched for.
 */
export interface LoadMetric extends Stored<typeof LoadMetricShape> {}

const LoadIntervalShape = closedObject(
  {
    fromMs: amountShape("Since the first planned sending."),
    toMs: amountShape(),
    phase: PhaseShape,
    side: SideShape,
    planned: count("Streams and conversations planned to start in it."),
    ok: count(),
    failed: count(),
    p50Ms: Type.Optional(
      amountShape(
        "Median of `first-match` or `terminal-upper`, in milliseconds; with `censored`, a lower bound. Absent without samples.",
      ),
    ),
    p95Ms: Type.Optional(amountShape()),
    censored: Type.Optional(atLeastOneShape("Number of requests that had not finished. Absent if there are none.")),
  },
  { $id: "interval", description: "One interval of the run. The last may be shorter." },
);
/** One interval of the run. The last may be shorter. */
export interface LoadInterval extends Stored<typeof LoadIntervalShape> {}

const LimitCountsShape = closedObject(
  {
    count: count(),
    over: count("Certainly above the limit: finished later, or still unfinished at the limit."),
    unknown: count("Unknown: watched for less than the limit."),
  },
  {
    description:
      "For a percentile: samples of the metric on each side of the limit; in a comparison, the deciding target's samples.",
  },
);
/** Samples of a metric on each side of a limit. In a comparison, the deciding target's samples. */
export interface LimitCounts extends Stored<typeof LimitCountsShape> {}

const LoadThresholdShape = closedObject(
  {
    threshold: Type.String({ description: "Such as `first-match p95 < 800` or `ok-rate >= 0.99`." }),
    severity: Type.Optional(
      Type.Enum(["warn", "abort"], {
        description:
          "`warn`: a failure is reported without changing the exit code. `abort`: a failure ends the run at once. Absent: judged at the end.",
      }),
    ),
    limitMs: Type.Optional(amountShape()),
    valueMs: Type.Optional(amountShape()),
    isCensored: Type.Optional(
      Type.Literal(true, { description: "Present if the value is censored: it is above `valueMs`." }),
    ),
    counts: Type.Optional(LimitCountsShape),
    limitFraction: share,
    valueFraction: share,
    notBegun: Type.Optional(
      closedObject(
        { count: count(), of: count() },
        {
          description:
            "For a share: arrivals that could not begin, of all. They count as not ok. Absent if there are none.",
        },
      ),
    ),
    ok: Type.Optional(Type.Boolean({ description: "Absent if the samples do not decide it." })),
    decisive: Type.Optional(
      Type.Literal(true, {
        description:
          "Present if the threshold fails however the generator behaved: even if all other requests, or all arrivals that could not begin, had succeeded at once. Such a threshold decides a run that is invalid only because of the generator.",
      }),
    ),
  },
  {
    $id: "threshold",
    description:
      "An absolute limit set by the user or the scenario: on a latency in milliseconds, or on the share of successful requests.",
  },
);
/** An absolute limit set by the user or the scenario: on a latency in milliseconds, or on the share of successful requests. */
export interface LoadThreshold extends Stored<typeof LoadThresholdShape> {}

const SaturationShape = closedObject(
  {
    notBegun: count("Arrivals of the measured part that could not begin because all virtual users were busy."),
    heldBack: count(
      "Arrivals of the measured part held back because the target asked for fewer requests or failed too often.",
    ),
    maxVus: atLeastOneShape("Maximum number of concurrent virtual users, for each kind of arrival."),
    limitedBy: Type.Optional(
      Type.Literal("max-vus", {
        description:
          "`max-vus`: the generator is the cause, because all virtual users were busy and the target did not become slower. Absent if the target is the cause.",
      }),
    ),
    fromMs: Type.Optional(amountShape("Time of the first arrival that could not begin. Absent without samples.")),
    growingFromMs: Type.Optional(amountShape("Since when the number of waiting requests grew. Absent if unknown.")),
    servedPerSecond: amountShape(
      "Maximum rate served over a tenth of the measured part, within the latency thresholds if there are any.",
    ),
    sentence: Type.String({ description: "A summary of the members, as one sentence." }),
  },
  {
    description:
      "Not all planned arrivals could begin, because of the target or too few virtual users. Times are since the first planned sending. Absent if all could begin.",
  },
);
/** Not all planned arrivals could begin, because of the target or too few virtual users. Times are since the first planned sending. */
export interface Saturation extends Stored<typeof SaturationShape> {}

const CanaryReportShape = closedObject(
  {
    outcome: OutcomeShape,
    summary: Type.String(),
    exchanges: count(),
    observedRules: count(),
    failed: Type.Array(closedObject({ rule: Type.String(), message: Type.String() }), {
      description: "Rules that failed, each with the message of its first finding.",
    }),
    folder: Type.String({ description: "Folder of its bundle, inside the folder of the run." }),
  },
  { $id: "canary", description: "The verdicts of the canary: a contract run with few requests during the load." },
);
/** The verdicts of the canary: a contract run with few requests during the load. */
export interface CanaryReport extends Stored<typeof CanaryReportShape> {}

const OutcomeCountsShape = Type.Unsafe<Partial<Record<LoadOutcome, number>>>(
  closedObject(Object.fromEntries(loadOutcomes.map((outcome) => [outcome, Type.Optional(count())]))),
);

const isOutcome = (...outcomes: readonly string[]): object => ({
  properties: { outcome: { enum: outcomes } },
  required: ["outcome"],
});
const isValid = { trust: { properties: { valid: { const: true } } } };
const hasNoViolation = { violations: { additionalProperties: { const: 0 } } };

export const LoadResultShape = closedObject(
  {
    schemaVersion: schemaVersionSchema(2),
    tool: ToolShape,
    run: closedObject({
      id: Type.String(),
      startedAt: Type.String({ description: "Wall clock at the start, ISO 8601 in UTC." }),
      target: Type.String(),
      against: Type.Optional(Type.String({ description: "The head of a comparison of two targets." })),
      embedded: Type.Boolean(),
      limits: Type.String(),
      seed: Type.Integer(),
      preset: Type.Optional(Type.Enum(comparisonPresets)),
      processes: atLeastOneShape("Processes that made the load; more than one after a merge."),
      segments: Type.Optional(
        Type.Array(Type.String(), {
          description:
            "In a merge: the execution segments that ran, such as `0:2/3`. `0:1` is the whole plan. Absent if unknown.",
        }),
      ),
      scenarioSha256: sha256Shape("Digest of the script, in lower-case hex. Empty if unknown."),
    }),
    plan: LoadPlanShape,
    environment: LoadEnvironmentShape,
    outcome: OutcomeShape,
    exitCode: ExitCodeShape,
    summary: Type.String({ description: "The outcome in one sentence, warnings first." }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: "Warnings, each as a clause. They do not change the exit code. Absent if there are none.",
      }),
    ),
    incomplete: Type.Array(IncompleteReasonShape, {
      description: "Why the figures mean nothing, or only a part of what they should.",
    }),
    complete: Type.Boolean({
      description:
        "False if the run ended early, or if a part of the recording is missing. The result covers the rest.",
    }),
    trust: closedObject({ valid: Type.Boolean(), checks: Type.Array(TrustCheckShape) }),
    generator: Type.Optional(GeneratorFactsShape),
    outcomes: mapShape(OutcomeCountsShape, {
      description: "Outcomes of the measured phase by kind of sample, such as `stream`.",
    }),
    violations: mapShape(count(), {
      description: "Violations of the contract by code, all phases, without known ones.",
    }),
    knownViolations: Type.Optional(
      mapShape(closedObject({ count: atLeastOneShape(), known: KnownFailureShape }), {
        description: "Known violations by code, with the entry in the list. Absent if there are none.",
      }),
    ),
    knownFailureMistakes: MistakesShape,
    observations: mapShape(count(), { description: "Permitted choices by code, all phases." }),
    metrics: Type.Array(LoadMetricShape),
    histograms: Type.Array(LoadHistogramShape),
    intervals: Type.Array(LoadIntervalShape),
    thresholds: Type.Array(LoadThresholdShape),
    knee: Type.Optional(
      closedObject(
        { ratePerSecond: amountShape(), sentence: Type.String() },
        { description: "For the shape `breakpoint`: the highest arrival rate that the target sustained." },
      ),
    ),
    saturation: Type.Optional(SaturationShape),
    comparison: Type.Optional(ComparisonShape),
    canary: Type.Optional(CanaryReportShape),
    judgement: Type.Optional(LoadJudgementShape),
    unjudged: Type.Optional(
      Type.String({
        description: "Why stored exchanges were not judged, and how to judge them. Absent otherwise.",
      }),
    ),
    cleanUp: Type.Optional(closedObject({ created: count(), removed: count(), left: Type.Array(Type.String()) })),
  },
  {
    ...schemaHeader("load-result", 2, "Result of an Assay load run"),
    description:
      "The content of `load.json`: the figures of a load run, whether they can be trusted, and the outcome. `knownFailureMistakes` is in `judgement` if exchanges were judged.",
    allOf: [
      ...outcomeHasItsExitCode,
      implies(isOutcome("passed", "cleanup-incomplete", "performance-inconclusive"), {
        properties: { incomplete: { maxItems: 0 }, ...isValid, complete: { const: true }, ...hasNoViolation },
      }),
      implies(isOutcome("performance-failed"), {
        anyOf: [
          { properties: isValid },
          {
            properties: {
              thresholds: { contains: { properties: { decisive: { const: true } }, required: ["decisive"] } },
            },
          },
        ],
        properties: hasNoViolation,
      }),
      implies(isOutcome("incomplete"), { properties: { incomplete: { minItems: 1 } } }),
    ],
  },
);
/** The result of a load run. Every report is rendered from it, and `load.json` is its JSON. */
export interface LoadResult extends Stored<typeof LoadResultShape> {}
