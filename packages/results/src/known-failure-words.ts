import type { ReportedFinding, RuleVerdict } from "./verdict.ts";
import type { RunResult } from "./run-result.ts";

/** Percent-encodes separators and invisible characters of an argument for a list of known failures. */
const encodeArgument = (argument: string): string =>
  argument.replaceAll(/[\s,()%\p{Cc}\p{Cf}]/gu, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );

/** Returns the name of a finding in an entry, without its rule: `code`, or `code(argument)`. */
export const formatFindingName = ({ code = "", argument }: Pick<ReportedFinding, "code" | "argument">): string =>
  argument === undefined ? code : `${code}(${encodeArgument(argument)})`;

/** Reports whether the argument in an entry is the argument of a finding. */
export const matchesArgument = (argument: string, entryArgument: string): boolean =>
  encodeArgument(argument) === entryArgument;

/** Returns the name of a failure in an entry: its rule, and the code if it has one, such as `stream/two-fields:comment`. */
export const formatFailureName = ({ rule }: Pick<RuleVerdict, "rule">, finding: ReportedFinding): string =>
  finding.code === undefined ? rule : `${rule}:${formatFindingName(finding)}`;

/**
 * Returns the target of an entry for a run: its base URL, with any port if Assay started the server, because each run gets a different port.
 * `*` for a recording, which has no URL.
 */
export const formatEntryTarget = ({ embedded, target }: Pick<RunResult["run"], "embedded" | "target">): string => {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    return "*";
  }
  return embedded ? `${url.protocol}//${url.hostname}:*` : target;
};
