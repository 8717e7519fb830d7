import { isNamedArgument } from "@assay/results";
import type { ReportedFinding } from "@assay/results";

/** The findings of a rule that an entry accepts. */
export interface KnownFinding {
  readonly code: string;
  /** The arguments it may have, as written in a list; empty for a code without arguments. */
  readonly arguments: readonly string[];
}

/** True if an entry for this finding, or for all findings of its rule, accepts the reported one. */
export const excuses = (known: KnownFinding | undefined, { code, argument }: ReportedFinding): boolean =>
  known === undefined ||
  (known.code === code &&
    (argument === undefined
      ? known.arguments.length === 0
      : known.arguments.some((named) => isNamedArgument(argument, named))));
