import type { Finding, RequirementId } from "@assay/contract";
import type { ClientCheckBasis } from "@assay/results";
import type { TrialFacts } from "./trial-facts.ts";
import type { Trial } from "./trial.ts";

/** Result of a check in a trial. */
export interface CheckResult {
  /** How many times the check could be made. */
  readonly observations: number;
  /** Failures, each as one sentence. */
  readonly findings: readonly string[];
}

/** Conditions of a check. Accepted requests imply requests. */
export type CheckNeeds = "requests" | "accepted-requests" | "own-exit";

/** A requirement on clients: a record and a pure function. */
export interface Check {
  /** `<area>/<statement>`, never reused. */
  readonly id: string;
  /** Behaviour of a correct client, as a clause. */
  readonly title: string;
  readonly basis: ClientCheckBasis;
  readonly requirements: readonly RequirementId[];
  /** An additional source or the reason, as one sentence. */
  readonly because?: string;
  /** Whether the behaviour is unspecified. The check then warns and never fails, even with `--strict`. Default: false. */
  readonly isUnspecified?: true;
  /** Without this condition the check is not tested. */
  readonly needs: CheckNeeds;
  /** Reports whether the trial tests this check. */
  readonly appliesTo: (trial: Trial) => boolean;
  readonly evaluate: (facts: TrialFacts) => CheckResult;
}

export const createViolation = (message: string): Finding => ({ kind: "violation", message });

/** Checks each of several items. */
export const checkEach = <Item>(
  items: readonly Item[],
  findProblem: (item: Item) => string | undefined,
): CheckResult => ({
  observations: items.length,
  findings: items.flatMap((item) => findProblem(item) ?? []),
});

/** Returns the result of a check of one item. */
export const createSingleResult = (problem: string | undefined): CheckResult => ({
  observations: 1,
  findings: problem === undefined ? [] : [problem],
});

/** The result of a check without observations. */
export const noObservations: CheckResult = { observations: 0, findings: [] };
