import { closedObject, count, type Stored } from "@assay/reading";
import * as Type from "typebox";

const VerdictShape = Type.Enum(["improved", "unchanged", "regressed", "inconclusive"], {
  $id: "verdict",
  description: "Whether something became slower. `inconclusive`: it cannot be decided with the required confidence.",
});
/** Whether something became slower. `inconclusive`: it cannot be decided with the required confidence. */
export type ComparisonVerdict = Stored<typeof VerdictShape>;

/** The compared metrics, as reports name them. By query: the geometric mean of the ratios of each query's medians. */
export const comparedMetrics = [
  "first-match by query",
  "first-match p50",
  "first-match p95",
  "first-match p99",
  "terminal p50",
  "terminal p95",
  "poll p50",
  "poll p95",
  "throughput",
] as const;
export type ComparedMetric = (typeof comparedMetrics)[number];

export const comparisonPresets = ["quick", "standard", "thorough"] as const;
export type ComparisonPreset = (typeof comparisonPresets)[number];

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }));
const isCensored = (member: string) =>
  Type.Optional(
    Type.Literal(true, { description: `Present if the value is censored: the true value is above \`${member}\`.` }),
  );

const CensoredCountShape = closedObject({ censored: count(), of: count() }, { $id: "censoredCount" });
/** Number of censored times: requests that had not finished when measuring stopped. Each took longer than the time for which it was observed. */
export interface CensoredCount extends Stored<typeof CensoredCountShape> {}

const middle = "Milliseconds, or requests a second for throughput. Absent if it cannot be computed.";
const MetricComparisonShape = closedObject(
  {
    metric: Type.Enum(comparedMetrics),
    verdict: VerdictShape,
    base: optionalNumber(`Middle value of the base. ${middle}`),
    baseIsCensored: isCensored("base"),
    head: optionalNumber(`Middle value of the head. ${middle}`),
    headIsCensored: isCensored("head"),
    change: optionalNumber("Change as a fraction."),
    low: optionalNumber("Lower end of the confidence interval of the change, corrected for the number of metrics."),
    high: optionalNumber("Upper end of the interval. Absent if it is infinite."),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Confidence of the interval after correction, such as 0.9967.",
    }),
    margin: Type.Number({ description: "Smallest change that counts." }),
    detectable: optionalNumber(
      "Smallest change that this comparison could have detected: half the width of its interval plus the margin.",
    ),
    units: count("Pairs of blocks (paired), or runs of the smaller side (stored runs)."),
    unitsNeeded: Type.Optional(count("Further units needed for a decision, if known.")),
    censored: Type.Optional(
      closedObject(
        { base: CensoredCountShape, head: CensoredCountShape },
        {
          description:
            "Times of requests that had not finished, in the measured pairs. The interval allows for any true value. Absent if there are none.",
        },
      ),
    ),
    note: Type.Optional(Type.String({ description: "Why it is inconclusive, or its tendency, as a clause." })),
  },
  {
    $id: "metricComparison",
    description: "One metric of the head compared with the base. Changes are fractions: 0.05 is 5 % more.",
  },
);
/** One metric of the head compared with the base. Changes are fractions: 0.05 is 5 % more. An infinite `high` is absent. */
export interface MetricComparison extends Stored<typeof MetricComparisonShape> {}

const pValue = Type.Number({ minimum: 0, maximum: 1 });
const FailureComparisonShape = closedObject(
  {
    baseFailed: count(),
    baseTotal: count(),
    headFailed: count(),
    headTotal: count(),
    pValue: Type.Number({ minimum: 0, maximum: 1, description: "Of Fisher's exact test, two-sided." }),
    verdict: VerdictShape,
  },
  {
    $id: "failures",
    description:
      "The shares of failed requests compared. Inconclusive if the difference is significant but occurs in one block or run only: an outage may hit either side.",
  },
);
/** The shares of failed requests compared. Failures are not samples, so they are judged separately. */
export interface FailureComparison extends Stored<typeof FailureComparisonShape> {}

const QueryComparisonShape = closedObject(
  { query: Type.String(), change: Type.Number(), pValue, worthALook: Type.Boolean() },
  { description: "Change of one query: exploratory (Benjamini and Hochberg at 5 %), never part of the verdict." },
);
/** Change of one query: exploratory (Benjamini and Hochberg at 5 %), never part of the verdict. */
export interface QueryComparison extends Stored<typeof QueryComparisonShape> {}

export const ComparisonShape = closedObject(
  {
    design: Type.Enum(["paired", "stored"], {
      description: "`paired`: blocks of one run on two targets. `stored`: runs of two sides.",
    }),
    preset: Type.Optional(Type.Enum(comparisonPresets)),
    base: Type.String(),
    head: Type.String(),
    verdict: VerdictShape,
    summary: Type.String({ description: "One sentence." }),
    metrics: Type.Array(MetricComparisonShape),
    failures: Type.Optional(FailureComparisonShape),
    queries: Type.Array(QueryComparisonShape),
    incomparable: Type.Array(Type.String(), {
      description: "Why the two cannot be compared at all, each as one sentence. The verdict is then inconclusive.",
    }),
  },
  {
    $id: "comparison",
    description:
      "The verdict is `regressed` if any metric or the failures are; else `inconclusive` if the primary metric or the failures are; else the primary metric's verdict.",
  },
);
export interface Comparison extends Stored<typeof ComparisonShape> {}
