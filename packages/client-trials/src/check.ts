import type { Finding, RequirementId } from "@assay/contract";
import type { ClientCheckBasis } from "@assay/results";
import type { TrialFacts } from "./trial-facts.ts";
import type { Trial } from "./trial.ts";

/** Result of a check in a trial. */
export interface CheckResult {
  /** How many times the check could be made. */
  readonly observations: number;
  /** Failures, one sentence each. */
  readonly findings: readonly string[];
}

/** What a check needs of a trial. */
export type CheckNeeds = "requests" | "accepted-requests" | "an-end-of-its-own";

/** A requirement on clients: a record and a pure function. */
export interface Check {
  /** `<area>/<statement>`; never reused. */
  readonly id: string;
  /** Behaviour of a correct client, one clause. */
  readonly title: string;
  readonly basis: ClientCheckBasis;
  readonly requirements: readonly RequirementId[];
  /** Further basis or the reason, one sentence. */
  readonly because?: string;
  /** Whether it concerns unspecified behaviour. It then warns and never fails, not even with `--strict` [no]. */
  readonly isLeftOpen?: true;
  /** Without this the check is not tested. Accepted requests imply requests. */
  readonly needs: CheckNeeds;
  /** Whether the trial tests this check. */
  readonly applies: (trial: Trial) => boolean;
  readonly look: (facts: TrialFacts) => CheckResult;
}

export const violation = (message: string): Finding => ({ kind: "violation", message });

/** Checks each of several items. */
export const each = <Item>(items: readonly Item[], wrong: (item: Item) => string | undefined): CheckResult => ({
  observations: items.length,
  findings: items.flatMap((item) => wrong(item) ?? []),
});

/** Result of a check of one item. */
export const once = (wrong: string | undefined): CheckResult => ({
  observations: 1,
  findings: wrong === undefined ? [] : [wrong],
});

/** Result of a check that could not be made. */
export const unseen: CheckResult = { observations: 0, findings: [] };
