import { junitKind, type RuleVerdict, type RunResult } from "@assay/results";
import type { TestCase } from "junit-report-builder";
import { failureLines } from "./failure-lines.ts";
import { newJunitBuilder } from "./junit-builder.ts";
import { outcomeWords } from "./outcome-words.ts";
import { pageOf } from "./page.ts";
import { byOperation } from "./rule-groups.ts";
import { shownText } from "./shown-text.ts";
import { withoutCommands } from "./terminal-text.ts";
import { xmlText } from "./xml-text.ts";

const page = pageOf({ colour: false, width: 100 });

const name = (text: string): string => xmlText(shownText(text, "name"));
const sentence = (text: string): string => xmlText(shownText(text));

const whyNotJudged = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome === "not-applicable") {
    return `not applicable: ${verdict.reason}`;
  }
  return verdict.outcome === "could-not-run"
    ? `could not run: ${verdict.missing}`
    : "not observed: no opportunity came";
};

const firstMessage = ({ verdict, title }: RuleVerdict): string =>
  verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings[0].message : title;

const tellVerdict = (testCase: TestCase, rule: RuleVerdict, strict: boolean): void => {
  const kind = junitKind(rule.verdict, strict);
  const details = () => xmlText(failureLines(rule, page).join("\n"));
  if (kind === "failure") {
    testCase.failure(sentence(firstMessage(rule)), rule.basis).stacktrace(details());
  } else if (kind === "error") {
    testCase.error(sentence(whyNotJudged(rule)), "could-not-run");
  } else if (kind === "skipped") {
    testCase.skipped().standardOutput(sentence(whyNotJudged(rule)));
  } else if (kind === "warning") {
    testCase.standardOutput(details());
  }
};

const tellRun = (testCase: TestCase, { outcome, exitCode, summary, incomplete }: RunResult): void => {
  const reasons = incomplete.map(({ code, message }) => `${shownText(code, "name")}: ${shownText(message)}`).join("\n");
  const message = `${outcomeWords[outcome].word}, exit code ${exitCode}: ${shownText(summary)}`;
  testCase.error(xmlText(message), outcome, xmlText(reasons));
};

const propertiesOf = ({ tool, run, outcome, exitCode }: RunResult): readonly (readonly [string, string])[] => [
  ["tool", `${tool.name} ${tool.version}`],
  ["target", run.target],
  ["profile", run.profile],
  ["run", run.id],
  ["seed", String(run.seed)],
  ["strict", String(run.strict)],
  ["outcome", outcomeWords[outcome].word],
  ["exit-code", String(exitCode)],
];

/** Whether the rules alone tell how the run ended: they all did well, or one of them is the reason for the outcome. */
const rulesTell = ({ outcome, incomplete, verdicts, run }: RunResult): boolean =>
  incomplete.length === 0 &&
  (outcome === "passed" ||
    (outcome === "failed" && verdicts.some(({ verdict }) => junitKind(verdict, run.strict) === "failure")));

/**
 * `junit.xml`: a test suite for each operation of each interface, a test case for each rule. A violation is a failure, a rule
 * kept from its evidence an error, a rule without opportunity skipped. The suite `assay.run` has one case, an error whenever
 * the rules alone do not tell how the run ended, so the file is red exactly when the exit code is not 0. Well-formed XML 1.0
 * whatever the result holds; the same result gives the same bytes.
 */
export const renderJunit = (result: RunResult): string => {
  const builder = newJunitBuilder().name("assay");
  const run = builder.testSuite().name("assay.run").timestamp(name(result.run.startedAt));
  for (const [key, value] of propertiesOf(result)) {
    run.property(key, sentence(value));
  }
  const whole = run.testCase().className("assay.run").name("the run is complete and decides");
  if (!rulesTell(result)) {
    tellRun(whole, result);
  }
  for (const rules of byOperation(result.verdicts)) {
    const [first] = rules;
    const suiteName = name(`${first?.interface ?? ""}.${first?.operation ?? ""}`);
    const suite = builder.testSuite().name(suiteName).timestamp(name(result.run.startedAt));
    for (const rule of rules) {
      tellVerdict(suite.testCase().className(suiteName).name(name(rule.rule)), rule, result.run.strict);
    }
  }
  // The file is often printed to a log, where a line of it is not to be taken for a command.
  return `${builder.build().split("\n").map(withoutCommands).join("\n")}\n`;
};
