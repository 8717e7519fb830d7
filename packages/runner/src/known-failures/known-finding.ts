import { matchesArgument } from "@assay/results";
import type { ReportedFinding } from "@assay/results";

/** Findings of a rule that an entry accepts. */
export interface KnownFinding {
  readonly code: string;
  /** The permitted arguments, as written in the list. Empty for a code without arguments. */
  readonly arguments: readonly string[];
}

/** Reports whether an entry accepts a reported finding. `knownFinding` is undefined for an entry that accepts all findings of its rule. */
export const acceptsFinding = (knownFinding: KnownFinding | undefined, { code, argument }: ReportedFinding): boolean =>
  knownFinding === undefined ||
  (knownFinding.code === code &&
    (argument === undefined
      ? knownFinding.arguments.length === 0
      : knownFinding.arguments.some((name) => matchesArgument(argument, name))));
