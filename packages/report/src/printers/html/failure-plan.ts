import { type ReportedFinding, ruleStanding, type RuleStanding } from "@assay/results";
import { shownLength } from "../../document/shown-text.ts";
import { pageCaps, divideCap } from "./page-caps.ts";
import { groupFindingKinds, type FindingKind } from "./finding-kinds.ts";
import { createDetailId, type PageRun, type PlacedVerdict } from "./page-runs.ts";

/** A verdict that the page shows with its findings. */
export interface PlannedFailure {
  readonly placed: PlacedVerdict;
  /** Id of the earlier finding that shows the same exchange, by index of the finding. */
  readonly earlierFindingIds: ReadonlyMap<number, string>;
}

/** The failures and warnings of a run: those shown in full, those shown on one line, and the number of the others. */
export interface FailurePlan {
  readonly fullFailures: readonly PlannedFailure[];
  readonly listedFailures: readonly PlacedVerdict[];
  readonly omittedCount: number;
}

/** The order on the page: failures, then fixed known failures, then warnings, then known failures. */
const severityOrder = ["failed", "fixed", "warned", "known-failure"] as const satisfies readonly RuleStanding[];

const getSeverityRank = ({ rule }: PlacedVerdict): number =>
  severityOrder.findIndex((standing) => standing === ruleStanding(rule));

const capLength = (text: string | undefined, limit: number): number => Math.min(text?.length ?? 0, limit);

/** Estimates the number of characters of a finding on the page: 1,500 for its markup, and its texts, which escaping may lengthen. */
const estimateFindingSize = ({ message, excerpt, curl, exchange }: ReportedFinding, run: PageRun): number => {
  const detail = exchange === undefined ? undefined : run.exchangeDetails.get(exchange);
  return (
    1500 +
    2 * capLength(message, shownLength.sentence) +
    3 * capLength(curl, shownLength.command) +
    (excerpt === undefined ? 0 : capLength(excerpt.before, 400) + capLength(excerpt.marked, 400) + 200) +
    (detail === undefined ? 0 : JSON.stringify(detail).length)
  );
};

/** Returns the first examples of each kind of finding, which the page shows with bytes and commands. */
export const listFullFindings = (placed: PlacedVerdict): readonly FindingKind[] =>
  groupFindingKinds(placed).slice(0, pageCaps.fullFindings);

const estimateFailureSize = (placed: PlacedVerdict): number =>
  1500 + listFullFindings(placed).reduce((sum, { example }) => sum + estimateFindingSize(example, placed.run), 0);

/** Returns the id of a finding on the page. */
export const createFindingId = (placed: PlacedVerdict, index: number): string => `${createDetailId(placed)}-${index}`;

const planFailures = (failures: readonly PlacedVerdict[]): readonly PlannedFailure[] => {
  const firstFindingIds = new Map<string, string>();
  return failures.map((placed) => {
    const earlierFindingIds = new Map<number, string>();
    for (const {
      index,
      example: { exchange },
    } of listFullFindings(placed)) {
      const earlier = exchange === undefined ? undefined : firstFindingIds.get(exchange);
      if (earlier !== undefined) {
        earlierFindingIds.set(index, earlier);
      } else if (exchange !== undefined) {
        firstFindingIds.set(exchange, createFindingId(placed, index));
      }
    }
    return { placed, earlierFindingIds };
  });
};

/**
 * Plans the failures of a run: failed rules, fixed known failures, warnings and known failures, in this order. Failures are shown in full
 * up to the limits of the page. Only the first finding of an exchange shows the exchange.
 */
export const planRunFailures = (run: PageRun): FailurePlan => {
  const failures = run.result.verdicts
    .map((rule, index) => ({ run, index, rule }))
    .filter((placed) => getSeverityRank(placed) >= 0)
    .toSorted((a, b) => getSeverityRank(a) - getSeverityRank(b));
  let remainingSize = divideCap(pageCaps.findingCharacters, run.runCount);
  const firstOmitted = failures.findIndex((placed) => {
    remainingSize -= estimateFailureSize(placed);
    return remainingSize < 0;
  });
  const full = firstOmitted === -1 ? failures : failures.slice(0, Math.max(1, firstOmitted));
  const remaining = failures.slice(full.length);
  const listedFailures = remaining.slice(0, pageCaps.listedRules);
  return { fullFailures: planFailures(full), listedFailures, omittedCount: remaining.length - listedFailures.length };
};
