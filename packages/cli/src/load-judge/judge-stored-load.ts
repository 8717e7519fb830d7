import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defined, HarnessError } from "@assay/contract";
import { loadFiles, readLoadPlan, readLoadResult } from "@assay/load";
import { renderLoadJudgement } from "@assay/report";
import { exitCodeOf, countMissingExchanges, printableJson } from "@assay/results";
import type { LoadJudgement, LoadPlan } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { judgeExchangesOfLoad, computeMaxKeptBytes } from "./load-judge.ts";
import { readLoadRunFile } from "../load/load-run-file.ts";
import { selectReporter, type ReporterOptions } from "../reporter.ts";

async function readPlan(folder: string): Promise<LoadPlan> {
  const path = join(folder, loadFiles.plan);
  const storedPlan: unknown = await readFile(path, "utf8")
    .then(
      (text): unknown => JSON.parse(text),
      () => undefined,
    )
    .catch(() => undefined);
  const plan = readLoadPlan(storedPlan);
  if (plan === undefined) {
    throw new HarnessError("not-a-bundle", `${path} is not a plan of a load, so its exchanges cannot be judged`);
  }
  return plan;
}

/** Returns the size limit of the first judgement, or the default if the run was killed. */
async function readCapBytes(folder: string): Promise<number> {
  const storedResult = await readLoadResult(folder).catch(() => undefined);
  return storedResult?.judgement?.capBytes ?? computeMaxKeptBytes({});
}

/** A load with no judged exchange is incomplete. */
function decideOutcome({
  broken,
  groups,
  rules,
  known = [],
  knownFailureMistakes = [],
  notTheApi,
  notAlwaysTheApi,
}: LoadJudgement): "failed" | "passed" | "incomplete" {
  const isFixed = known.some(({ known: { status } }) => status === "fixed");
  if (broken.length > 0 || isFixed || knownFailureMistakes.length > 0) {
    return "failed";
  }
  const isFromApi = notTheApi === undefined && notAlwaysTheApi === undefined;
  // A missing exchange may have violated a rule.
  const isComplete = countMissingExchanges(groups) <= 0;
  const hasPassed = groups.some(({ judged }) => judged > 0) && rules.some(({ outcome }) => outcome === "passed");
  return isFromApi && isComplete && hasPassed ? "passed" : "incomplete";
}

/** Judges the kept exchanges of a load run again and prints the judgement. Returns the exit code. */
export async function judgeStoredLoad(
  folder: string,
  options: ReporterOptions,
  context: Pick<CommandContext, "out" | "terminal">,
): Promise<number> {
  const knownFailures = (await readLoadRunFile(folder))?.known;
  const judgement = await judgeExchangesOfLoad(folder, {
    plan: await readPlan(folder),
    capBytes: await readCapBytes(folder),
    ...defined({ knownFailures }),
  });
  if (judgement === undefined) {
    throw new HarnessError("not-a-bundle", `${folder} keeps no exchanges to judge`);
  }
  context.out(
    selectReporter(options) === "json"
      ? `${printableJson(JSON.stringify(judgement, undefined, 2))}\n`
      : renderLoadJudgement(judgement, context.terminal),
  );
  return exitCodeOf(decideOutcome(judgement));
}
