import { defined } from "@assay/contract";
import { positiveCount } from "./positive-count.ts";
import type { BlockedBy, ReportedFinding, RuleVerdict, PartlyBlocked, Verdict } from "./verdict.ts";

/** How many findings a verdict carries at most; the rest is counted. */
export const maxReportedFindings = 20;

/** What judging one rule came to, before it is folded into a verdict. */
export interface JudgedRule {
  readonly basis: RuleVerdict["basis"];
  /** Everything the rule had to say, violations and observations in any mix. */
  readonly findings: readonly ReportedFinding[];
  /** Violations that were counted but not kept [0]. */
  readonly droppedViolations?: number;
  /** Exchanges with at least one violation, where violations were not kept. */
  readonly violatingExchanges?: number;
  /** How often the rule had an observation to speak. */
  readonly observations: number;
  /** Whether a violation of an `inferred` rule fails instead of warning. The only place where strictness is applied. */
  readonly strict: boolean;
  /** What kept part or all of the evidence from this rule. */
  readonly blockedBy?: { readonly kind: BlockedBy; readonly missing: string };
  /** Why there was no observation, where the rule knows. */
  readonly notTested?: string;
  /** Why the profile or the target excludes the rule; it was then never asked. */
  readonly notApplicable?: string;
}

const capped = (findings: readonly ReportedFinding[], dropped: number, affectedExchanges: number | undefined) => {
  const [first, ...rest] = findings;
  if (first === undefined) {
    return undefined;
  }
  const shown: readonly [ReportedFinding, ...ReportedFinding[]] = [first, ...rest.slice(0, maxReportedFindings - 1)];
  const moreFindings = findings.length - shown.length + dropped;
  return {
    findings: shown,
    moreFindings,
    ...defined({ affectedExchanges: moreFindings === 0 ? undefined : affectedExchanges }),
  };
};

const partlyBlockedOf = ({ blockedBy }: JudgedRule): { readonly partlyBlocked?: PartlyBlocked } =>
  blockedBy === undefined || blockedBy.kind === "prerequisite"
    ? {}
    : { partlyBlocked: { blockedBy: blockedBy.kind, missing: blockedBy.missing } };

const violationsOf = (judged: JudgedRule) => {
  const { basis, findings, strict, droppedViolations = 0, violatingExchanges } = judged;
  const broken = capped(
    findings.filter(({ kind }) => kind === "violation"),
    droppedViolations,
    violatingExchanges,
  );
  if (broken === undefined || basis === "observed") {
    return { failed: undefined, warned: undefined };
  }
  return basis === "inferred" && !strict
    ? { failed: undefined, warned: { outcome: "warned", ...broken } as const }
    : { failed: { outcome: "failed", ...broken, ...partlyBlockedOf(judged) } as const, warned: undefined };
};

const couldNotRun = ({ blockedBy }: JudgedRule): Verdict | undefined =>
  blockedBy && { outcome: "blocked", blockedBy: blockedBy.kind, missing: blockedBy.missing };

const seen = ({ basis, findings, observations, notTested }: JudgedRule): Verdict => {
  // A new value reported by an `observed` rule was seen, whatever the rule counted.
  const count = positiveCount(basis === "observed" ? Math.max(observations, findings.length) : observations);
  if (count !== undefined) {
    return { outcome: "passed", observations: count };
  }
  return notTested === undefined ? { outcome: "not-tested" } : { outcome: "not-tested", reason: notTested };
};

/**
 * Folds what judging came to into a verdict. First that applies: not applicable; a violation that fails; an blockedBy of the
 * kind `transport` or `limit` (so that a rule that could look at a part only is never green; beside a violation it is
 * `unseen`); a violation that warns; a
 * prerequisite nobody gave; passed with its observations; not observed. Violations of `observed` rules never fail nor warn:
 * they are notes. At most `maxReportedFindings` findings are kept.
 */
export const verdictOf = (judged: JudgedRule): Verdict => {
  if (judged.notApplicable !== undefined) {
    return { outcome: "not-applicable", reason: judged.notApplicable };
  }
  const { failed, warned } = violationsOf(judged);
  const blind = judged.blockedBy?.kind === "prerequisite" ? undefined : couldNotRun(judged);
  return failed ?? blind ?? warned ?? couldNotRun(judged) ?? seen(judged);
};

const asObservation = (finding: ReportedFinding): ReportedFinding => ({ ...finding, kind: "note" });

/**
 * What a verdict does not carry but its report shall: permitted choices, and new values seen by an `observed` rule, both as
 * observations. At most `maxReportedFindings`.
 */
export const notesOf = ({ basis, findings }: Pick<JudgedRule, "basis" | "findings">): readonly ReportedFinding[] =>
  findings
    .filter(({ kind }) => kind === "note" || basis === "observed")
    .slice(0, maxReportedFindings)
    .map(asObservation);
