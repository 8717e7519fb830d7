import { visibleText } from "@assay/evidence";
import { HarnessError } from "@assay/contract";
import { trials } from "@assay/client-trials";
import type { Trial } from "@assay/client-trials";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { selectReporter } from "../reporter.ts";
import { type ClientOptions, clientFlags } from "./client-options.ts";
import { runClientTrials } from "./run-client-trials.ts";
import { renderList } from "@assay/report";
import { selectTrials } from "./select-trials.ts";

const findInterfaces = (name: string): readonly string[] =>
  trials.filter((trial) => trial.name === name).map((trial) => trial.interface);

const dedupeByName = (selectedTrials: readonly Trial[]): readonly Trial[] =>
  selectedTrials.filter(
    ({ name }, index) => selectedTrials.findIndex((candidate) => candidate.name === name) === index,
  );

/** Renders the selected trials as text or JSON. */
const listTrials = (options: ClientOptions, { terminal }: CommandContext): string => {
  const selectedTrials = dedupeByName(selectTrials(options));
  if (selectReporter(options) === "json") {
    const listedTrials = selectedTrials.map(({ expects, name, task, title }) => ({
      name,
      task,
      interfaces: findInterfaces(name),
      title,
      expects,
    }));
    return `${JSON.stringify(listedTrials, undefined, 2)}\n`;
  }
  return renderList(
    selectedTrials.map(({ expects, name, task, title }) => ({
      id: name,
      basis: task,
      title: `${title}; a correct client ${expects}`,
    })),
    terminal,
  );
};

const examples = `
Examples:
  assay client -- node my-client.js
  assay client --interface stream -- node my-client.js   a client that only searches
  assay client --trial redirect --trial cancel -- ./my-client --batch
  assay client --list              list each trial with its expected client behaviour

Assay starts the command once for each trial, without a shell. It sets SRC_ENDPOINT,
SRC_ACCESS_TOKEN, ASSAY_TRIAL and ASSAY_TASK (search, ask or cancel). Searches also get ASSAY_QUERY,
other tasks ASSAY_QUESTION and ASSAY_INTERFACE (legacy or current). The command performs the task
and exits with 0 after a complete result, 77 to skip the trial, and any other code otherwise.
Exit codes: 0 passed, 1 a check failed, 2 usage error, 3 nothing tested, 130 interrupted.`;

/**
 * Rejects a command that contains an unexpanded variable. The client is started without a shell, so it would receive the name instead of
 * the value.
 */
function rejectUnexpandedVariable(commandWords: readonly string[]): void {
  const isShell = /^(?:.*[\\/])?(?:ba|da|fi|k|z)?sh(?:\.exe)?$/u.test(commandWords[0] ?? "");
  const unexpandedWord = isShell ? undefined : commandWords.find((word) => /\$\{?(?:SRC|ASSAY)_/u.test(word));
  if (unexpandedWord !== undefined) {
    throw new HarnessError(
      "usage",
      `the client is started without a shell, so \`${visibleText(unexpandedWord, 100)}\` would not be expanded; start it with a shell: -- sh -c '...'`,
    );
  }
}

/** Adds `assay client`. Arguments after `--` belong to the client. */
export const clientCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("client"), clientFlags)
    .summary("Test your client against the reference server.")
    .description("Test your client against the reference server and judge the requests it sends.")
    .argument("[command...]", "the client and its arguments, after --")
    .addHelpText("after", examples)
    .action(async (command: readonly string[], options: ClientOptions) => {
      if (options.list === true) {
        context.out(listTrials(options, context));
        finish(0);
        return;
      }
      // The parser removes one `--` at each of its two levels, so one may remain.
      const commandWords = command[0] === "--" ? command.slice(1) : command;
      rejectUnexpandedVariable(commandWords);
      finish(await runClientTrials(commandWords, options, context));
    });
};
