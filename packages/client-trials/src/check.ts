import type { Finding, RequirementId } from "@assay/contract";
import type { ClientCheckBasis } from "@assay/results";
import type { TrialFacts } from "./trial-facts.ts";
import type { Trial } from "./trial.ts";

/** What a check saw in a trial. */
export interface CheckResult {
  /** How often the client had an observation to do well or badly. */
  readonly observations: number;
  /** What it did badly, one sentence each. */
  readonly findings: readonly string[];
}

/** What kept a check from its evidence; a check about the form of requests is never kept from it. */
export type CheckNeeds = "requests" | "accepted-requests" | "an-end-of-its-own";

/** A demand on clients: a record and a pure function. */
export interface Check {
  /** `<area>/<statement>`; never reused. */
  readonly id: string;
  /** What holds of a good client, one clause. */
  readonly title: string;
  readonly basis: ClientCheckBasis;
  readonly requirements: readonly RequirementId[];
  /** What else it rests on, or why it is asked for, one sentence. */
  readonly because?: string;
  /** Whether it rests on what the behaviour register leaves open: it warns, and fails nobody, `--strict` or not [no]. */
  readonly isLeftOpen?: true;
  /** Without this nothing is seen: an accepted request includes that there was one, and so does an end. */
  readonly needs: CheckNeeds;
  /** Whether the trial gives an observation. */
  readonly applies: (trial: Trial) => boolean;
  readonly look: (facts: TrialFacts) => CheckResult;
}

/** The violation that a sentence tells of. */
export const violation = (message: string): Finding => ({ kind: "violation", message });

/** A sight of several things, each of which may be wrong in one way. */
export const each = <Item>(items: readonly Item[], wrong: (item: Item) => string | undefined): CheckResult => ({
  observations: items.length,
  findings: items.flatMap((item) => wrong(item) ?? []),
});

/** A sight of one thing. */
export const once = (wrong: string | undefined): CheckResult => ({
  observations: 1,
  findings: wrong === undefined ? [] : [wrong],
});

/** No observation came. */
export const unseen: CheckResult = { observations: 0, findings: [] };
