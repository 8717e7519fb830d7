import { HarnessError } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { readBundle, visibleText } from "@assay/evidence";
import { type Block, renderExplanation, renderRulePage } from "@assay/report";
import { explainRule } from "@assay/runner";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, switchFlag } from "../flag.ts";
import { latestName, findNewestRun, resolveRunArgument } from "../latest-run.ts";
import { findRunToJudge, findRunPath } from "../run-to-judge.ts";
import { showJudging } from "../judge/judging-state.ts";
import { startProgress } from "../start-progress.ts";
import { describeRulePage } from "./describe-rule-page.ts";
import { isRuleName, findRule } from "./find-rule.ts";

const flags = { json: switchFlag("print the explanation as JSON") };

type ExplainOptions = OptionsOf<typeof flags>;

const examples = `
Examples:
  assay explain latest stream/done-is-last   in the newest run in reports/runs
  assay explain reports/runs/20260131T120000Z-1a2b3c stream/done-is-last
  assay explain stream/done-is-last          the page of the rule, without a run
  assay explain RUN done-is-last             if only one interface has a rule with that name
  assay explain RUN done-is-last --json      for programs

The page of a rule shows its requirements, why it matters, an example that passes, one that fails,
and what to do. With a run, a rule that passed is shown with each altered response that would make
it fail, or with the evidence that is missing.
Exit codes: 0 success, 2 unknown run or rule.`;

/** Adds `assay explain`. */
export const explainCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("explain"), flags)
    .summary("Explain a rule, or its result in a run.")
    .description("Explain a rule. With a run, explain its result in that run, and what would have made it fail.")
    .usage("[options] [RUN] <RULE>")
    .argument("<RUN>", "folder of the run, its id, or latest; omit it for the page of the rule")
    .argument("[RULE]", "id of the rule")
    .addHelpText("after", examples)
    .action(async (runOrRule: string, rule: string | undefined, options: ExplainOptions) => {
      if (rule === undefined) {
        explainRulePage(runOrRule, options, context);
      } else {
        await explain({ run: runOrRule, rule, options }, context);
      }
      finish(0);
    });
};

/** Returns the command that explains the rule in the newest run, if a run exists. */
const suggestNewestRun = (id: RuleId, cwd: string): readonly Block[] =>
  findNewestRun(cwd, "evidence") === undefined
    ? []
    : [{ kind: "command", command: `assay explain ${latestName} ${id}` }];

function explainRulePage(runOrRule: string, options: ExplainOptions, { cwd, terminal, out }: CommandContext): void {
  if (!isRuleName(runOrRule) && findRunPath(runOrRule, cwd) !== undefined) {
    throw new HarnessError("usage", `specify the rule too: assay explain ${visibleText(runOrRule, 200)} RULE`);
  }
  const rule = describeRulePage(findRule(runOrRule));
  out(
    options.json === true
      ? `${JSON.stringify(rule, undefined, 2)}\n`
      : renderRulePage(rule, terminal, suggestNewestRun(findRule(runOrRule), cwd)),
  );
}

async function explain(
  { run, rule, options }: { readonly run: string; readonly rule: string; readonly options: ExplainOptions },
  context: CommandContext,
): Promise<void> {
  const { cwd, terminal, out } = context;
  const id = findRule(rule);
  const folder = findRunToJudge(resolveRunArgument(run, context, "evidence"), cwd);
  const progress = startProgress(options.json !== true, context);
  const explanation = await explainRule(await readBundle(folder), id, showJudging(progress)).finally(() =>
    progress.end(),
  );
  if (explanation === undefined) {
    throw new HarnessError("usage", `the run did not select \`${id}\`; run with --rule ${id}`);
  }
  out(
    options.json === true ? `${JSON.stringify(explanation, undefined, 2)}\n` : renderExplanation(explanation, terminal),
  );
}
