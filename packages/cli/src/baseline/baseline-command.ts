import { counted } from "@assay/contract";
import { relative, resolve } from "node:path";
import { listBaselines, setBaseline } from "@assay/load";
import { visibleText } from "@assay/evidence";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { addFlags, switchFlag } from "../flag.ts";
import { resolveRunArguments } from "../latest-run.ts";
import { baselinesFolder, findLoadRuns } from "../compare/stored-runs.ts";
import { listRunBaselines, findRunToSave, setRunBaseline } from "./run-baseline.ts";

const examples = `Examples:
  assay baseline set released reports/runs/A reports/runs/B    save runs as a baseline
  assay baseline set released before/                          all runs in a folder
  assay baseline list
  assay compare released reports/runs/HEAD
  assay baseline set staging reports/runs/RUN       then use assay run --baseline staging

Baselines are files in reports/baselines, small enough to commit. A verdict on load runs needs ten
runs per side.
`;

/** Adds `assay baseline`. */
export const baselineCommand: AddCommand = (program, context, finish) => {
  const baseline = program
    .command("baseline")
    .summary("Save runs as a named baseline for later comparisons.")
    .description("Save runs as a named baseline for later comparisons.")
    .addHelpText("before", examples);
  baseline
    .command("set")
    .description("Save load runs or a contract-test run as NAME. Replaces an existing baseline.")
    .argument("<NAME>", "name of the baseline: a-z, 0-9, dot, hyphen and underscore")
    .argument("[RUN...]", "run folders or ids, or folders that contain runs (default: the latest run)")
    .addHelpText("before", examples)
    .action(async (name: string, runs: readonly string[]) => {
      finish(await saveBaseline(name, resolveRunArguments(runs, context, "result"), context));
    });
  addFlags(baseline.command("list"), { json: switchFlag("print JSON") })
    .addHelpText("before", "Examples:\n  assay baseline list --json\n")
    .description("List all baselines with their target and number of runs.")
    .action(async ({ json }: { readonly json?: true }) => {
      finish(await printBaselines(json === true, context));
    });
};

async function saveBaseline(name: string, runs: readonly string[], { cwd, out }: CommandContext): Promise<number> {
  const runToSave = await findRunToSave(runs, cwd);
  if (runToSave !== undefined) {
    out(`${name}: saved 1 contract-test run to ${relative(cwd, await setRunBaseline(name, runToSave, cwd))}\n`);
    return 0;
  }
  const results = (await Promise.all(runs.map((run) => findLoadRuns(run, { cwd })))).flat();
  const path = await setBaseline({ folder: resolve(cwd, baselinesFolder), name, runs: results });
  const count = counted(results.length, "run");
  out(`${name}: saved ${count} to ${relative(cwd, path)}\n`);
  return 0;
}

/** Maximum length of a valid name. */
const maxNameLength = 60;

type BaselineEntry = Awaited<ReturnType<typeof listBaselines>>[number] | ReturnType<typeof listRunBaselines>[number];

function formatEntry(entry: BaselineEntry): string {
  const name = visibleText(entry.name, maxNameLength);
  if ("problem" in entry) {
    return `${name}  cannot be read: ${visibleText(entry.problem, 300)}\n`;
  }
  if ("contract" in entry) {
    const { outcome, target, startedAt } = entry;
    return `${name}  contract tests on ${visibleText(target, 200)}, ${outcome}, ${visibleText(startedAt, 80)}\n`;
  }
  const { runs, scenario, target, from, to } = entry;
  const count = counted(runs, "run");
  const times = from === to ? from : `${from} to ${to}`;
  return `${name}  ${count} of ${visibleText(scenario, 80)} on ${visibleText(target, 200)}, ${visibleText(times, 80)}\n`;
}

async function printBaselines(asJson: boolean, { cwd, out }: CommandContext): Promise<number> {
  const entries = [...(await listBaselines(resolve(cwd, baselinesFolder))), ...listRunBaselines(cwd)];
  if (asJson) {
    out(`${JSON.stringify(entries, undefined, 2)}\n`);
    return 0;
  }
  out(
    entries.length === 0
      ? "no baselines yet; create one with `assay baseline set`\n"
      : entries.map(formatEntry).join(""),
  );
  return 0;
}
