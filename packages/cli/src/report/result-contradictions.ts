import { isRuleId } from "@assay/contract";
import { type Manifest, visibleText } from "@assay/evidence";
import { concludeRun, countOutcomes, leftOnTarget, outcomePrecedence, ruleStandings } from "@assay/results";
import type { Conclusion, RunFacts, RunOutcome, RunResult } from "@assay/results";
import { tool } from "../version.ts";

/** Whether a run that ends like this ends better than it would like that: what else happened in it may make its end more severe, never better. */
export const isBetter = (outcome: RunOutcome, own: RunOutcome): boolean =>
  outcomePrecedence.indexOf(outcome) > outcomePrecedence.indexOf(own);

/** How a stored result ends by its own parts, and by what else happened in the run. */
export const ownConclusion = (
  { verdicts, incomplete, run, knownFailureMistakes = [] }: RunResult,
  more: Pick<RunFacts, "interrupted" | "cleanupFailure"> = {},
): Conclusion => concludeRun({ verdicts, incomplete, strict: run.strict, knownFailureMistakes, ...more });

/** What the parts of a result do not tell of how it ended. */
function whatElseBefell({ outcome, exitCode }: RunResult): Pick<RunFacts, "interrupted" | "cleanupFailure"> {
  if (outcome === "interrupted") {
    return { interrupted: exitCode === 143 ? "SIGTERM" : "SIGINT" };
  }
  return outcome === "cleanup-incomplete" ? { cleanupFailure: "" } : {};
}

/** Ends whose summary follows from the verdicts; another is told in words that stand nowhere else. */
const derivedEnds: ReadonlySet<RunOutcome> = new Set([
  "passed",
  "failed",
  "incomplete",
  "interrupted",
  "cleanup-incomplete",
]);

/** What is wrong with an end that follows from the verdicts. Other versions have other words for it. */
function endContradiction(result: RunResult): string | undefined {
  const { outcome, summary } = result;
  if (!derivedEnds.has(outcome) || result.tool.version !== tool.version) {
    return undefined;
  }
  const own = ownConclusion(result, whatElseBefell(result));
  if (outcome !== own.outcome) {
    return `it says ${outcome}, and its verdicts say ${own.outcome}`;
  }
  const fits =
    outcome === "cleanup-incomplete"
      ? summary.startsWith(own.summary)
      : summary === own.summary || summary.startsWith(own.summary + leftOnTarget);
  return fits ? undefined : "its summary is not that of its verdicts";
}

/** What a result says of itself that its own verdicts do not bear out, a clause; undefined when all agrees. */
export function contradictionIn(result: RunResult): string | undefined {
  const { verdicts, outcome, counts } = result;
  const counted = countOutcomes(verdicts);
  if (ruleStandings.some((standing) => counts[standing] !== counted[standing])) {
    return "its counts are not those of its verdicts";
  }
  const own = ownConclusion(result);
  return isBetter(outcome, own.outcome)
    ? `it says ${outcome}, and its verdicts say ${own.outcome}`
    : endContradiction(result);
}

const named = (rule: string): string => visibleText(rule, 80);

/** Rules without a verdict. A version that does not have one says that the evidence was not judged in full. */
function unjudged({ verdicts, incomplete }: RunResult, rules: readonly string[]): string | undefined {
  const judged = new Set<string>(verdicts.map(({ rule }) => rule));
  const isTold = incomplete.some(({ code }) => code === "evidence-incomplete");
  return isTold ? undefined : rules.find((rule) => isRuleId(rule) && !judged.has(rule));
}

/** What a result says that the manifest of its own run does not bear out, a clause; undefined when all agrees. */
export function contradictionWith(manifest: Manifest, result: RunResult): string | undefined {
  const { rules, strict } = manifest;
  if (strict !== result.run.strict) {
    return `it was judged with strict ${result.run.strict}, and the run was made with strict ${strict}`;
  }
  const missing = unjudged(result, rules);
  if (missing !== undefined) {
    return `the run selected ${named(missing)}, of which it has no verdict`;
  }
  const unseen = new Set<string>(rules);
  const surplus = result.verdicts.find(({ rule }) => !unseen.delete(rule));
  return surplus === undefined ? undefined : `it has a verdict of ${named(surplus.rule)} too many`;
}
