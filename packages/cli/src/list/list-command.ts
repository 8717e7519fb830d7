import { ruleCatalogue, searchStreamSentences } from "@assay/contract";
import { listFaults } from "@assay/reference-server";
import { renderCoverage, renderList } from "@assay/report";
import { profileNamed, profileNames } from "@assay/runner";
import type { AddCommand } from "../assay-program.ts";
import type { CommandContext } from "../command-context.ts";
import { flag } from "../flag.ts";
import { faultList } from "./fault-list.ts";

interface ListOptions {
  readonly coverage?: true;
  readonly faults?: true;
  readonly profiles?: true;
  readonly json?: true;
}

const examples = `
Examples:
  assay list                     every rule: id, basis, what holds
  assay list --coverage          every sentence of the document and what is done about it
  assay list --faults            every way the reference server can misbehave
  assay list --profiles          which rules a profile has and which must be observed
  assay list --json              the same for programs`;

/** Adds \`assay list\`. */
export const listCommand: AddCommand = (program, context, finish) => {
  program
    .command("list")
    .description("Show rules, sentences, faults or profiles.")
    .addOption(flag("--coverage", "sentences of the document instead of rules"))
    .addOption(flag("--faults", "faults of the reference server instead of rules").conflicts("coverage"))
    .addOption(flag("--profiles", "profiles instead of rules").conflicts(["coverage", "faults"]))
    .addOption(flag("--json", "machine-readable output"))
    .addHelpText("after", examples)
    .action((options: ListOptions) => {
      context.out(options.json === true ? `${JSON.stringify(dataOf(options), null, 2)}\n` : textOf(options, context));
      finish(0);
    });
};

function dataOf({ coverage, faults, profiles }: ListOptions): unknown {
  if (coverage === true) {
    return searchStreamSentences;
  }
  if (faults === true) {
    return listFaults();
  }
  return profiles === true ? profileNames.map((name) => profileNamed(name)) : ruleCatalogue;
}

function textOf({ coverage, faults, profiles }: ListOptions, { terminal }: CommandContext): string {
  if (coverage === true) {
    return renderCoverage(searchStreamSentences, terminal);
  }
  if (faults === true) {
    return renderList(faultList(), terminal);
  }
  return profiles === true ? profileList(terminal) : renderList(ruleCatalogue, terminal);
}

const profileList = (terminal: CommandContext["terminal"]): string =>
  renderList(
    profileNames.map((name) => {
      const { purpose, rules, mustObserve } = profileNamed(name);
      return { id: name, basis: `${rules.length} rules, ${mustObserve.length} must be observed`, title: purpose };
    }),
    terminal,
  );
