import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defined, HarnessError } from "@assay/contract";
import { isLoadPlan, loadFiles, readLoadResult } from "@assay/load";
import { renderLoadJudgement } from "@assay/report";
import { exitCodeOf, missingExchanges, printableJson } from "@assay/results";
import type { LoadJudgement, LoadPlan } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { judgeExchangesOfLoad, keptBytesAtMost } from "../load/judge-exchanges-of-load.ts";
import { readLoadRunFile } from "../load/load-run-file.ts";
import { reporterOf, type ReporterOptions } from "../reporter.ts";
import { storedRunPath } from "../run-to-judge.ts";

/** The folder of a load run that has kept its exchanges, as a person named it; undefined for anything else. */
export function loadRunToJudge(text: string, cwd: string): string | undefined {
  const path = storedRunPath(text, cwd);
  return path !== undefined && [loadFiles.plan, loadFiles.exchanges].every((name) => existsSync(join(path, name)))
    ? path
    : undefined;
}

async function planIn(folder: string): Promise<LoadPlan> {
  const path = join(folder, loadFiles.plan);
  const plan: unknown = await readFile(path, "utf8")
    .then(
      (text): unknown => JSON.parse(text),
      () => undefined,
    )
    .catch(() => undefined);
  if (!isLoadPlan(plan)) {
    throw new HarnessError("not-a-bundle", `${path} is no plan of a load, so it is not known what its exchanges are`);
  }
  return plan;
}

/** What the run was told when it was judged first; a run that was killed was told nothing. */
async function capOf(folder: string): Promise<number> {
  const before = await readLoadResult(folder).catch(() => undefined);
  return before?.judgement?.capBytes ?? keptBytesAtMost({});
}

/** A load of which nothing could be judged says nothing of the contract. */
function outcomeOf({
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
  const isOfApi = notTheApi === undefined && notAlwaysTheApi === undefined;
  // What is not there any more may have been what violates a rule.
  const isThere = missingExchanges(groups) <= 0;
  const holds = groups.some(({ judged }) => judged > 0) && rules.some(({ outcome }) => outcome === "passed");
  return isOfApi && isThere && holds ? "passed" : "incomplete";
}

/** Judges the exchanges that a load run has kept once more, and shows what rules say of them; returns the exit code. */
export async function judgeLoadRun(
  folder: string,
  options: ReporterOptions,
  context: Pick<CommandContext, "out" | "terminal">,
): Promise<number> {
  const known = (await readLoadRunFile(folder))?.known;
  const judgement = await judgeExchangesOfLoad(folder, {
    plan: await planIn(folder),
    capBytes: await capOf(folder),
    ...defined({ known }),
  });
  if (judgement === undefined) {
    throw new HarnessError("not-a-bundle", `${folder} keeps no exchanges to judge`);
  }
  context.out(
    reporterOf(options) === "json"
      ? `${printableJson(JSON.stringify(judgement, undefined, 2))}\n`
      : renderLoadJudgement(judgement, context.terminal),
  );
  return exitCodeOf(outcomeOf(judgement));
}
