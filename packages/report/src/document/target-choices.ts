import type { ReportedFinding, RunResult } from "@assay/results";

/** A permitted choice of the target, or an undocumented value. Not escaped. */
export interface TargetChoice {
  readonly name: string;
  readonly messages: readonly string[];
}

const listDistinctMessages = (findings: readonly ReportedFinding[]): readonly string[] => [
  ...new Set(findings.map(({ message }) => message)),
];

/** Returns the observed unspecified behaviours. Removes duplicate messages. */
export const listUnspecifiedChoices = ({ unspecified }: RunResult): readonly TargetChoice[] =>
  unspecified
    .filter(({ seen }) => seen.length > 0)
    .map(({ behaviour, seen }) => ({ name: behaviour, messages: listDistinctMessages(seen) }));

/** Returns undocumented values found by rules with the basis `observed`, or the notes of all rules if `includeEveryBasis` is set. */
export const listNotedChoices = ({ verdicts }: RunResult, includeEveryBasis = false): readonly TargetChoice[] =>
  verdicts
    .filter(({ basis, notes }) => (notes?.length ?? 0) > 0 && (includeEveryBasis || basis === "observed"))
    .map(({ rule, notes }) => ({ name: rule, messages: listDistinctMessages(notes ?? []) }));
