import type { LoadResult } from "@assay/results";
import type { TestSuite } from "junit-report-builder";
import { newJunitBuilder } from "../junit-builder.ts";
import { outcomeWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { withoutCommands } from "../terminal-text.ts";
import { xmlText } from "../xml-text.ts";
import { violationEntries } from "./observed-lines.ts";
import { thresholdSentence } from "./trust-lines.ts";

/** One condition of a load run, as a case. */
interface LoadCase {
  readonly name: string;
  /** Why it fails, a sentence; absent when it holds. */
  readonly failure?: string;
  /** Why nothing is said, a sentence. */
  readonly skipped?: string;
}

const caseOf = (name: string, failure: string | undefined): LoadCase =>
  failure === undefined ? { name } : { name, failure };

const contractCase = (result: LoadResult): LoadCase => {
  const entries = violationEntries(result).map(([code, count]) => `${shownText(code, "name")}: ${count}`);
  return caseOf("the contract holds under load", entries.length === 0 ? undefined : entries.join("\n"));
};

const canaryCases = ({ canary }: LoadResult): readonly LoadCase[] =>
  canary === undefined
    ? []
    : [
        caseOf(
          "the canary finds no violation",
          canary.failed.length === 0
            ? undefined
            : canary.failed.map(({ rule, message }) => `${shownText(rule, "name")}: ${shownText(message)}`).join("\n"),
        ),
      ];

const thresholdCases = ({ thresholds }: LoadResult): readonly LoadCase[] =>
  thresholds.map((threshold) => {
    const name = shownText(threshold.threshold, "name");
    const sentence = thresholdSentence(threshold);
    return threshold.ok === undefined ? { name, skipped: sentence } : caseOf(name, threshold.ok ? undefined : sentence);
  });

const comparisonCases = ({ comparison }: LoadResult): readonly LoadCase[] =>
  comparison === undefined
    ? []
    : comparison.metrics.map(({ metric, verdict, note = "no decision" }) => {
        const name = `${shownText(metric, "name")} has not become slower`;
        return verdict === "inconclusive"
          ? { name, skipped: `inconclusive: ${shownText(note)}` }
          : caseOf(name, verdict === "regressed" ? "regressed" : undefined);
      });

const casesOf = (result: LoadResult): readonly LoadCase[] => [
  contractCase(result),
  ...canaryCases(result),
  ...(result.trust.valid ? [...thresholdCases(result), ...comparisonCases(result)] : []),
];

/** Adds the case of the run: an error where the others do not tell that it is red. */
const addRun = (suite: TestSuite, result: LoadResult, isTold: boolean): void => {
  const whole = suite.testCase().className("assay.load").name("the run is complete and decides");
  if (result.exitCode !== 0 && !isTold) {
    const { word } = outcomeWords[result.outcome];
    const reasons = result.incomplete.map(({ code, message }) => `${shownText(code, "name")}: ${shownText(message)}`);
    const message = `${word}, exit code ${result.exitCode}: ${shownText(result.summary)}`;
    whole.error(xmlText(message), result.outcome, xmlText(reasons.join("\n")));
  }
};

/**
 * `junit.xml` of a load run: one suite, a case for the contract under load, the canary, each threshold and each compared
 * metric, and one for the run as a whole, which is an error whenever the others do not tell how it ended. The file is red
 * exactly when the exit code is not 0.
 */
export const renderLoadJunit = (result: LoadResult): string => {
  const builder = newJunitBuilder().name("assay");
  const suite = builder
    .testSuite()
    .name("assay.load")
    .timestamp(xmlText(shownText(result.run.startedAt, "name")));
  // A run that ends with 0 has nothing red, whatever was seen on the way.
  const isRed = result.exitCode !== 0;
  const cases = casesOf(result);
  addRun(suite, result, cases.some(({ failure }) => failure !== undefined) && result.complete);
  for (const { name, failure, skipped } of cases) {
    const testCase = suite.testCase().className("assay.load").name(xmlText(name));
    if (failure !== undefined && isRed) {
      testCase.failure(xmlText(failure));
    } else if (skipped !== undefined) {
      testCase.skipped().standardOutput(xmlText(skipped));
    }
  }
  return `${builder.build().split("\n").map(withoutCommands).join("\n")}\n`;
};
