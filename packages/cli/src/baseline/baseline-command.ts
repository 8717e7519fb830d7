import { relative, resolve } from "node:path";
import { listBaselines, setBaseline } from "@assay/load";
import { visibleText } from "@assay/evidence";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { addFlags, toggle } from "../flag.ts";
import { runsOrLatest } from "../latest-run.ts";
import { baselinesFolder, namedLoadRuns } from "../compare/stored-runs.ts";
import { listRunBaselines, runToKeep, setRunBaseline } from "./run-baseline.ts";

const examples = `Examples:
  assay baseline set released reports/runs/A reports/runs/B    keep runs under a name
  assay baseline set released before/                          all runs in a folder
  assay baseline list
  assay compare released reports/runs/HEAD
  assay baseline set staging reports/runs/RUN       for assay run --baseline staging

Baselines are files below reports/baselines, small enough to be committed. A verdict of load needs
ten runs a side.
`;

/** Adds \`assay baseline\`. */
export const baselineCommand: AddCommand = (program, context, finish) => {
  const baseline = program
    .command("baseline")
    .summary("Name runs to compare later runs with.")
    .description("Named runs to compare later ones with.")
    .addHelpText("before", examples);
  baseline
    .command("set")
    .description("Keep load runs, or a run of contract tests, under a name; a baseline of this name is replaced.")
    .argument("<NAME>", "a-z, 0-9, dot, hyphen and underscore")
    .argument("[RUN...]", "runs by folder or id, or folders of runs (default: latest, the newest run)")
    .addHelpText("before", examples)
    .action(async (name: string, runs: readonly string[]) => {
      finish(await set(name, runsOrLatest(runs, context, "result"), context));
    });
  addFlags(baseline.command("list"), { json: toggle("as JSON") })
    .addHelpText("before", "Examples:\n  assay baseline list --json\n")
    .description("All baselines, what they are of and how many runs they hold.")
    .action(async ({ json }: { readonly json?: true }) => {
      finish(await list(json === true, context));
    });
};

async function set(name: string, runs: readonly string[], { cwd, out }: CommandContext): Promise<number> {
  const kept = await runToKeep(runs, cwd);
  if (kept !== undefined) {
    out(`${name}: 1 run of contract tests kept in ${relative(cwd, await setRunBaseline(name, kept, cwd))}\n`);
    return 0;
  }
  const results = (await Promise.all(runs.map((run) => namedLoadRuns(run, { cwd })))).flat();
  const path = await setBaseline({ folder: resolve(cwd, baselinesFolder), name, runs: results });
  const count = `${results.length} ${results.length === 1 ? "run" : "runs"}`;
  out(`${name}: ${count} kept in ${relative(cwd, path)}\n`);
  return 0;
}

type Entry = Awaited<ReturnType<typeof listBaselines>>[number] | ReturnType<typeof listRunBaselines>[number];

function lineOf(entry: Entry): string {
  const name = visibleText(entry.name, 60);
  if ("problem" in entry) {
    return `${name}  ? ${visibleText(entry.problem, 300)}\n`;
  }
  if ("contract" in entry) {
    const { outcome, target, startedAt } = entry;
    return `${name}  contract tests on ${visibleText(target, 200)}, ${outcome}, ${visibleText(startedAt, 80)}\n`;
  }
  const { runs, scenario, target, from, to } = entry;
  const count = `${runs} ${runs === 1 ? "run" : "runs"}`;
  const times = from === to ? from : `${from} to ${to}`;
  return `${name}  ${count} of ${visibleText(scenario, 80)} on ${visibleText(target, 200)}, ${visibleText(times, 80)}\n`;
}

async function list(json: boolean, { cwd, out }: CommandContext): Promise<number> {
  const entries = [...(await listBaselines(resolve(cwd, baselinesFolder))), ...listRunBaselines(cwd)];
  if (json) {
    out(`${JSON.stringify(entries, undefined, 2)}\n`);
    return 0;
  }
  out(
    entries.length === 0
      ? "there is no baseline yet; `assay baseline set` keeps runs as one\n"
      : entries.map(lineOf).join(""),
  );
  return 0;
}
