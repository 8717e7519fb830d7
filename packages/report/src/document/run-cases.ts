import { toJunitKind, countConfirmed, ruleStanding, type RuleVerdict, type RunResult } from "@assay/results";
import {
  describeFindings,
  listFixedFailures,
  createFixedSection,
  describeFixed,
  createFailureSection,
  formatSkipReason,
} from "./run-sections.ts";
import { outcomeWords } from "./outcome-words.ts";
import { createTerminalLayout } from "../printers/terminal/terminal-layout.ts";
import { renderTerminalSection } from "../printers/terminal/print-terminal.ts";
import { describeProof } from "./proof-words.ts";
import { groupByOperation } from "./rule-groups.ts";
import { escapeForDisplay } from "./shown-text.ts";
import type { CaseList, TestCase } from "./test-case.ts";

const layout = createTerminalLayout({ colour: false, width: 100 });

const maxFindings = 3;

const formatShownName = (text: string): string => escapeForDisplay(text, "name");

const formatReasonNotJudged = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome === "not-applicable") {
    return escapeForDisplay(`not applicable: ${verdict.reason}`);
  }
  if (verdict.outcome === "not-tested" && verdict.reason !== undefined) {
    return escapeForDisplay(`not tested: ${verdict.reason}`);
  }
  return verdict.outcome === "blocked"
    ? escapeForDisplay(`blocked: ${verdict.missing}`)
    : "not tested: no response could test it";
};

/** Returns the message of a skipped case. */
const formatSkippedMessage = (rule: RuleVerdict): string => {
  const { known } = rule;
  return known !== undefined && ruleStanding(rule) === "known-failure"
    ? formatSkipReason(known, describeFindings(rule))
    : formatReasonNotJudged(rule);
};

const listFailureDetails = (rule: RuleVerdict): readonly string[] => {
  const section = createFailureSection(rule, { findings: maxFindings });
  return section === undefined ? [] : renderTerminalSection(section, layout);
};

const findFirstMessage = ({ verdict, title }: RuleVerdict): string =>
  escapeForDisplay(verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings[0].message : title);

const countFindings = ({ verdict }: RuleVerdict): Pick<TestCase, "findings"> =>
  verdict.outcome === "failed" || verdict.outcome === "warned"
    ? { findings: verdict.findings.length + verdict.moreFindings }
    : {};

/** Returns the members of a case that depend on its kind. */
const createCaseMembers = (rule: RuleVerdict, kind: TestCase["kind"]): Partial<TestCase> => {
  const [fixedRule] = listFixedFailures([rule]);
  if (fixedRule !== undefined) {
    return {
      message: escapeForDisplay(describeFixed(fixedRule)),
      type: "fixed",
      details: renderTerminalSection(createFixedSection(fixedRule), layout),
    };
  }
  switch (kind) {
    case "failure":
      return {
        message: findFirstMessage(rule),
        ...countFindings(rule),
        type: rule.basis,
        details: listFailureDetails(rule),
      };
    case "warning":
      return { message: findFirstMessage(rule), ...countFindings(rule), details: listFailureDetails(rule) };
    case "error":
      return { message: formatReasonNotJudged(rule), type: "blocked" };
    case "skipped":
      return { message: formatSkippedMessage(rule) };
    case "passed":
      return {};
  }
};

/** Returns each mutation kind of a rule, with the mutation that made the rule fail. */
const listProofProperties = ({ proof = [] }: RuleVerdict): Pick<TestCase, "properties"> =>
  proof.length === 0
    ? {}
    : {
        properties: proof.map(
          (mutation) =>
            [`proof: ${escapeForDisplay(mutation.mutation)}`, escapeForDisplay(describeProof(mutation))] as const,
        ),
      };

const createRuleCase = (rule: RuleVerdict, strict: boolean): TestCase => {
  const kind = toJunitKind(rule, strict);
  return {
    suite: formatShownName(`${rule.interface}.${rule.operation}`),
    name: formatShownName(rule.rule),
    kind,
    standing: ruleStanding(rule),
    ...listProofProperties(rule),
    ...createCaseMembers(rule, kind),
  };
};

/** Reports whether the other cases explain the outcome: none failed in a run that passed, or one of them is the reason. */
const isExplainedByCases = ({ outcome, incomplete, verdicts, run, knownFailureMistakes }: RunResult): boolean =>
  incomplete.length === 0 &&
  (outcome === "passed" ||
    (outcome === "failed" &&
      (knownFailureMistakes !== undefined || verdicts.some((rule) => toJunitKind(rule, run.strict) === "failure"))));

const createRunCase = (result: RunResult): TestCase => {
  const { outcome, exitCode, summary, incomplete } = result;
  const identity = { suite: "assay.run", name: "the run is complete and conclusive", standing: outcome };
  return isExplainedByCases(result)
    ? { ...identity, kind: "passed" }
    : {
        ...identity,
        kind: "error",
        message: `${outcomeWords[outcome].word}, exit code ${exitCode}: ${escapeForDisplay(summary)}`,
        type: outcome,
        details: incomplete.map(({ code, message }) => `${formatShownName(code)}: ${escapeForDisplay(message)}`),
      };
};

const maxMistakes = 50;

const createMistakeCases = ({ knownFailureMistakes: mistakes }: RunResult): readonly TestCase[] => {
  if (mistakes === undefined) {
    return [];
  }
  const moreCount = mistakes.length - maxMistakes;
  const [firstMistake = ""] = mistakes;
  return [
    {
      suite: "assay.run",
      name: "known-failure lists are valid",
      kind: "failure",
      standing: "failed",
      message:
        mistakes.length > 1
          ? `${escapeForDisplay(firstMistake)} (and ${mistakes.length - 1} more)`
          : escapeForDisplay(firstMistake),
      type: "known-failures",
      details: [
        ...mistakes.slice(0, maxMistakes).map((mistake) => escapeForDisplay(mistake)),
        ...(moreCount > 0 ? [`and ${moreCount} more`] : []),
      ],
    },
  ];
};

/** Returns the number of confirmed passes, if confirmation was requested. */
const listConfirmedProperties = (verdicts: RunResult["verdicts"]): CaseList["properties"] => {
  const confirmed = countConfirmed(verdicts);
  return confirmed === undefined ? [] : [["confirmed-passes", String(confirmed)]];
};

const listCaseProperties = ({ tool, run, outcome, exitCode, verdicts }: RunResult): CaseList["properties"] => [
  ["tool", `${tool.name} ${tool.version}`],
  ["target", run.target],
  ["profile", run.profile],
  ["run", run.id],
  ["seed", String(run.seed)],
  ["strict", String(run.strict)],
  ["outcome", outcomeWords[outcome].word],
  ["exit-code", String(exitCode)],
  ...listConfirmedProperties(verdicts),
];

/**
 * Converts a contract run to test cases: the run, the lists of known failures if they have mistakes, and each rule, grouped by operation.
 * The case of the run is an error if the others do not explain the outcome. So a case fails if and only if the exit code is not 0.
 */
export const createRunCases = (result: RunResult): CaseList => {
  const { run, tool, exitCode, exchanges, verdicts } = result;
  const rules = groupByOperation(verdicts).flat();
  return {
    id: run.id,
    startedAt: run.startedAt,
    target: run.target,
    tool,
    exitCode,
    durationMs: exchanges.reduce((sum, { durationMicros }) => sum + durationMicros, 0) / 1000,
    properties: listCaseProperties(result),
    cases: [
      createRunCase(result),
      ...createMistakeCases(result),
      ...rules.map((rule) => createRuleCase(rule, run.strict)),
    ],
  };
};
