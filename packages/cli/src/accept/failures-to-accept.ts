import { HarnessError, listNames, nearestName } from "@assay/contract";
import { join } from "node:path";
import { visibleText } from "@assay/evidence";
import { entryTarget, failureName } from "@assay/results";
import type { ReportedFinding, RuleVerdict, RunResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { findRule } from "../explain/find-rule.ts";
import { latestName, findNewestRun, runOrLatest } from "../latest-run.ts";
import { findRuns } from "../report/find-runs.ts";
import type { FoundRun } from "../report/find-runs.ts";
import { readVerdicts } from "../report/read-verdicts.ts";

/** Failures of a run in the form of list entries. */
export interface FailuresToAccept {
  readonly result: RunResult;
  /** The run folder, or undefined if the user passed only its verdicts. */
  readonly folder: string | undefined;
  readonly rules: readonly string[];
  readonly target: string;
}

const createUsageError = (sentence: string): HarnessError => new HarnessError("usage", sentence);

/** Returns the path of the verdicts of a run. Throws for other kinds of runs. */
function findVerdictsFile({ kind, path, shown }: FoundRun): { readonly file: string; readonly shown: string } {
  switch (kind) {
    case "run-folder":
      return { file: join(path, "verdicts.json"), shown: join(shown, "verdicts.json") };
    case "run-file":
      return { file: path, shown };
    case "evidence":
      throw createUsageError(`${shown} has no verdicts; judge it first: assay judge ${shown}`);
    case "load-folder":
    case "load-part":
    case "load-file":
      throw createUsageError(`${shown} is a load run; pass a run of contract tests`);
  }
}

const listFindings = ({ verdict }: RuleVerdict): readonly ReportedFinding[] =>
  verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];

const listFindingNames = (rule: RuleVerdict): readonly string[] => [
  ...new Set(listFindings(rule).map((finding) => failureName(rule, finding))),
];

const maxShown = 4;

/** Suggests failures that the user may have meant, as a clause. */
function otherFailures(typed: string, names: readonly string[]): string {
  const near = nearestName(typed, names);
  if (names.length === 0) {
    return "no rule failed in it";
  }
  return near === undefined ? `failures are ${listNames(names, maxShown)}` : `did you mean \`${near}\`?`;
}

/** Reports whether a rule failed in the run in a folder, and false if its verdicts are unreadable. */
function hasFailedIn(folder: string, id: string): boolean {
  try {
    const { verdicts } = readVerdicts(join(folder, "verdicts.json"), folder);
    return verdicts.some((rule) => rule.rule === id && listFindings(rule).length > 0);
  } catch {
    return false;
  }
}

/** Returns the newest run in which a rule failed, as a clause. Empty if the user selected a run, or if it failed in none. */
function describeFailureElsewhere(id: string, run: string | undefined, cwd: string): string {
  const folder =
    run === undefined || run === latestName
      ? findNewestRun(cwd, "verdicts", (candidate) => hasFailedIn(candidate, id))
      : undefined;
  return folder === undefined ? "" : `; it failed in ${visibleText(folder, 200)}, which you can pass before the rule`;
}

/** Returns the findings that a word selects: all of a rule, all with a code, or the one with a code and an argument. */
function namedFailures(word: string, { verdicts }: RunResult, elsewhere: (id: string) => string): readonly string[] {
  const [text = "", ...rest] = word.split(":");
  const id = findRule(text);
  const broken = verdicts.filter((rule) => listFindings(rule).length > 0);
  const rule = broken.find((verdict) => verdict.rule === id);
  if (rule === undefined) {
    const ids = broken.map((verdict) => verdict.rule);
    throw createUsageError(`\`${id}\` did not fail in that run; ${otherFailures(id, ids)}${elsewhere(id)}`);
  }
  const names = listFindingNames(rule);
  const wantedName = `${id}:${rest.join(":")}`;
  const matches =
    rest.length === 0 ? names : names.filter((name) => name === wantedName || name.startsWith(`${wantedName}(`));
  if (matches.length === 0) {
    throw createUsageError(
      `\`${visibleText(wantedName, 200)}\` was not found in that run; ${otherFailures(wantedName, names)}`,
    );
  }
  return matches;
}

/**
 * Returns the named failures of a run [the newest judged run]. Throws a `HarnessError` for a different kind of run, and for a rule that did
 * not fail in it.
 */
export function failuresToAccept(
  run: string | undefined,
  words: readonly string[],
  context: Pick<CommandContext, "cwd" | "err">,
): FailuresToAccept {
  const [found, ...more] = findRuns([runOrLatest(run, context, "verdicts")], context.cwd);
  if (found === undefined || more.length > 0) {
    throw createUsageError(`${visibleText(run ?? "", 200)} contains several runs; pass one of them`);
  }
  const { file, shown } = findVerdictsFile(found);
  const result = readVerdicts(file, shown);
  return {
    result,
    folder: found.kind === "run-folder" ? found.path : undefined,
    rules: [
      ...new Set(
        words.flatMap((word) => namedFailures(word, result, (id) => describeFailureElsewhere(id, run, context.cwd))),
      ),
    ],
    target: entryTarget(result.run),
  };
}
