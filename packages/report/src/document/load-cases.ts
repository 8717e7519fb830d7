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
interface Condition {
  readonly name: string;
  /** The reason for the failure, in one sentence. Absent if the condition passed. */
  readonly failure?: string;
  /** The reason for skipping it, in one sentence. */
  readonly skipped?: string;
}

const createCondition = (name: string, failure: string | undefined): Condition =>
  failure === undefined ? { name } : { name, failure };

const createContractCondition = (result: LoadResult): Condition => {
  const name = "the contract holds under load";
  const entries = listViolations(result).map(([code, count]) => `${escapeForDisplay(code, "name")}: ${count}`);
  return isUnsent(result)
    ? { name, skipped: "no load was sent" }
    : createCondition(name, entries.length === 0 ? undefined : entries.join("\n"));
};

const canaryName = "the canary finds no violation";

const listCanaryConditions = ({ canary }: LoadResult): readonly Condition[] => {
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

const allJudgedName = "every exchange of the load was judged";

const listJudgementConditions = ({ judgement, unjudged }: LoadResult): readonly Condition[] => {
  if (judgement === undefined) {
    return unjudged === undefined ? [] : [{ name: allJudgedName, skipped: escapeForDisplay(unjudged) }];
  }
  const { sentence, problems } = judgement;
  const rulesPassName = "the exchanges of the load that were judged keep every rule";
  return [
    hasJudgedExchanges(judgement)
      ? createCondition(rulesPassName, describeFailedRules(judgement))
      : { name: rulesPassName, skipped: escapeForDisplay(sentence) },
    // It cannot fail a run, so it is not a failure.
    isFullyJudged(judgement)
      ? { name: allJudgedName }
      : { name: allJudgedName, skipped: escapeForDisplay([sentence, ...problems].join("; ")) },
  ];
};

/** Selects the applicable thresholds. In an invalid run these are only the ones that fail regardless of the generator. */
const listThresholdConditions = ({ thresholds, trust, outcome }: LoadResult): readonly Condition[] =>
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

const listComparisonConditions = ({ comparison }: LoadResult): readonly Condition[] =>
  comparison === undefined
    ? []
    : comparison.metrics.map(({ metric, verdict, note = "no decision" }) => {
        const name = `${escapeForDisplay(metric, "name")} has not become slower`;
        return verdict === "inconclusive"
          ? { name, skipped: `inconclusive: ${escapeForDisplay(note)}` }
          : createCondition(name, verdict === "regressed" ? "regressed" : undefined);
      });

/** Creates conditions for known failures, which are skipped, and for fixed ones and mistakes in the lists, which fail. */
const listKnownConditions = (result: LoadResult): readonly Condition[] => {
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
            "the lists of known failures have no mistake",
            mistakes.map((mistake) => escapeForDisplay(mistake)).join("\n"),
          ),
        ]),
  ];
};

const listConditions = (result: LoadResult): readonly Condition[] => [
  createContractCondition(result),
  ...listJudgementConditions(result),
  ...listKnownConditions(result),
  ...listCanaryConditions(result),
  ...listThresholdConditions(result),
  ...(result.trust.valid ? listComparisonConditions(result) : []),
];

const suite = "assay.load";

/** Creates the case of the run. It is an error if the run failed, and it is incomplete or no other case failed. */
const createRunCase = (result: LoadResult, hasFailedCase: boolean): TestCase => {
  const { outcome, exitCode, incomplete } = result;
  const identity = { suite, name: "the run is complete and decides", standing: outcome };
  return exitCode === 0 || hasFailedCase
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

const createConditionCase = ({ name, failure, skipped }: Condition, hasRunFailed: boolean): TestCase => {
  // No case fails if the exit code is 0.
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
 * Converts a load run to test cases: the run, the contract under load, the canary, each threshold and each compared metric. The case of
 * the run is an error if the run failed, and it is incomplete or no other case failed. So a case fails if and only if the exit code is not 0.
 */
export const createLoadCases = (result: LoadResult): CaseList => {
  const conditions = listConditions(result);
  const hasRunFailed = result.exitCode !== 0;
  const hasFailedCondition = conditions.some(({ failure }) => failure !== undefined) && result.complete;
  return {
    id: result.run.id,
    startedAt: result.run.startedAt,
    target: result.run.target,
    tool: result.tool,
    exitCode: result.exitCode,
    durationMs: result.plan.warmupMs + result.plan.durationMs,
    properties: listCaseProperties(result),
    cases: [
      createRunCase(result, hasFailedCondition),
      ...conditions.map((condition) => createConditionCase(condition, hasRunFailed)),
    ],
  };
};
