import type { ReportedFinding } from "@assay/results";
import type { PlacedVerdict } from "./page-runs.ts";

/** The findings of a verdict; none where it passed. */
export const findingsOf = ({ rule: { verdict } }: PlacedVerdict): readonly ReportedFinding[] =>
  verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];

/** Findings of one rule with the same code and argument, or without a code the same message. */
export interface FindingKind {
  /** The example that is shown. */
  readonly first: ReportedFinding;
  /** Its place among the findings of the rule. */
  readonly at: number;
  readonly count: number;
}

const kindOf = ({ code, argument = "", message }: ReportedFinding): string =>
  code === undefined ? JSON.stringify([message]) : JSON.stringify([code, argument]);

/** The kinds of findings of a rule, in the order of their first examples. */
export const findingKinds = (placed: PlacedVerdict): readonly FindingKind[] => {
  const kinds = new Map<string, FindingKind>();
  for (const [at, finding] of findingsOf(placed).entries()) {
    const kind = kindOf(finding);
    const known = kinds.get(kind) ?? { first: finding, at, count: 0 };
    kinds.set(kind, { ...known, count: known.count + 1 });
  }
  return [...kinds.values()];
};
