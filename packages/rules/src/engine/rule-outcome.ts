import type { Finding } from "@assay/contract";
import type { Reporter, RuleObstacle } from "./reporter.ts";

/** Findings kept for each rule and kind; the rest is counted. */
export const maxKeptFindings = 20;

/** What judging one rule came to. */
export interface RuleOutcome {
  readonly observations: number;
  /** At most `maxKeptFindings` of each kind, in the order of the evidence. */
  readonly findings: readonly Finding[];
  /** Violations that were left out. */
  readonly droppedViolations: number;
  readonly obstacle?: RuleObstacle;
  /** Why there were no observations, or no more of them. */
  readonly unobserved?: string;
  /** Why the target or the profile excludes the rule. */
  readonly notApplicable?: string;
}

/** A rule's outcome while it is being made. */
export interface OutcomeBuilder {
  /** A reporter whose findings carry this exchange. */
  reporterFor(exchange: string): Reporter;
  build(): RuleOutcome;
}

interface Draft {
  observations: number;
  readonly violations: Finding[];
  readonly observed: Finding[];
  droppedViolations: number;
  obstacle: RuleObstacle | undefined;
  unobserved: string | undefined;
}

export function createOutcomeBuilder(): OutcomeBuilder {
  const draft: Draft = {
    observations: 0,
    violations: [],
    observed: [],
    droppedViolations: 0,
    obstacle: undefined,
    unobserved: undefined,
  };
  return {
    reporterFor: (exchange) => reporterFor(draft, exchange),
    build: () => ({
      observations: draft.observations,
      findings: [...draft.violations, ...draft.observed],
      droppedViolations: draft.droppedViolations,
      ...(draft.obstacle === undefined ? {} : { obstacle: draft.obstacle }),
      ...(draft.unobserved === undefined ? {} : { unobserved: draft.unobserved }),
    }),
  };
}

function reporterFor(draft: Draft, exchange: string): Reporter {
  return {
    observe(count = 1) {
      draft.observations += count;
    },
    violation(finding) {
      if (draft.violations.length < maxKeptFindings) {
        draft.violations.push({ kind: "violation", exchange, ...finding });
      } else {
        draft.droppedViolations += 1;
      }
    },
    observation(finding) {
      if (draft.observed.length < maxKeptFindings) {
        draft.observed.push({ kind: "observation", exchange, ...finding });
      }
    },
    obstacle(obstacle) {
      // A missing prerequisite explains less than a transport or a limit that cut evidence short.
      if (draft.obstacle === undefined || draft.obstacle.kind === "prerequisite") {
        draft.obstacle = obstacle;
      }
    },
    unobserved(reason) {
      draft.unobserved ??= reason;
    },
  };
}
