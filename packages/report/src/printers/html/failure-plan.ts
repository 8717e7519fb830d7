import { type ReportedFinding, ruleStanding, type RuleStanding } from "@assay/results";
import { shownLength } from "../../document/shown-text.ts";
import { pageCaps, shareCap } from "./page-caps.ts";
import { findingKinds, type FindingKind } from "./finding-kinds.ts";
import { detailId, type PageRun, type PlacedVerdict } from "./page-runs.ts";

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

/** The order on the page: failures, then warnings, then known failures. */
const severityOrder = ["failed", "fixed", "warned", "known-failure"] as const satisfies readonly RuleStanding[];

const severityRank = ({ rule }: PlacedVerdict): number =>
  severityOrder.findIndex((standing) => standing === ruleStanding(rule));

const cappedLength = (text: string | undefined, limit: number): number => Math.min(text?.length ?? 0, limit);

/** Estimates the number of characters of a finding on the page. */
const findingSize = ({ message, excerpt, curl, exchange }: ReportedFinding, run: PageRun): number => {
  const detail = exchange === undefined ? undefined : run.exchangeDetails.get(exchange);
  return (
    1500 +
    2 * cappedLength(message, shownLength.sentence) +
    3 * cappedLength(curl, shownLength.command) +
    (excerpt === undefined ? 0 : cappedLength(excerpt.before, 400) + cappedLength(excerpt.marked, 400) + 200) +
    (detail === undefined ? 0 : JSON.stringify(detail).length)
  );
};

/** Returns the first examples of each kind of finding, which the page shows with bytes and commands. */
export const fullFindings = (placed: PlacedVerdict): readonly FindingKind[] =>
  findingKinds(placed).slice(0, pageCaps.fullFindings);

const failureSize = (placed: PlacedVerdict): number =>
  1500 + fullFindings(placed).reduce((sum, { example }) => sum + findingSize(example, placed.run), 0);

/** Returns the id of a finding on the page. */
export const findingId = (placed: PlacedVerdict, index: number): string => `${detailId(placed)}-${index}`;

const planFailures = (failures: readonly PlacedVerdict[]): readonly PlannedFailure[] => {
  const firstFindingIds = new Map<string, string>();
  return failures.map((placed) => {
    const earlierFindingIds = new Map<number, string>();
    for (const {
      index,
      example: { exchange },
    } of fullFindings(placed)) {
      const earlier = exchange === undefined ? undefined : firstFindingIds.get(exchange);
      if (earlier !== undefined) {
        earlierFindingIds.set(index, earlier);
      } else if (exchange !== undefined) {
        firstFindingIds.set(exchange, findingId(placed, index));
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
    .filter((placed) => severityRank(placed) >= 0)
    .toSorted((a, b) => severityRank(a) - severityRank(b));
  let remainingSize = shareCap(pageCaps.findingCharacters, run.runCount);
  const firstOmitted = failures.findIndex((placed) => {
    remainingSize -= failureSize(placed);
    return remainingSize < 0;
  });
  const full = firstOmitted === -1 ? failures : failures.slice(0, Math.max(1, firstOmitted));
  const remaining = failures.slice(full.length);
  const listedFailures = remaining.slice(0, pageCaps.listedRules);
  return { fullFailures: planFailures(full), listedFailures, omittedCount: remaining.length - listedFailures.length };
};
