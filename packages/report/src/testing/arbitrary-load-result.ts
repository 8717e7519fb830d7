import { defined } from "@assay/contract";
import {
  type CanaryReport,
  type Comparison,
  type LoadJudgement,
  type LoadResult,
  comparedMetrics,
  exitCodeOf,
  loadRuleOutcomes,
  outcomePrecedence,
} from "@assay/results";
import * as fc from "fast-check";
import { anyText } from "./arbitrary-run-result.ts";
import { comparedOf, comparisonOf, judgementOf, sampleLoad } from "./sample-load.ts";

const verdict = fc.constantFrom("improved", "unchanged", "regressed", "inconclusive");
const number = fc.oneof(fc.double(), fc.integer());
const counts = fc.dictionary(anyText, fc.nat(1000), { maxKeys: 4 });
const severity = fc.constantFrom(undefined, "warn" as const, "abort" as const);
const condition = fc.option(fc.boolean(), { nil: undefined });

const metricComparison = fc
  .record({ metric: fc.constantFrom(...comparedMetrics), verdict, note: anyText, change: number, low: number })
  .map((changes) => comparedOf(changes));

const comparison: fc.Arbitrary<Comparison> = fc
  .record({
    verdict,
    base: anyText,
    head: anyText,
    summary: anyText,
    metrics: fc.array(metricComparison, { maxLength: 4 }),
    queries: fc.array(
      fc.record({ query: anyText, change: number, pValue: fc.double({ min: 0, max: 1 }), worthALook: fc.boolean() }),
      { maxLength: 4 },
    ),
    incomparable: fc.array(anyText, { maxLength: 2 }),
  })
  .map((changes) => comparisonOf(changes));

const canary: fc.Arbitrary<CanaryReport> = fc.record({
  outcome: fc.constantFrom(...outcomePrecedence),
  summary: anyText,
  exchanges: fc.nat(100),
  observedRules: fc.nat(100),
  failed: fc.array(fc.record({ rule: anyText, message: anyText }), { maxLength: 12 }),
  folder: anyText,
});

const judgement: fc.Arbitrary<LoadJudgement> = fc
  .record({
    rules: fc.array(fc.record({ rule: anyText, outcome: fc.constantFrom(...loadRuleOutcomes), reason: anyText }), {
      maxLength: 12,
    }),
    broken: fc.array(
      fc.record({
        rule: anyText,
        message: anyText,
        exchange: anyText,
        run: anyText,
        query: anyText,
        dependence: fc.constantFrom("under-load", "without-load-too", "unknown"),
      }),
      { maxLength: 12 },
    ),
    sentence: anyText,
    problems: fc.array(anyText, { maxLength: 2 }),
  })
  .map(({ broken, ...changes }) => ({
    ...judgementOf(changes),
    broken: judgementOf().broken.flatMap((one) => broken.map((other) => ({ ...one, ...other }))),
  }));

const changesOf = fc.record(
  {
    outcome: fc.constantFrom(...outcomePrecedence),
    summary: anyText,
    warnings: fc.array(anyText, { minLength: 1, maxLength: 3 }),
    complete: fc.boolean(),
    incomplete: fc.array(fc.record({ code: fc.constant("transport" as const), message: anyText }), { maxLength: 3 }),
    violations: counts,
    observations: counts,
    thresholds: fc.array(
      fc
        .record({ threshold: anyText, limitMs: fc.nat(), ok: condition, severity })
        .map(({ ok, severity: chosenSeverity, ...rest }) => ({
          ...rest,
          ...defined({ ok, severity: chosenSeverity }),
        })),
      { maxLength: 3 },
    ),
    comparison,
    canary,
    judgement,
    unjudged: anyText,
    knee: fc.record({ ratePerSecond: fc.nat(100), sentence: anyText }),
    cleanUp: fc.record({ created: fc.nat(20), removed: fc.nat(20), left: fc.array(anyText, { maxLength: 12 }) }),
  },
  { requiredKeys: ["outcome", "summary", "complete", "incomplete", "violations", "observations", "thresholds"] },
);

const trust: fc.Arbitrary<LoadResult["trust"]> = fc.record({
  valid: fc.boolean(),
  checks: fc.array(
    fc
      .record({ check: fc.constant("start-lag" as const), ok: condition, sentence: anyText })
      .map(({ ok, ...rest }) => ({
        ...rest,
        ...defined({ ok }),
      })),
    { maxLength: 4 },
  ),
});

/** Any load result, with hostile text in all text from outside. */
export const anyLoadResult: fc.Arbitrary<LoadResult> = fc
  .tuple(changesOf, trust, anyText, anyText, anyText)
  .map(([changes, chosenTrust, target, against, cpuModel]) => ({
    ...sampleLoad,
    ...changes,
    trust: chosenTrust,
    exitCode: exitCodeOf(changes.outcome),
    run: { ...sampleLoad.run, target, ...(changes.comparison === undefined ? {} : { against }) },
    environment: { ...sampleLoad.environment, cpuModel },
  }));
