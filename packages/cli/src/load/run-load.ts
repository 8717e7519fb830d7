import { defined } from "@assay/contract";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import {
  buildLoadResult,
  buildSampleTable,
  comparePaired,
  describeLoadEnvironment,
  readSamples,
  type SampleTable,
} from "@assay/load";
import { type Comparison, exitCodeOf, type LoadResult, type LogEvent } from "@assay/results";
import { findKnownCodes, findMistakesInLoad } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { readKnownFailures } from "../known-failure-files.ts";
import { createRunId } from "../run/run-id.ts";
import { checkLogFile, createRunLog, runWithLog, type RunLog } from "../run/run-log.ts";
import { findInterruptName } from "../interrupt-signal.ts";
import { tool } from "../version.ts";
import { resolveScenario } from "./resolve-scenario.ts";
import { type DrivenLoad, driveLoad, sendFromThisMachine } from "./drive-load.ts";
import { smallHeapFlag } from "./embedded-process.ts";
import { finishLoad } from "./finish-load.ts";
import { type KubernetesSettings, readKubernetesSettings } from "./kubernetes/kubernetes-options.ts";
import type { LoadGenerator } from "./load-generator.ts";
import { parseScenarioThresholds } from "./parse-thresholds.ts";
import type { LoadOptions } from "./load-options.ts";
import { type LoadSession, openSession, findUsableK6 } from "./load-session.ts";
import { checkLoadTargets, openLoadTargets } from "./load-targets.ts";
import { planLoad, selectPreset } from "./plan-load.ts";

/**
 * Runs a load, checks the contract during it, and prints the result. Returns the exit code. Invalid options are
 * rejected before any request. However the run ends, the recording is kept and created conversations are removed.
 */
export async function runLoad(scenario: string, flags: LoadOptions, context: CommandContext): Promise<number> {
  const chosenScenario = resolveScenario(scenario, context.cwd);
  const thresholds = parseScenarioThresholds(chosenScenario, flags);
  const options = { ...flags, seed: flags.seed ?? randomInt(2 ** 32) };
  // Reading the samples of a long load creates much short-lived garbage.
  setFlagsFromString(smallHeapFlag);
  checkLogFile(options, context.cwd);
  // Reports invalid options before k6 is searched for and servers are started.
  const expectedTargets = checkLoadTargets(options, context);
  const settings = readKubernetesSettings(options, listTargets(expectedTargets));
  const parts = { options, chosenScenario, targets: expectedTargets, marker: createRunId(new Date()) };
  const plan = planLoad(parts);
  if (settings !== undefined && options.dryRun === true) {
    const { printRun } = await import("./kubernetes/send-from-cluster.ts");
    await printRun({ settings, plan, chosenScenario, limits: expectedTargets.limits }, context);
    return exitCodeOf("passed");
  }
  const knownFailureFiles = await readKnownFailures(options.knownFailures, context.cwd);
  const generator = settings === undefined ? await openLocalGenerator(context) : await openCluster(settings, context);
  // Reading the signal starts listening: from here on an interrupt ends the run normally.
  void context.signal;
  const targets = await openLoadTargets(options, context);
  try {
    const session = await openSession({ options, context, chosenScenario, thresholds, targets, knownFailureFiles });
    const { secrets, extraHeaders } = targets;
    const log = createRunLog({ folder: session.folder, extraDestination: options.log, context, secrets, extraHeaders });
    return await runWithLog(log, context, async () => {
      log.add(createStartEvent(session));
      const result = await loadAndJudge(session, log, generator);
      return finishLoad({ options, context, folder: session.folder, secrets, log, result, endedAtMs: Date.now() });
    });
  } finally {
    await targets.close();
  }
}

const listTargets = ({ base, head }: Pick<LoadSession["targets"], "base" | "head">) => [
  base,
  ...(head === undefined ? [] : [head]),
];

/** Opens the k6 of this machine. Throws the errors of `findK6`. */
async function openLocalGenerator(context: CommandContext): Promise<LoadGenerator> {
  const k6 = await findUsableK6(context);
  return {
    send: sendFromThisMachine(k6),
    listFolders: ({ folder }) => [folder],
    buildResult: (load) => buildLoadResult({ ...load, environment: describeLoadEnvironment(k6) }),
  };
}

/** Opens a cluster. Its code is loaded on demand, since most loads need none. */
async function openCluster(settings: KubernetesSettings, context: CommandContext): Promise<LoadGenerator> {
  const { openClusterGenerator } = await import("./kubernetes/send-from-cluster.ts");
  return openClusterGenerator(settings, context);
}

function* joinTables(tables: readonly SampleTable[]) {
  for (const table of tables) {
    yield* table;
  }
}

/** Compares both sides. Returns undefined if there is no head, or if there are no samples. */
async function compareSides(
  { plan, options, knownFailures }: LoadSession,
  folders: readonly string[],
): Promise<Comparison | undefined> {
  const { base, head } = plan.targets;
  if (plan.blocks === undefined || head === undefined) {
    return undefined;
  }
  const known = knownFailures === undefined ? {} : findKnownCodes(knownFailures);
  const files = await Promise.all(
    folders.map((folder) => readSamples(join(folder, "samples.ndjson"), { known }).catch(() => undefined)),
  );
  // The result reports unreadable samples.
  const [first, ...others] = files.flatMap((file) => (file === undefined ? [] : [file.samples]));
  if (first === undefined) {
    return undefined;
  }
  const samples = others.length === 0 ? first : buildSampleTable(joinTables([first, ...others]));
  return comparePaired({ samples, plan, preset: selectPreset(options), base, head });
}

function combineCleanUp({ cleanUp, canary, unloadedLeftovers }: DrivenLoad): LoadResult["cleanUp"] {
  const leftovers = [...(canary?.leftovers ?? []), ...unloadedLeftovers];
  return leftovers.length === 0
    ? cleanUp
    : {
        created: (cleanUp?.created ?? 0) + leftovers.length,
        removed: cleanUp?.removed ?? 0,
        left: [...(cleanUp?.left ?? []), ...leftovers],
      };
}

const describeRun = ({ runId, startedAt, plan, targets, options, scenarioSha256 }: LoadSession): LoadResult["run"] => ({
  id: runId,
  startedAt: startedAt.toISOString(),
  target: plan.targets.base,
  ...(plan.targets.head === undefined ? {} : { against: plan.targets.head, preset: selectPreset(options) }),
  embedded: targets.base.embedded,
  limits: targets.limits.name,
  seed: options.seed,
  processes: 1,
  scenarioSha256,
});

const createStartEvent = ({ runId, plan, targets, options }: LoadSession): LogEvent => ({
  event: "run-started",
  schemaVersion: 2,
  kind: "load",
  tool,
  run: {
    id: runId,
    target: plan.targets.base,
    embedded: targets.base.embedded,
    seed: options.seed,
    scenario: plan.scenario,
  },
});

/** Returns the codes of known violations, and mistakes in the lists. */
function collectKnownFacts({ knownFailures }: LoadSession) {
  if (knownFailures === undefined) {
    return {};
  }
  const mistakes = findMistakesInLoad(knownFailures);
  return {
    knownCodes: findKnownCodes(knownFailures),
    ...(mistakes.length === 0 ? {} : { knownFailureMistakes: mistakes }),
  };
}

async function loadAndJudge(session: LoadSession, log: RunLog, generator: LoadGenerator): Promise<LoadResult> {
  const { options, context, thresholds, plan, folder } = session;
  const drivenLoad = await driveLoad(session, log, generator.send);
  const comparison = await compareSides(session, generator.listFolders(session));
  const cleanUp = combineCleanUp(drivenLoad);
  const interrupted = findInterruptName(context.signal);
  return generator.buildResult({
    folder,
    plan,
    k6End: drivenLoad.end,
    run: describeRun(session),
    toolVersion: tool.version,
    thresholds,
    decide: options.decide ?? false,
    ...defined({ comparison }),
    ...collectKnownFacts(session),
    ...(drivenLoad.canary === undefined ? {} : { canary: drivenLoad.canary.report }),
    ...defined({
      harnessError: drivenLoad.canaryError ?? drivenLoad.judgementError,
      judgement: drivenLoad.judgement,
      unjudged: drivenLoad.unjudged,
      cleanUp,
      interrupted,
    }),
  });
}
