import type { ReportedFinding } from "@assay/results";
import type { PlacedVerdict } from "./page-runs.ts";

/** Returns the findings of a verdict. */
export const findingsOf = ({ rule: { verdict } }: PlacedVerdict): readonly ReportedFinding[] =>
  verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];

/** Findings of one rule with the same code and argument, or with the same message if they have no code. */
export interface FindingKind {
  /** The example on the page. */
  readonly first: ReportedFinding;
  /** Its index among the findings of the rule. */
  readonly at: number;
  readonly count: number;
  /** True if dropped findings may be of this kind. */
  readonly isAtLeast: boolean;
}

const kindOf = ({ code, argument = "", message }: ReportedFinding): string =>
  code === undefined ? JSON.stringify([message]) : JSON.stringify([code, argument]);

/**
 * Returns the kinds of findings of a rule, in the order of their first examples. A rule keeps one finding of each kind before a second one
 * of any kind. So if it kept only one kind, all dropped findings are of that kind.
 */
export const findingKinds = (placed: PlacedVerdict): readonly FindingKind[] => {
  const { verdict } = placed.rule;
  const more = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.moreFindings : 0;
  const kinds = new Map<string, Omit<FindingKind, "isAtLeast">>();
  for (const [at, finding] of findingsOf(placed).entries()) {
    const kind = kindOf(finding);
    const known = kinds.get(kind) ?? { first: finding, at, count: 0 };
    kinds.set(kind, { ...known, count: known.count + 1 });
  }
  return [...kinds.values()].map((kind) =>
    kinds.size === 1
      ? { ...kind, count: kind.count + more, isAtLeast: false }
      : { ...kind, isAtLeast: more > 0 && kind.count > 1 },
  );
};
