import { HarnessError, listNames, nearestName } from "@assay/contract";
import { join } from "node:path";
import { visibleText } from "@assay/evidence";
import { formatEntryTarget, formatFailureName } from "@assay/results";
import type { ReportedFinding, RuleVerdict, RunResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { findRule } from "../explain/find-rule.ts";
import { latestName, findNewestRun, resolveRunArgument } from "../latest-run.ts";
import { findRuns } from "../report/find-runs.ts";
import type { FoundRun } from "../report/find-runs.ts";
import { readVerdicts } from "../report/read-verdicts.ts";

/** Failures and warnings of a run, as entries for a known-failure list. */
export interface FailuresToAccept {
  readonly result: RunResult;
  /** The run folder, or undefined if the user passed only its verdicts. */
  readonly folder: string | undefined;
  /** Failure names: a rule id, or a finding of a rule such as `stream/two-fields:comment`. */
  readonly rules: readonly string[];
  readonly target: string;
}

const createUsageError = (message: string): HarnessError => new HarnessError("usage", message);

/** Returns the path of the verdicts of a run. Throws unless the run has verdicts. */
function findVerdictsFile({ kind, path, displayPath }: FoundRun): {
  readonly file: string;
  readonly displayPath: string;
} {
  switch (kind) {
    case "run-folder":
      return { file: join(path, "verdicts.json"), displayPath: join(displayPath, "verdicts.json") };
    case "run-file":
      return { file: path, displayPath };
    case "evidence":
      throw createUsageError(`${displayPath} has no verdicts; run \`assay judge ${displayPath}\` first`);
    case "load-folder":
    case "load-part":
    case "load-file":
      throw createUsageError(`${displayPath} is a load run; pass a run of contract tests`);
  }
}

const listFindings = ({ verdict }: RuleVerdict): readonly ReportedFinding[] =>
  verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];

const listFindingNames = (rule: RuleVerdict): readonly string[] => [
  ...new Set(listFindings(rule).map((finding) => formatFailureName(rule, finding))),
];

const maxSuggestions = 4;

/** Returns a clause that suggests the failures the user may have meant. */
function suggestFailures(typedName: string, names: readonly string[]): string {
  const suggestion = nearestName(typedName, names);
  if (names.length === 0) {
    return "no rule failed";
  }
  return suggestion === undefined
    ? `its failures are ${listNames(names, maxSuggestions)}`
    : `did you mean \`${suggestion}\`?`;
}

/**
 * Reports whether the run in `folder` has a failure or warning of the rule. Returns false if the verdicts cannot be
 * read.
 */
function hasFindingsIn(folder: string, id: string): boolean {
  try {
    const { verdicts } = readVerdicts(join(folder, "verdicts.json"), folder);
    return verdicts.some((rule) => rule.rule === id && listFindings(rule).length > 0);
  } catch {
    return false;
  }
}

/**
 * Returns a clause with the newest run in which a rule failed or warned. Returns an empty string if the user named a
 * run, or if there is no such run.
 */
function describeOtherRun(id: string, run: string | undefined, cwd: string): string {
  const folder =
    run === undefined || run === latestName
      ? findNewestRun(cwd, "verdicts", (candidate) => hasFindingsIn(candidate, id))
      : undefined;
  return folder === undefined
    ? ""
    : `; it failed in ${visibleText(folder, 200)}: run \`assay accept ${visibleText(folder, 200)} ${id}\``;
}

/**
 * Returns the names of the findings that an argument selects. `RULE` selects all its findings, `RULE:CODE` those with
 * that code, and `RULE:CODE(DETAIL)` one of them.
 */
function findFailureNames(
  selector: string,
  { verdicts }: RunResult,
  describeElsewhere: (id: string) => string,
): readonly string[] {
  const [ruleName = "", ...codeParts] = selector.split(":");
  const id = findRule(ruleName);
  const failedRules = verdicts.filter((rule) => listFindings(rule).length > 0);
  const rule = failedRules.find((verdict) => verdict.rule === id);
  if (rule === undefined) {
    const ids = failedRules.map((verdict) => verdict.rule);
    throw createUsageError(`\`${id}\` did not fail in that run; ${suggestFailures(id, ids)}${describeElsewhere(id)}`);
  }
  const names = listFindingNames(rule);
  const wantedName = `${id}:${codeParts.join(":")}`;
  const matches =
    codeParts.length === 0 ? names : names.filter((name) => name === wantedName || name.startsWith(`${wantedName}(`));
  if (matches.length === 0) {
    throw createUsageError(
      `\`${visibleText(wantedName, 200)}\` was not found in that run; ${suggestFailures(wantedName, names)}`,
    );
  }
  return matches;
}

/**
 * Returns the selected failures of a run, by default of the newest judged run. Throws a `HarnessError` if the run has
 * no verdicts, or if a selected rule did not fail.
 */
export function findFailuresToAccept(
  run: string | undefined,
  selectors: readonly string[],
  context: Pick<CommandContext, "cwd" | "err">,
): FailuresToAccept {
  const [foundRun, ...moreRuns] = findRuns([resolveRunArgument(run, context, "verdicts")], context.cwd);
  if (foundRun === undefined || moreRuns.length > 0) {
    throw createUsageError(`${visibleText(run ?? "", 200)} contains several runs; pass one of them`);
  }
  const { file, displayPath } = findVerdictsFile(foundRun);
  const result = readVerdicts(file, displayPath);
  return {
    result,
    folder: foundRun.kind === "run-folder" ? foundRun.path : undefined,
    rules: [
      ...new Set(
        selectors.flatMap((selector) =>
          findFailureNames(selector, result, (id) => describeOtherRun(id, run, context.cwd)),
        ),
      ),
    ],
    target: formatEntryTarget(result.run),
  };
}
