import { isUnsent, thresholdSentence, violationEntries } from "./load-facts.ts";
import { formatSide, hasJudgedExchanges, isFullyJudged } from "@assay/results";
import type { LoadJudgement, LoadResult } from "@assay/results";
import { fixedLoadFailures, knownLoadFailures, mistakesInLoad } from "./load-known-sections.ts";
import { reasonForSkip } from "./run-sections.ts";
import { dependenceWords } from "./load-judgement-section.ts";
import { describeLoad } from "./load-headline.ts";
import { outcomeWords } from "./outcome-words.ts";
import { shownText } from "./shown-text.ts";
import type { CaseList, TestCase } from "./test-case.ts";

/** One condition of a load run. */
interface Condition {
  readonly name: string;
  /** The reason for the failure, in one sentence. Absent if the condition passed. */
  readonly failure?: string;
  /** The reason for skipping it, in one sentence. */
  readonly skipped?: string;
}

const passedOrFailed = (name: string, failure: string | undefined): Condition =>
  failure === undefined ? { name } : { name, failure };

const contractCondition = (result: LoadResult): Condition => {
  const name = "the contract holds under load";
  const entries = violationEntries(result).map(([code, count]) => `${shownText(code, "name")}: ${count}`);
  return isUnsent(result)
    ? { name, skipped: "no load was sent" }
    : passedOrFailed(name, entries.length === 0 ? undefined : entries.join("\n"));
};

const canaryName = "the canary finds no violation";

const canaryConditions = ({ canary }: LoadResult): readonly Condition[] => {
  if (canary === undefined) {
    return [];
  }
  return canary.observedRules === 0
    ? [{ name: canaryName, skipped: shownText(canary.summary) }]
    : [
        passedOrFailed(
          canaryName,
          canary.failed.length === 0
            ? undefined
            : canary.failed.map(({ rule, message }) => `${shownText(rule, "name")}: ${shownText(message)}`).join("\n"),
        ),
      ];
};

const failedRulesText = ({ broken }: LoadJudgement): string | undefined =>
  broken.length === 0
    ? undefined
    : broken
        .map(
          (rule) =>
            `${shownText(rule.rule, "name")}${formatSide(rule)}: ${shownText(rule.message)} (${dependenceWords[rule.dependence]})`,
        )
        .join("\n");

const allJudgedName = "every exchange of the load was judged";

const judgementConditions = ({ judgement, unjudged }: LoadResult): readonly Condition[] => {
  if (judgement === undefined) {
    return unjudged === undefined ? [] : [{ name: allJudgedName, skipped: shownText(unjudged) }];
  }
  const { sentence, problems } = judgement;
  const rulesPassName = "the exchanges of the load that were judged keep every rule";
  return [
    hasJudgedExchanges(judgement)
      ? passedOrFailed(rulesPassName, failedRulesText(judgement))
      : { name: rulesPassName, skipped: shownText(sentence) },
    // It cannot fail a run, so it is not a failure.
    isFullyJudged(judgement)
      ? { name: allJudgedName }
      : { name: allJudgedName, skipped: shownText([sentence, ...problems].join("; ")) },
  ];
};

/** Selects the applicable thresholds. In an invalid run these are only the ones that fail regardless of the generator. */
const thresholdConditions = ({ thresholds, trust, outcome }: LoadResult): readonly Condition[] =>
  thresholds
    .filter(({ decisive }) => trust.valid || (decisive === true && outcome === "performance-failed"))
    .map((threshold) => {
      const name = shownText(threshold.threshold, "name");
      const sentence = shownText(thresholdSentence(threshold));
      // A warning does not fail the run.
      const isWarning = threshold.severity === "warn" && threshold.ok === false;
      return threshold.ok === undefined || isWarning
        ? { name, skipped: isWarning ? `warning: ${sentence}` : sentence }
        : passedOrFailed(name, threshold.ok ? undefined : sentence);
    });

const comparisonConditions = ({ comparison }: LoadResult): readonly Condition[] =>
  comparison === undefined
    ? []
    : comparison.metrics.map(({ metric, verdict, note = "no decision" }) => {
        const name = `${shownText(metric, "name")} has not become slower`;
        return verdict === "inconclusive"
          ? { name, skipped: `inconclusive: ${shownText(note)}` }
          : passedOrFailed(name, verdict === "regressed" ? "regressed" : undefined);
      });

/** Creates conditions for known failures, which are skipped, and for fixed ones and mistakes in the lists, which fail. */
const knownConditions = (result: LoadResult): readonly Condition[] => {
  const mistakes = mistakesInLoad(result);
  return [
    ...knownLoadFailures(result).map(({ name, known, occurrence }) => ({
      name: shownText(name, "name"),
      skipped: reasonForSkip(known, occurrence),
    })),
    ...fixedLoadFailures(result).map(({ name, sentence }) =>
      passedOrFailed(shownText(name, "name"), shownText(sentence)),
    ),
    ...(mistakes.length === 0
      ? []
      : [
          passedOrFailed(
            "the lists of known failures have no mistake",
            mistakes.map((mistake) => shownText(mistake)).join("\n"),
          ),
        ]),
  ];
};

const loadConditions = (result: LoadResult): readonly Condition[] => [
  contractCondition(result),
  ...judgementConditions(result),
  ...knownConditions(result),
  ...canaryConditions(result),
  ...thresholdConditions(result),
  ...(result.trust.valid ? comparisonConditions(result) : []),
];

const suite = "assay.load";

/** Creates the case of the run. It is an error if the run failed and no other case did. */
const runCase = (result: LoadResult, hasFailedCase: boolean): TestCase => {
  const { outcome, exitCode, incomplete } = result;
  const identity = { suite, name: "the run is complete and decides", standing: outcome };
  return exitCode === 0 || hasFailedCase
    ? { ...identity, kind: "passed" }
    : {
        ...identity,
        kind: "error",
        message: `${outcomeWords[outcome].word}, exit code ${exitCode}: ${shownText(describeLoad(result), "summary")}`,
        type: outcome,
        details: incomplete.map(({ code, message }) => `${shownText(code, "name")}: ${shownText(message)}`),
      };
};

const conditionCase = ({ name, failure, skipped }: Condition, hasRunFailed: boolean): TestCase => {
  // No case fails if the exit code is 0.
  if (failure !== undefined && hasRunFailed) {
    return { suite, name, kind: "failure", standing: "failed", message: failure };
  }
  return skipped === undefined
    ? { suite, name, kind: "passed", standing: "passed" }
    : { suite, name, kind: "skipped", standing: "not-known", message: skipped };
};

const caseProperties = ({ tool, run, plan, outcome, exitCode }: LoadResult): CaseList["properties"] => [
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
 * the run is an error if the run failed and no other case did. So a case fails if and only if the exit code is not 0.
 */
export const loadCases = (result: LoadResult): CaseList => {
  const conditions = loadConditions(result);
  const hasRunFailed = result.exitCode !== 0;
  const hasFailedCondition = conditions.some(({ failure }) => failure !== undefined) && result.complete;
  return {
    id: result.run.id,
    startedAt: result.run.startedAt,
    target: result.run.target,
    tool: result.tool,
    exitCode: result.exitCode,
    durationMs: result.plan.warmupMs + result.plan.durationMs,
    properties: caseProperties(result),
    cases: [
      runCase(result, hasFailedCondition),
      ...conditions.map((condition) => conditionCase(condition, hasRunFailed)),
    ],
  };
};
