import type { ReportedFinding, RuleVerdict } from "./verdict.ts";
import type { RunResult } from "./run-result.ts";

/** An argument as a list of known failures has it: what ends a word or an argument there, or cannot be seen, is percent-encoded. */
const encodedArgument = (argument: string): string =>
  argument.replaceAll(/[\s,()%\p{Cc}\p{Cf}]/gu, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );

/** A finding as an entry of a list of known failures names it, without its rule: `code`, or `code(argument)`. */
export const findingName = ({ code = "", argument }: Pick<ReportedFinding, "code" | "argument">): string =>
  argument === undefined ? code : `${code}(${encodedArgument(argument)})`;

/** Whether an argument of a finding is the one that an entry has. */
export const isNamedArgument = (argument: string, named: string): boolean => encodedArgument(argument) === named;

/** A rule, and its finding where it has a code, as an entry names them: `stream/two-fields:comment`. */
export const failureName = ({ rule }: Pick<RuleVerdict, "rule">, finding: ReportedFinding): string =>
  finding.code === undefined ? rule : `${rule}:${findingName(finding)}`;

/**
 * The target of an entry for a run: its base URL. Any port of this machine where Assay started the server, since each run gets another
 * one; `*` for a recording, which has no address.
 */
export const entryTarget = ({ embedded, target }: Pick<RunResult["run"], "embedded" | "target">): string => {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    return "*";
  }
  return embedded ? `${url.protocol}//${url.hostname}:*` : target;
};
