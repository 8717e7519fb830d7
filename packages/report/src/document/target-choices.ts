import type { ReportedFinding, RunResult } from "@assay/results";

/** A permitted choice of the target, or an undocumented value. Not escaped. */
export interface TargetChoice {
  readonly name: string;
  readonly messages: readonly string[];
}

const distinctMessages = (findings: readonly ReportedFinding[]): readonly string[] => [
  ...new Set(findings.map(({ message }) => message)),
];

/** Returns the observed unspecified behaviours. Removes duplicate messages. */
export const unspecifiedChoices = ({ unspecified }: RunResult): readonly TargetChoice[] =>
  unspecified
    .filter(({ seen }) => seen.length > 0)
    .map(({ behaviour, seen }) => ({ name: behaviour, messages: distinctMessages(seen) }));

/** Returns undocumented values found by rules with the basis `observed`, or with `everyBasis` the notes of all rules. */
export const notedChoices = ({ verdicts }: RunResult, includeEveryBasis = false): readonly TargetChoice[] =>
  verdicts
    .filter(({ basis, notes }) => (notes?.length ?? 0) > 0 && (includeEveryBasis || basis === "observed"))
    .map(({ rule, notes }) => ({ name: rule, messages: distinctMessages(notes ?? []) }));
