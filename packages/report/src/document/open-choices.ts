import type { ReportedFinding, RunResult } from "@assay/results";

/** A permitted choice of the target, or an undocumented value; not escaped. */
export interface OpenChoice {
  readonly name: string;
  readonly messages: readonly string[];
}

const messagesOf = (findings: readonly ReportedFinding[]): readonly string[] => [
  ...new Set(findings.map(({ message }) => message)),
];

/** Unspecified behaviours that were seen, each message once. */
export const unspecifiedChoices = ({ unspecified }: RunResult): readonly OpenChoice[] =>
  unspecified
    .filter(({ seen }) => seen.length > 0)
    .map(({ behaviour, seen }) => ({ name: behaviour, messages: messagesOf(seen) }));

/** Undocumented values found by rules with the basis `observed`; with `everyBasis`, the notes of all rules. */
export const notedChoices = ({ verdicts }: RunResult, everyBasis = false): readonly OpenChoice[] =>
  verdicts
    .filter(({ basis, notes }) => (notes?.length ?? 0) > 0 && (everyBasis || basis === "observed"))
    .map(({ rule, notes }) => ({ name: rule, messages: messagesOf(notes ?? []) }));
