import type { ReportedFinding } from "@assay/results";
import type { PlacedVerdict } from "./page-runs.ts";

/** Returns the findings of a verdict. */
export const listVerdictFindings = ({ rule: { verdict } }: PlacedVerdict): readonly ReportedFinding[] =>
  verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];

/** Findings of one rule with the same code and argument, or with the same message if they have no code. */
export interface FindingKind {
  /** The example on the page. */
  readonly example: ReportedFinding;
  /** Its index among the findings of the rule. */
  readonly index: number;
  readonly count: number;
  /** True if `count` is a minimum, because dropped findings may be of this kind. */
  readonly isMinimum: boolean;
}

const getKindKey = ({ code, argument = "", message }: ReportedFinding): string =>
  code === undefined ? JSON.stringify([message]) : JSON.stringify([code, argument]);

/**
 * Returns the kinds of findings of a rule, in the order of their first examples. A rule keeps one finding of each kind before a second one
 * of any kind. So if it kept only one kind, all dropped findings are of that kind.
 */
export const groupFindingKinds = (placed: PlacedVerdict): readonly FindingKind[] => {
  const { verdict } = placed.rule;
  const droppedCount = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.moreFindings : 0;
  const kinds = new Map<string, Omit<FindingKind, "isMinimum">>();
  for (const [index, finding] of listVerdictFindings(placed).entries()) {
    const kind = getKindKey(finding);
    const earlier = kinds.get(kind) ?? { example: finding, index, count: 0 };
    kinds.set(kind, { ...earlier, count: earlier.count + 1 });
  }
  return [...kinds.values()].map((kind) =>
    kinds.size === 1
      ? { ...kind, count: kind.count + droppedCount, isMinimum: false }
      : { ...kind, isMinimum: droppedCount > 0 && kind.count > 1 },
  );
};
