import { type ReportedFinding, ruleStanding, type RuleStanding } from "@assay/results";
import { shownLength } from "../../document/shown-text.ts";
import { pageCaps, shareOf } from "./page-caps.ts";
import { findingKinds, type FindingKind } from "./finding-kinds.ts";
import { detailId, type PageRun, type PlacedVerdict } from "./page-runs.ts";

/** A verdict that the page shows with its findings. */
export interface PlannedFailure {
  readonly placed: PlacedVerdict;
  /** Id of the earlier finding that shows the same exchange, by index of the finding. */
  readonly shownAt: ReadonlyMap<number, string>;
}

/** The failures and warnings of a run: those shown in full, those shown on one line, and the number of the rest. */
export interface FailurePlan {
  readonly full: readonly PlannedFailure[];
  readonly listed: readonly PlacedVerdict[];
  readonly more: number;
}

/** The order on the page: failures, then warnings, then known failures. */
const order = ["failed", "fixed", "warned", "known-failure"] as const satisfies readonly RuleStanding[];

const rankOf = ({ rule }: PlacedVerdict): number => order.findIndex((standing) => standing === ruleStanding(rule));

const capped = (text: string | undefined, limit: number): number => Math.min(text?.length ?? 0, limit);

/** Estimates the number of characters of a finding on the page. */
const sizeOf = ({ message, excerpt, curl, exchange }: ReportedFinding, run: PageRun): number => {
  const detail = exchange === undefined ? undefined : run.details.get(exchange);
  return (
    1500 +
    2 * capped(message, shownLength.sentence) +
    3 * capped(curl, shownLength.command) +
    (excerpt === undefined ? 0 : capped(excerpt.before, 400) + capped(excerpt.marked, 400) + 200) +
    (detail === undefined ? 0 : JSON.stringify(detail).length)
  );
};

/** Returns the first examples of each kind of finding, which the page shows with bytes and commands. */
export const fullFindings = (placed: PlacedVerdict): readonly FindingKind[] =>
  findingKinds(placed).slice(0, pageCaps.fullFindings);

const sizeOfFailure = (placed: PlacedVerdict): number =>
  1500 + fullFindings(placed).reduce((sum, { first }) => sum + sizeOf(first, placed.run), 0);

/** Returns the id of a finding on the page. */
export const findingId = (placed: PlacedVerdict, at: number): string => `${detailId(placed)}-${at}`;

const plannedFailures = (all: readonly PlacedVerdict[]): readonly PlannedFailure[] => {
  const first = new Map<string, string>();
  return all.map((placed) => {
    const shownAt = new Map<number, string>();
    for (const {
      at,
      first: { exchange },
    } of fullFindings(placed)) {
      const earlier = exchange === undefined ? undefined : first.get(exchange);
      if (earlier !== undefined) {
        shownAt.set(at, earlier);
      } else if (exchange !== undefined) {
        first.set(exchange, findingId(placed, at));
      }
    }
    return { placed, shownAt };
  });
};

/**
 * Plans the failures of a run: failed rules, fixed known failures, warnings and known failures, in this order. Failures are shown in full
 * up to the limits of the page. Only the first finding of an exchange shows the exchange.
 */
export const failurePlan = (run: PageRun): FailurePlan => {
  const bad = run.result.verdicts
    .map((rule, index) => ({ run, index, rule }))
    .filter((placed) => rankOf(placed) >= 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  let room = shareOf(pageCaps.findingCharacters, run.runs);
  const fits = bad.findIndex((placed) => {
    room -= sizeOfFailure(placed);
    return room < 0;
  });
  const full = fits === -1 ? bad : bad.slice(0, Math.max(1, fits));
  const rest = bad.slice(full.length);
  const listed = rest.slice(0, pageCaps.listedRules);
  return { full: plannedFailures(full), listed, more: rest.length - listed.length };
};
