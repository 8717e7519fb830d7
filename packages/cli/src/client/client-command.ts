import { visibleText } from "@assay/evidence";
import { HarnessError } from "@assay/contract";
import { trials } from "@assay/client-trials";
import type { Trial } from "@assay/client-trials";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { reporterOf } from "../reporter.ts";
import { type ClientOptions, clientFlags } from "./client-options.ts";
import { tryClient } from "./try-client.ts";
import { renderList } from "@assay/report";
import { chosenTrials } from "./chosen-trials.ts";

const interfacesOf = (name: string): readonly string[] =>
  trials.filter((trial) => trial.name === name).map((trial) => trial.interface);

const once = (chosen: readonly Trial[]): readonly Trial[] =>
  chosen.filter(({ name }, index) => chosen.findIndex((other) => other.name === name) === index);

/** The selected trials, as text or as JSON. */
const listTrials = (options: ClientOptions, { terminal }: CommandContext): string => {
  const chosen = once(chosenTrials(options));
  if (reporterOf(options) === "json") {
    const shown = chosen.map(({ expects, name, task, title }) => ({
      name,
      task,
      interfaces: interfacesOf(name),
      title,
      expects,
    }));
    return `${JSON.stringify(shown, undefined, 2)}\n`;
  }
  return renderList(
    chosen.map(({ expects, name, task, title }) => ({
      id: name,
      basis: task,
      title: `${title}; a good client ${expects}`,
    })),
    terminal,
  );
};

const examples = `
Examples:
  assay client -- node my-client.js
  assay client --interface stream -- node my-client.js   one that only searches
  assay client --trial redirect --trial cancel -- ./my-client --batch
  assay client --list              what the server does in each trial, and what is expected

The command is started once for each trial, without a shell, with SRC_ENDPOINT, SRC_ACCESS_TOKEN,
ASSAY_TRIAL, ASSAY_TASK (search, ask or cancel), and ASSAY_QUERY or ASSAY_QUESTION with
ASSAY_INTERFACE (legacy or current). It does the task and exits: 0 with a whole result, 77 to leave
the trial out, anything else otherwise.
Exit codes: 0 all is well, 1 a check fails, 2 wrong usage, 3 nothing learned, 130 interrupted.`;

/** Fails for a client that would get the name of a variable instead of its value, because it is started without a shell. */
function refuseUnexpanded(words: readonly string[]): void {
  const isShell = /^(?:.*[\\/])?(?:ba|da|fi|k|z)?sh(?:\.exe)?$/u.test(words[0] ?? "");
  const unexpanded = isShell ? undefined : words.find((word) => /\$\{?(?:SRC|ASSAY)_/u.test(word));
  if (unexpanded !== undefined) {
    throw new HarnessError(
      "usage",
      `the client is started without a shell, so \`${visibleText(unexpanded, 100)}\` would reach it unchanged; start it with a shell: -- sh -c '...'`,
    );
  }
}

/** Adds `assay client`. Arguments after `--` belong to the client. */
export const clientCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("client"), clientFlags)
    .summary("Test your client against the reference server.")
    .description("Test your client against the reference server, and judge it by its requests.")
    .argument("[command...]", "the client and its arguments, after --")
    .addHelpText("after", examples)
    .action(async (command: readonly string[], options: ClientOptions) => {
      if (options.list === true) {
        context.out(listTrials(options, context));
        finish(0);
        return;
      }
      // The parser removes one `--` at each of its two levels; one may remain.
      const words = command[0] === "--" ? command.slice(1) : command;
      refuseUnexpanded(words);
      finish(await tryClient(words, options, context));
    });
};
