import { HarnessError, isRuleId, nearestName, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { readBundle, visibleText } from "@assay/evidence";
import { renderExplanation } from "@assay/report";
import { explainRule } from "@assay/runner";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { flag } from "../flag.ts";
import { runToJudge } from "../run-to-judge.ts";

interface ExplainOptions {
  readonly json?: true;
}

const examples = `
Examples:
  assay explain reports/runs/20260131T120000Z-1a2b3c stream/done-is-last
  assay explain RUN done-is-last             where only one interface has a rule of that name
  assay explain RUN done-is-last --json      for programs

A rule that holds is shown with each way to ignore its sentences: the edit of what came that makes
it fail, with the bytes, or what evidence it takes to notice such a target.
Exit codes: 0 it is explained, 2 there is no such run or rule.`;

/** Adds `assay explain`. */
export const explainCommand: AddCommand = (program, context, finish) => {
  program
    .command("explain")
    .summary("Tell why a rule ended in a run as it did.")
    .description("Tell why a rule ended in a stored run as it did, and what would have made it fail.")
    .argument("<RUN>", "folder of the run, or its id")
    .argument("<RULE>", "id of the rule")
    .addOption(flag("--json", "print the explanation as JSON"))
    .addHelpText("after", examples)
    .action(async (run: string, rule: string, options: ExplainOptions) => {
      await explain({ run, rule, options }, context);
      finish(0);
    });
};

/** The rule that a person named, with its interface or, where only one rule has that name, without. */
function namedRule(text: string): RuleId {
  const found = isRuleId(text) ? [text] : ruleIds.filter((id) => id.slice(id.indexOf("/") + 1) === text);
  const [rule, ...others] = found;
  if (rule === undefined) {
    const near = nearestName(text, ruleIds) ?? nearestName(`stream/${text}`, ruleIds);
    const hint = near === undefined ? "`assay list` shows all rules" : `did you mean \`${near}\`?`;
    throw new HarnessError("usage", `there is no rule \`${visibleText(text, 100)}\`; ${hint}`);
  }
  if (others.length > 0) {
    throw new HarnessError("usage", `several rules are called \`${text}\`; name one of ${found.join(", ")}`);
  }
  return rule;
}

async function explain(
  { run, rule, options }: { readonly run: string; readonly rule: string; readonly options: ExplainOptions },
  { cwd, terminal, out }: CommandContext,
): Promise<void> {
  const id = namedRule(rule);
  const explanation = await explainRule(await readBundle(runToJudge(run, cwd)), id);
  if (explanation === undefined) {
    throw new HarnessError("usage", `the run did not select \`${id}\`; run with --rule ${id}`);
  }
  out(
    options.json === true ? `${JSON.stringify(explanation, undefined, 2)}\n` : renderExplanation(explanation, terminal),
  );
}
