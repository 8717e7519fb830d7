import { defined } from "@assay/contract";
import { toPositiveCount } from "./positive-count.ts";
import type { BlockedBy, ReportedFinding, RuleVerdict, PartlyBlocked, Verdict } from "./verdict.ts";

/** Maximum number of findings of a verdict. Further findings are only counted. */
export const maxReportedFindings = 20;

/** The result of judging one rule, before it becomes a verdict. */
export interface JudgedRule {
  readonly basis: RuleVerdict["basis"];
  /** Violations and notes, in any order. */
  readonly findings: readonly ReportedFinding[];
  /** Violations that were counted but not kept. Default: 0. */
  readonly droppedViolations?: number;
  /** Exchanges with at least one violation, if some violations were not kept. */
  readonly violatingExchanges?: number;
  /** Number of times the rule could be checked. */
  readonly observations: number;
  /** Whether a violation of an `inferred` rule fails instead of warning. */
  readonly strict: boolean;
  /** Cause of all or part of the evidence being missing. */
  readonly blockedBy?: { readonly kind: BlockedBy; readonly missing: string };
  /** Why the rule was not tested, if known. */
  readonly notTested?: string;
  /** Why the profile or the target excludes the rule, which was then not checked. */
  readonly notApplicable?: string;
}

const limitFindings = (
  findings: readonly ReportedFinding[],
  droppedCount: number,
  affectedExchanges: number | undefined,
) => {
  const [first, ...rest] = findings;
  if (first === undefined) {
    return undefined;
  }
  const reported: readonly [ReportedFinding, ...ReportedFinding[]] = [first, ...rest.slice(0, maxReportedFindings - 1)];
  const moreFindings = findings.length - reported.length + droppedCount;
  return {
    findings: reported,
    moreFindings,
    ...defined({ affectedExchanges: moreFindings === 0 ? undefined : affectedExchanges }),
  };
};

const createPartlyBlocked = ({ blockedBy }: JudgedRule): { readonly partlyBlocked?: PartlyBlocked } =>
  blockedBy === undefined || blockedBy.kind === "prerequisite"
    ? {}
    : { partlyBlocked: { blockedBy: blockedBy.kind, missing: blockedBy.missing } };

const readViolations = (judged: JudgedRule) => {
  const { basis, findings, strict, droppedViolations = 0, violatingExchanges } = judged;
  const violations = limitFindings(
    findings.filter(({ kind }) => kind === "violation"),
    droppedViolations,
    violatingExchanges,
  );
  if (violations === undefined || basis === "observed") {
    return { failed: undefined, warned: undefined };
  }
  return basis === "inferred" && !strict
    ? { failed: undefined, warned: { outcome: "warned", ...violations } as const }
    : { failed: { outcome: "failed", ...violations, ...createPartlyBlocked(judged) } as const, warned: undefined };
};

const createBlockedVerdict = ({ blockedBy }: JudgedRule): Verdict | undefined =>
  blockedBy && { outcome: "blocked", blockedBy: blockedBy.kind, missing: blockedBy.missing };

const createVerdictWithoutViolation = ({ basis, findings, observations, notTested }: JudgedRule): Verdict => {
  // A new value reported by an `observed` rule counts as an observation.
  const count = toPositiveCount(basis === "observed" ? Math.max(observations, findings.length) : observations);
  if (count !== undefined) {
    return { outcome: "passed", observations: count };
  }
  return notTested === undefined ? { outcome: "not-tested" } : { outcome: "not-tested", reason: notTested };
};

/**
 * Returns the verdict on a rule, the first of these that applies:
 *
 * 1. not applicable
 * 2. failed (with `partlyBlocked` if part of the evidence was blocked)
 * 3. blocked by `transport` or `limit`, so that a rule with only part of its evidence does not pass
 * 4. warned
 * 5. blocked by a missing prerequisite
 * 6. passed
 * 7. not tested
 *
 * Violations of `observed` rules neither fail nor warn: they are notes. Keeps at most `maxReportedFindings` findings.
 */
export const createVerdict = (judged: JudgedRule): Verdict => {
  if (judged.notApplicable !== undefined) {
    return { outcome: "not-applicable", reason: judged.notApplicable };
  }
  const { failed, warned } = readViolations(judged);
  const blockedByEvidence = judged.blockedBy?.kind === "prerequisite" ? undefined : createBlockedVerdict(judged);
  return failed ?? blockedByEvidence ?? warned ?? createBlockedVerdict(judged) ?? createVerdictWithoutViolation(judged);
};

const toNote = (finding: ReportedFinding): ReportedFinding => ({ ...finding, kind: "note" });

/**
 * Returns notes for the report that are not part of the verdict: permitted choices, and new values found by an `observed` rule. At most
 * `maxReportedFindings`.
 */
export const collectNotes = ({ basis, findings }: Pick<JudgedRule, "basis" | "findings">): readonly ReportedFinding[] =>
  findings
    .filter(({ kind }) => kind === "note" || basis === "observed")
    .slice(0, maxReportedFindings)
    .map(toNote);
