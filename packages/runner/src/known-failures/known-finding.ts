import type { ReportedFinding } from "@assay/results";

/** Which findings of a rule an entry excuses. */
export interface KnownFinding {
  readonly code: string;
  /** The arguments it may have, as they are written in a list; none for a code that comes without. */
  readonly arguments: readonly string[];
}

/** An argument as it is written in a list: what ends a word there, or an argument, is written as in an address. */
const written = (argument: string): string =>
  argument.replaceAll(/[\s,()%]/gu, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );

/** A finding as an entry names it, without its rule. */
export const nameOf = ({ code = "", argument }: Pick<ReportedFinding, "code" | "argument">): string =>
  argument === undefined ? code : `${code}(${written(argument)})`;

/** Whether an entry that names this finding, or none in particular, excuses what was found. */
export const excuses = (known: KnownFinding | undefined, { code, argument }: ReportedFinding): boolean =>
  known === undefined ||
  (known.code === code &&
    (argument === undefined ? known.arguments.length === 0 : known.arguments.includes(written(argument))));
