import { defined } from "@assay/contract";
import type { Finding } from "@assay/contract";
import type { Reporter, BlockedBy } from "./reporter.ts";

/** Maximum number of findings kept for each rule and kind. The rest is only counted. */
export const maxKeptFindings = 20;

/** Maximum length of an argument in a report. */
const maxArgumentCharacters = 400;

/** The outcome of judging one rule. */
export interface RuleOutcome {
  readonly observations: number;
  /**
   * At most `maxKeptFindings` violations and as many notes, in the order of the evidence. Among violations with
   * different code or argument, each kind appears once before any appears twice.
   */
  readonly findings: readonly Finding[];
  /** Number of violations that were dropped. */
  readonly droppedViolations: number;
  /**
   * Number of exchanges with at least one violation. Absent if no violation was dropped, because the findings then show
   * it.
   */
  readonly violatingExchanges?: number;
  readonly blockedBy?: BlockedBy;
  /** The reason there were no observations, or no more. */
  readonly notTested?: string;
  /** The reason the target or the profile excludes the rule. */
  readonly notApplicable?: string;
}

/** Collects the outcome of a rule. */
export interface OutcomeBuilder {
  /** Returns a reporter whose findings refer to this exchange. */
  reporterFor(exchange: string): Reporter;
  build(): RuleOutcome;
}

interface OutcomeDraft {
  observations: number;
  readonly violations: Finding[];
  readonly notes: Finding[];
  droppedViolations: number;
  readonly violatingExchanges: Set<string>;
  /** Whether no two violations have the same code and argument. */
  areViolationsDistinct: boolean;
  blockedBy: BlockedBy | undefined;
  notTested: string | undefined;
}

/** Creates a builder for the outcome of one rule. */
export function createOutcomeBuilder(): OutcomeBuilder {
  const draft: OutcomeDraft = {
    observations: 0,
    violations: [],
    notes: [],
    droppedViolations: 0,
    violatingExchanges: new Set(),
    areViolationsDistinct: false,
    blockedBy: undefined,
    notTested: undefined,
  };
  return {
    reporterFor: (exchange) => reporterFor(draft, exchange),
    build: () => ({
      observations: draft.observations,
      findings: [...draft.violations, ...draft.notes],
      droppedViolations: draft.droppedViolations,
      ...(draft.droppedViolations === 0 ? {} : { violatingExchanges: draft.violatingExchanges.size }),
      ...defined({ blockedBy: draft.blockedBy, notTested: draft.notTested }),
    }),
  };
}

const haveSameKind = (left: Finding, right: Finding): boolean =>
  left.code === right.code && left.argument === right.argument;

/** Replaces the last violation whose kind appeared before with a violation of a new kind. */
function replaceDuplicate(draft: OutcomeDraft, finding: Finding): void {
  const { violations } = draft;
  if (draft.areViolationsDistinct || violations.some((violation) => haveSameKind(violation, finding))) {
    return;
  }
  const duplicateIndex = violations.findLastIndex((violation, index) =>
    violations.slice(0, index).some((earlier) => haveSameKind(earlier, violation)),
  );
  draft.areViolationsDistinct = duplicateIndex === -1;
  if (duplicateIndex !== -1) {
    violations.splice(duplicateIndex, 1);
    violations.push(finding);
  }
}

/**
 * Merges the outcomes of two parts of the evidence, as if the second followed the first. Only for rules that check one
 * exchange or one conversation at a time, because effects across the parts are unknown.
 */
export function mergeOutcomes(first: RuleOutcome, second: RuleOutcome): RuleOutcome {
  const builder = createOutcomeBuilder();
  for (const { observations, findings, blockedBy, notTested } of [first, second]) {
    for (const { kind, exchange = "", ...finding } of findings) {
      const reporter = builder.reporterFor(exchange);
      if (kind === "violation") {
        reporter.violation(finding);
      } else {
        reporter.note(finding);
      }
    }
    const reporter = builder.reporterFor("");
    reporter.observation(observations);
    if (blockedBy !== undefined) {
      reporter.blocked(blockedBy);
    }
    if (notTested !== undefined) {
      reporter.notTested(notTested);
    }
  }
  const outcome = builder.build();
  const droppedViolations = outcome.droppedViolations + first.droppedViolations + second.droppedViolations;
  return {
    ...outcome,
    droppedViolations,
    // The parts have no exchange in common.
    ...(droppedViolations === 0
      ? {}
      : { violatingExchanges: countViolatingExchanges(first) + countViolatingExchanges(second) }),
    ...defined({ notApplicable: first.notApplicable ?? second.notApplicable }),
  };
}

/** Returns the number of distinct exchanges in all violations of an outcome. */
const countViolatingExchanges = ({ violatingExchanges, findings }: RuleOutcome): number =>
  violatingExchanges ??
  new Set(findings.filter(({ kind }) => kind === "violation").map(({ exchange }) => exchange)).size;

function reporterFor(draft: OutcomeDraft, exchange: string): Reporter {
  return {
    observation(count = 1) {
      draft.observations += count;
    },
    violation(draftFinding) {
      const { argument } = draftFinding;
      draft.violatingExchanges.add(exchange);
      // A long argument would be cut later anyway.
      const finding =
        argument === undefined ? draftFinding : { ...draftFinding, argument: argument.slice(0, maxArgumentCharacters) };
      if (draft.violations.length < maxKeptFindings) {
        draft.violations.push({ kind: "violation", exchange, ...finding });
      } else {
        draft.droppedViolations += 1;
        replaceDuplicate(draft, { kind: "violation", exchange, ...finding });
      }
    },
    note(finding) {
      if (draft.notes.length < maxKeptFindings) {
        draft.notes.push({ kind: "note", exchange, ...finding });
      }
    },
    blocked(blockedBy) {
      // A missing prerequisite explains less than a transport failure or a limit.
      if (draft.blockedBy === undefined || draft.blockedBy.kind === "prerequisite") {
        draft.blockedBy = blockedBy;
      }
    },
    notTested(reason) {
      draft.notTested ??= reason;
    },
  };
}
