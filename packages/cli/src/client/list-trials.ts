import { type Trial, trials } from "@assay/client-trials";
import { renderList } from "@assay/report";
import type { CommandContext } from "../command-context.ts";
import { chosenTrials } from "./chosen-trials.ts";
import type { ClientOptions } from "./client-options.ts";

const interfacesOf = (name: string): readonly string[] =>
  trials.filter((trial) => trial.name === name).map((trial) => trial.interface);

const once = (chosen: readonly Trial[]): readonly Trial[] =>
  chosen.filter(({ name }, index) => chosen.findIndex((other) => other.name === name) === index);

/** The trials that options choose, as text or as JSON. */
export const listTrials = (options: ClientOptions, { terminal }: CommandContext): string => {
  const chosen = once(chosenTrials(options));
  if (options.json === true) {
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
