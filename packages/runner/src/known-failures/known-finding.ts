import { matchesArgument } from "@assay/results";
import type { ReportedFinding } from "@assay/results";

/** Findings of a rule that an entry accepts. */
export interface KnownFinding {
  readonly code: string;
  /** The permitted arguments, as written in the list. Empty for a code without arguments. */
  readonly arguments: readonly string[];
}

/** Reports whether an entry accepts a reported finding. `known` is undefined for an entry that accepts all findings of its rule. */
export const acceptsFinding = (known: KnownFinding | undefined, { code, argument }: ReportedFinding): boolean =>
  known === undefined ||
  (known.code === code &&
    (argument === undefined
      ? known.arguments.length === 0
      : known.arguments.some((name) => matchesArgument(argument, name))));
