import { HarnessError, nearestName, ruleIds } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { AddCommand } from "../command-context.ts";
import { loadProgramConfig } from "../config/apply-config.ts";
import { isRuleName } from "../explain/find-rule.ts";
import { addFlags } from "../flag.ts";
import { latestName } from "../latest-run.ts";
import { findRunPath } from "../run-to-judge.ts";
import { type AcceptOptions, acceptFlags, readEntryDetails } from "./entry-details.ts";
import { findFailuresToAccept } from "./failures-to-accept.ts";
import { writeAccepted } from "./write-accepted.ts";
import type { ListSettings } from "./write-accepted.ts";

const examples = `
Examples:
  assay accept stream/two-fields --until 2027-01-31 --reason "The proxy sends a comment."
  assay accept latest stream/two-fields:comment --until 2027-01-31 --reason "The proxy." --owner ops
  assay accept RUN two-fields text-is-utf-8 --until 2027-01-31 --reason "OPS-412" --file known.txt

RULE accepts every kind of finding of the rule in the run, RULE:CODE only that kind. The entry
applies to the target of the run. An existing entry is updated with the new reason and date.
Exit codes: 0 written, 2 usage error, or the rule did not fail in that run.`;

/** Adds `assay accept`. */
export const acceptCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("accept"), acceptFlags)
    .summary("Accept a failure until a date.")
    .description("Accept failures of a run until a date: write them to a list of known failures.")
    .usage("[options] [RUN] <RULE...>")
    .argument("[RUN]", "folder of the run, its id, or latest (default: the newest run)")
    .argument("[RULE...]", "rules that failed, or one finding of a rule as RULE:CODE")
    .addHelpText("after", examples)
    .action(async (firstWord: string | undefined, otherWords: readonly string[], options: AcceptOptions) => {
      const words = firstWord === undefined ? [] : [firstWord, ...otherWords];
      await accept(words, { config: await loadProgramConfig(program, context), options, context });
      finish(0);
    });
};

const removeFindingCode = (word: string): string => word.replace(/:.*$/su, "");

/** Reports whether the first word is a run: it exists as a run, or it does not look like a rule and rules follow. */
function looksLikeRun([firstWord = "", ...otherWords]: readonly string[], cwd: string): boolean {
  if (isRuleName(removeFindingCode(firstWord))) {
    return false;
  }
  const runExists = firstWord === latestName || findRunPath(firstWord, cwd) !== undefined;
  return runExists || (otherWords.length > 0 && nearestName(removeFindingCode(firstWord), ruleIds) === undefined);
}

async function accept(words: readonly string[], settings: ListSettings): Promise<void> {
  const { context, options } = settings;
  const [run, rules] = looksLikeRun(words, context.cwd) ? [words[0], words.slice(1)] : [undefined, words];
  if (rules.length === 0) {
    const shownRun = visibleText(run ?? latestName, 200);
    throw new HarnessError("usage", `specify the rule: assay accept ${shownRun} RULE --until YYYY-MM-DD --reason "…"`);
  }
  const details = readEntryDetails(options, context);
  context.out(await writeAccepted({ ...findFailuresToAccept(run, rules, context), ...details }, settings));
}
