import { isUnsent, describeThreshold, listViolations } from "./load-facts.ts";
import { formatSide, hasJudgedExchanges, isFullyJudged } from "@assay/results";
import type { LoadJudgement, LoadResult } from "@assay/results";
import { listFixedLoadFailures, listKnownLoadFailures, listMistakesInLoad } from "./load-known-sections.ts";
import { formatSkipReason } from "./run-sections.ts";
import { dependenceWords } from "./load-judgement-section.ts";
import { describeLoad } from "./load-headline.ts";
import { outcomeWords } from "./outcome-words.ts";
import { escapeForDisplay } from "./shown-text.ts";
import type { CaseList, TestCase } from "./test-case.ts";

/** One condition of a load run. */
interface LoadCondition {
  readonly name: string;
  /** The reason for the failure, in one sentence. Absent if the condition passed. */
  readonly failure?: string;
  /** The reason for skipping it, in one sentence. */
  readonly skipped?: string;
}

const createCondition = (name: string, failure: string | undefined): LoadCondition =>
  failure === undefined ? { name } : { name, failure };

const createContractCondition = (result: LoadResult): LoadCondition => {
  const name = "no contract violation under load";
  const entries = listViolations(result).map(([code, count]) => `${escapeForDisplay(code, "name")}: ${count}`);
  return isUnsent(result)
    ? { name, skipped: "no load was sent" }
    : createCondition(name, entries.length === 0 ? undefined : entries.join("\n"));
};

const canaryName = "the canary passes every rule";

const listCanaryConditions = ({ canary }: LoadResult): readonly LoadCondition[] => {
  if (canary === undefined) {
    return [];
  }
  return canary.observedRules === 0
    ? [{ name: canaryName, skipped: escapeForDisplay(canary.summary) }]
    : [
        createCondition(
          canaryName,
          canary.failed.length === 0
            ? undefined
            : canary.failed
                .map(({ rule, message }) => `${escapeForDisplay(rule, "name")}: ${escapeForDisplay(message)}`)
                .join("\n"),
        ),
      ];
};

const describeFailedRules = ({ broken }: LoadJudgement): string | undefined =>
  broken.length === 0
    ? undefined
    : broken
        .map(
          (rule) =>
            `${escapeForDisplay(rule.rule, "name")}${formatSide(rule)}: ${escapeForDisplay(rule.message)} (${dependenceWords[rule.dependence]})`,
        )
        .join("\n");

const allJudgedName = "all load exchanges were judged";

const listJudgementConditions = ({ judgement, unjudged }: LoadResult): readonly LoadCondition[] => {
  if (judgement === undefined) {
    return unjudged === undefined ? [] : [{ name: allJudgedName, skipped: escapeForDisplay(unjudged) }];
  }
  const { sentence, problems } = judgement;
  const rulesPassName = "all judged exchanges pass every rule";
  return [
    hasJudgedExchanges(judgement)
      ? createCondition(rulesPassName, describeFailedRules(judgement))
      : { name: rulesPassName, skipped: escapeForDisplay(sentence) },
    // An incomplete judgement never fails a run, so the case is skipped, not failed.
    isFullyJudged(judgement)
      ? { name: allJudgedName }
      : { name: allJudgedName, skipped: escapeForDisplay([sentence, ...problems].join("; ")) },
  ];
};

/** Lists the thresholds that apply. In an invalid run, lists only those that fail whatever the generator did. */
const listThresholdConditions = ({ thresholds, trust, outcome }: LoadResult): readonly LoadCondition[] =>
  thresholds
    .filter(({ decisive }) => trust.valid || (decisive === true && outcome === "performance-failed"))
    .map((threshold) => {
      const name = escapeForDisplay(threshold.threshold, "name");
      const sentence = escapeForDisplay(describeThreshold(threshold));
      // A warning does not fail the run.
      const isWarning = threshold.severity === "warn" && threshold.ok === false;
      return threshold.ok === undefined || isWarning
        ? { name, skipped: isWarning ? `warning: ${sentence}` : sentence }
        : createCondition(name, threshold.ok ? undefined : sentence);
    });

const listComparisonConditions = ({ comparison }: LoadResult): readonly LoadCondition[] =>
  comparison === undefined
    ? []
    : comparison.metrics.map(({ metric, verdict, note = "inconclusive" }) => {
        const name = `${escapeForDisplay(metric, "name")} is not slower`;
        return verdict === "inconclusive"
          ? { name, skipped: `inconclusive: ${escapeForDisplay(note)}` }
          : createCondition(name, verdict === "regressed" ? "regressed" : undefined);
      });

/** Known failures are skipped. Fixed ones and mistakes in the lists fail. */
const listKnownConditions = (result: LoadResult): readonly LoadCondition[] => {
  const mistakes = listMistakesInLoad(result);
  return [
    ...listKnownLoadFailures(result).map(({ name, known, occurrence }) => ({
      name: escapeForDisplay(name, "name"),
      skipped: formatSkipReason(known, occurrence),
    })),
    ...listFixedLoadFailures(result).map(({ name, sentence }) =>
      createCondition(escapeForDisplay(name, "name"), escapeForDisplay(sentence)),
    ),
    ...(mistakes.length === 0
      ? []
      : [
          createCondition(
            "known-failure lists are valid",
            mistakes.map((mistake) => escapeForDisplay(mistake)).join("\n"),
          ),
        ]),
  ];
};

const listConditions = (result: LoadResult): readonly LoadCondition[] => [
  createContractCondition(result),
  ...listJudgementConditions(result),
  ...listKnownConditions(result),
  ...listCanaryConditions(result),
  ...listThresholdConditions(result),
  ...(result.trust.valid ? listComparisonConditions(result) : []),
];

const suite = "assay.load";

/**
 * Creates the test case for the run itself. A failed run is an error if it is incomplete, or if no other case
 * explains the failure.
 */
const createRunCase = (result: LoadResult, isExplainedByCase: boolean): TestCase => {
  const { outcome, exitCode, incomplete } = result;
  const identity = { suite, name: "the run is complete and conclusive", standing: outcome };
  return exitCode === 0 || isExplainedByCase
    ? { ...identity, kind: "passed" }
    : {
        ...identity,
        kind: "error",
        message: `${outcomeWords[outcome].word}, exit code ${exitCode}: ${escapeForDisplay(describeLoad(result), "summary")}`,
        type: outcome,
        details: incomplete.map(
          ({ code, message }) => `${escapeForDisplay(code, "name")}: ${escapeForDisplay(message)}`,
        ),
      };
};

const createConditionCase = ({ name, failure, skipped }: LoadCondition, hasRunFailed: boolean): TestCase => {
  // CI must not show a failed case if the run passed.
  if (failure !== undefined && hasRunFailed) {
    return { suite, name, kind: "failure", standing: "failed", message: failure };
  }
  return skipped === undefined
    ? { suite, name, kind: "passed", standing: "passed" }
    : { suite, name, kind: "skipped", standing: "not-known", message: skipped };
};

const listCaseProperties = ({ tool, run, plan, outcome, exitCode }: LoadResult): CaseList["properties"] => [
  ["tool", `${tool.name} ${tool.version}`],
  ["target", run.target],
  ["scenario", plan.scenario],
  ["run", run.id],
  ["seed", String(run.seed)],
  ["outcome", outcomeWords[outcome].word],
  ["exit-code", String(exitCode)],
];

/**
 * Converts a load run to test cases: the run, the contract under load, the judgement of all exchanges, known
 * failures, the canary, each threshold and each compared metric. At least one case fails or errors exactly if the
 * exit code is not 0.
 */
export const createLoadCases = (result: LoadResult): CaseList => {
  const conditions = listConditions(result);
  const hasRunFailed = result.exitCode !== 0;
  const isExplainedByCase = conditions.some(({ failure }) => failure !== undefined) && result.complete;
  return {
    id: result.run.id,
    startedAt: result.run.startedAt,
    target: result.run.target,
    tool: result.tool,
    exitCode: result.exitCode,
    durationMs: result.plan.warmupMs + result.plan.durationMs,
    properties: listCaseProperties(result),
    cases: [
      createRunCase(result, isExplainedByCase),
      ...conditions.map((condition) => createConditionCase(condition, hasRunFailed)),
    ],
  };
};
