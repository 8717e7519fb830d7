import { isRuleId } from "@assay/contract";
import { type Manifest, visibleText } from "@assay/evidence";
import { concludeRun, countOutcomes, isBetter, leftOnTarget, ruleStandings } from "@assay/results";
import type { Conclusion, RunFacts, RunOutcome, RunResult } from "@assay/results";
import { tool } from "../version.ts";

/** Computes the outcome of a stored result from its verdicts and from other events of the run. */
export const recomputeConclusion = (
  { verdicts, incomplete, run, knownFailureMistakes = [] }: RunResult,
  otherFacts: Pick<RunFacts, "interrupted" | "cleanupFailure"> = {},
): Conclusion => concludeRun({ verdicts, incomplete, strict: run.strict, knownFailureMistakes, ...otherFacts });

/** Infers the events of a run that change only its outcome, not its verdicts. */
function inferRunEvents({ outcome, exitCode }: RunResult): Pick<RunFacts, "interrupted" | "cleanupFailure"> {
  if (outcome === "interrupted") {
    return { interrupted: exitCode === 143 ? "SIGTERM" : "SIGINT" };
  }
  return outcome === "cleanup-incomplete" ? { cleanupFailure: "" } : {};
}

/** Outcomes whose summary follows from the verdicts. Summaries of other outcomes cannot be computed. */
const derivedOutcomes: ReadonlySet<RunOutcome> = new Set([
  "passed",
  "failed",
  "incomplete",
  "interrupted",
  "cleanup-incomplete",
]);

/** Compares the outcome and summary with those that follow from the verdicts. Ignores other versions, which word summaries differently. */
function findOutcomeContradiction(result: RunResult): string | undefined {
  const { outcome, summary } = result;
  if (!derivedOutcomes.has(outcome) || result.tool.version !== tool.version) {
    return undefined;
  }
  const conclusion = recomputeConclusion(result, inferRunEvents(result));
  if (outcome !== conclusion.outcome) {
    return `it says ${outcome}, and its verdicts say ${conclusion.outcome}`;
  }
  const isConsistent =
    outcome === "cleanup-incomplete"
      ? summary.startsWith(conclusion.summary)
      : summary === conclusion.summary || summary.startsWith(conclusion.summary + leftOnTarget);
  return isConsistent ? undefined : "its summary does not match its verdicts";
}

/** Returns the first contradiction within a result, as a clause. Returns undefined if there is none. */
export function findContradiction(result: RunResult): string | undefined {
  const { verdicts, outcome, counts } = result;
  const expectedCounts = countOutcomes(verdicts);
  if (ruleStandings.some((standing) => counts[standing] !== expectedCounts[standing])) {
    return "its counts do not match its verdicts";
  }
  const conclusion = recomputeConclusion(result);
  return isBetter(outcome, conclusion.outcome)
    ? `it says ${outcome}, and its verdicts say ${conclusion.outcome}`
    : findOutcomeContradiction(result);
}

const quoteRule = (rule: string): string => visibleText(rule, 80);

/** Returns the first rule without a verdict. Ignores results of versions that lacked a rule: they report that the evidence was not fully judged. */
function findUnjudgedRules({ verdicts, incomplete }: RunResult, rules: readonly string[]): string | undefined {
  const judgedRules = new Set<string>(verdicts.map(({ rule }) => rule));
  const isReported = incomplete.some(({ code }) => code === "evidence-incomplete");
  return isReported ? undefined : rules.find((rule) => isRuleId(rule) && !judgedRules.has(rule));
}

/**
 * Returns the first contradiction between a result and the manifest of its run, as a clause. Returns undefined if
 * there is none.
 */
export function findManifestContradiction(manifest: Manifest, result: RunResult): string | undefined {
  const { rules, strict } = manifest;
  if (strict !== result.run.strict) {
    return `it was judged with strict ${result.run.strict}, and the run was made with strict ${strict}`;
  }
  const missingRule = findUnjudgedRules(result, rules);
  if (missingRule !== undefined) {
    return `the run selected ${quoteRule(missingRule)}, of which it has no verdict`;
  }
  const expectedRules = new Set<string>(rules);
  const surplusVerdict = result.verdicts.find(({ rule }) => !expectedRules.delete(rule));
  return surplusVerdict === undefined ? undefined : `it has an extra verdict of ${quoteRule(surplusVerdict.rule)}`;
}
