import { isNamedArgument } from "@assay/results";
import type { ReportedFinding } from "@assay/results";

/** Which findings of a rule an entry excuses. */
export interface KnownFinding {
  readonly code: string;
  /** The arguments it may have, as they are written in a list; none for a code that comes without. */
  readonly arguments: readonly string[];
}

/** Whether an entry that names this finding, or none in particular, excuses what was found. */
export const excuses = (known: KnownFinding | undefined, { code, argument }: ReportedFinding): boolean =>
  known === undefined ||
  (known.code === code &&
    (argument === undefined
      ? known.arguments.length === 0
      : known.arguments.some((named) => isNamedArgument(argument, named))));
