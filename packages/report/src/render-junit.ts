import { junitKind, ruleStanding, type RuleVerdict, type RunResult } from "@assay/results";
import type { TestCase } from "junit-report-builder";
import { failureLines } from "./failure-lines.ts";
import { newJunitBuilder } from "./junit-builder.ts";
import {
  brokenSentence,
  entryCare,
  entryPlace,
  fixedFailures,
  fixedLines,
  fixedSentence,
} from "./known-failure-lines.ts";
import { outcomeWords } from "./outcome-words.ts";
import { pageOf } from "./page.ts";
import { byOperation } from "./rule-groups.ts";
import { shownText } from "./shown-text.ts";
import { withoutCommands } from "./terminal-text.ts";
import { xmlText } from "./xml-text.ts";

const page = pageOf({ colour: false, width: 100 });

const name = (text: string): string => xmlText(shownText(text, "name"));
const sentence = (text: string): string => xmlText(shownText(text));

/** What a skipped test case has to say. */
const whySkipped = (rule: RuleVerdict): string => {
  const { known } = rule;
  return known !== undefined && ruleStanding(rule) === "known-failure"
    ? `known failure: ${shownText(known.reason)} (${entryPlace(known)}; ${entryCare(known)}); ${brokenSentence(rule)}`
    : shownText(whyNotJudged(rule));
};

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
  const kind = junitKind(rule, strict);
  const details = () => xmlText(failureLines(rule, page).join("\n"));
  const [fixed] = fixedFailures([rule]);
  if (fixed !== undefined) {
    testCase
      .failure(xmlText(fixedSentence(fixed)), "unexpectedly-fixed")
      .stacktrace(xmlText(fixedLines(fixed, page).join("\n")));
  } else if (kind === "failure") {
    testCase.failure(sentence(firstMessage(rule)), rule.basis).stacktrace(details());
  } else if (kind === "error") {
    testCase.error(sentence(whyNotJudged(rule)), "could-not-run");
  } else if (kind === "skipped") {
    testCase.skipped().standardOutput(xmlText(whySkipped(rule)));
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

/** Whether the other cases alone tell how the run ended: they all did well, or one of them is the reason for the outcome. */
const casesTell = ({ outcome, incomplete, verdicts, run, knownFailureMistakes }: RunResult): boolean =>
  incomplete.length === 0 &&
  (outcome === "passed" ||
    (outcome === "failed" &&
      (knownFailureMistakes !== undefined || verdicts.some((rule) => junitKind(rule, run.strict) === "failure"))));

/** How many mistakes are told in full. */
const shownMistakes = 50;

const tellMistakes = (testCase: TestCase, mistakes: readonly string[]): void => {
  const more = mistakes.length - shownMistakes;
  const [first = ""] = mistakes;
  const message = mistakes.length > 1 ? `${shownText(first)} (and ${mistakes.length - 1} more)` : shownText(first);
  const lines = mistakes.slice(0, shownMistakes).map((mistake) => shownText(mistake));
  testCase
    .failure(xmlText(message), "known-failures")
    .stacktrace(xmlText([...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n")));
};

/**
 * `junit.xml`: a test suite for each operation of each interface, a test case for each rule. A violation is a failure, a rule
 * kept from its evidence an error, a rule without opportunity and a known failure skipped, a known failure that is gone a
 * failure. The suite `assay.run` has one case, an error whenever the others alone do not tell how the run ended, and a second
 * one, a failure, when the lists of known failures have mistakes; so the file is red exactly when the exit code is not 0. Well-formed XML 1.0
 * whatever the result holds; the same result gives the same bytes.
 */
export const renderJunit = (result: RunResult): string => {
  const builder = newJunitBuilder().name("assay");
  const run = builder.testSuite().name("assay.run").timestamp(name(result.run.startedAt));
  for (const [key, value] of propertiesOf(result)) {
    run.property(key, sentence(value));
  }
  const whole = run.testCase().className("assay.run").name("the run is complete and decides");
  if (!casesTell(result)) {
    tellRun(whole, result);
  }
  if (result.knownFailureMistakes !== undefined) {
    const lists = run.testCase().className("assay.run").name("the lists of known failures have no mistake");
    tellMistakes(lists, result.knownFailureMistakes);
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
