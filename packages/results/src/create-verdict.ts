import { defined } from "@assay/contract";
import { positiveCount } from "./positive-count.ts";
import type { BlockedBy, ReportedFinding, RuleVerdict, PartlyBlocked, Verdict } from "./verdict.ts";

/** Maximum number of findings of a verdict; the rest is counted. */
export const maxReportedFindings = 20;

/** The result of judging one rule, before it becomes a verdict. */
export interface JudgedRule {
  readonly basis: RuleVerdict["basis"];
  /** Violations and notes, in any order. */
  readonly findings: readonly ReportedFinding[];
  /** Violations that were counted but not kept [0]. */
  readonly droppedViolations?: number;
  /** Exchanges with at least one violation, if some violations were not kept. */
  readonly violatingExchanges?: number;
  /** How often the rule could be checked. */
  readonly observations: number;
  /** Whether a violation of an `inferred` rule fails instead of warning. */
  readonly strict: boolean;
  /** What blocked all or part of the evidence. */
  readonly blockedBy?: { readonly kind: BlockedBy; readonly missing: string };
  /** Why the rule was not tested, if known. */
  readonly notTested?: string;
  /** Why the profile or the target excludes the rule; it was then not checked. */
  readonly notApplicable?: string;
}

const capped = (findings: readonly ReportedFinding[], dropped: number, affectedExchanges: number | undefined) => {
  const [first, ...rest] = findings;
  if (first === undefined) {
    return undefined;
  }
  const reported: readonly [ReportedFinding, ...ReportedFinding[]] = [first, ...rest.slice(0, maxReportedFindings - 1)];
  const moreFindings = findings.length - reported.length + dropped;
  return {
    findings: reported,
    moreFindings,
    ...defined({ affectedExchanges: moreFindings === 0 ? undefined : affectedExchanges }),
  };
};

const partlyBlockedOf = ({ blockedBy }: JudgedRule): { readonly partlyBlocked?: PartlyBlocked } =>
  blockedBy === undefined || blockedBy.kind === "prerequisite"
    ? {}
    : { partlyBlocked: { blockedBy: blockedBy.kind, missing: blockedBy.missing } };

const readViolations = (judged: JudgedRule) => {
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

const blockedVerdict = ({ blockedBy }: JudgedRule): Verdict | undefined =>
  blockedBy && { outcome: "blocked", blockedBy: blockedBy.kind, missing: blockedBy.missing };

const verdictWithoutViolation = ({ basis, findings, observations, notTested }: JudgedRule): Verdict => {
  // A new value reported by an `observed` rule counts as an observation.
  const count = positiveCount(basis === "observed" ? Math.max(observations, findings.length) : observations);
  if (count !== undefined) {
    return { outcome: "passed", observations: count };
  }
  return notTested === undefined ? { outcome: "not-tested" } : { outcome: "not-tested", reason: notTested };
};

/**
 * The verdict on a rule. The first that applies: not applicable; failed; blocked by `transport` or `limit`, so that a rule that saw only
 * part of the evidence does not pass (a failed verdict has it as `partlyBlocked`); warned; blocked by a missing prerequisite; passed; not
 * tested. Violations of `observed` rules neither fail nor warn: they are notes. At most `maxReportedFindings` findings are kept.
 */
export const createVerdict = (judged: JudgedRule): Verdict => {
  if (judged.notApplicable !== undefined) {
    return { outcome: "not-applicable", reason: judged.notApplicable };
  }
  const { failed, warned } = readViolations(judged);
  const blind = judged.blockedBy?.kind === "prerequisite" ? undefined : blockedVerdict(judged);
  return failed ?? blind ?? warned ?? blockedVerdict(judged) ?? verdictWithoutViolation(judged);
};

const asNote = (finding: ReportedFinding): ReportedFinding => ({ ...finding, kind: "note" });

/**
 * Notes for the report that are not part of the verdict: permitted choices, and new values found by an `observed` rule. At most
 * `maxReportedFindings`.
 */
export const collectNotes = ({ basis, findings }: Pick<JudgedRule, "basis" | "findings">): readonly ReportedFinding[] =>
  findings
    .filter(({ kind }) => kind === "note" || basis === "observed")
    .slice(0, maxReportedFindings)
    .map(asNote);
