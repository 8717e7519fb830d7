import { defined } from "@assay/contract";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { buildLoadResult, comparePaired, describeLoadEnvironment, readSamples } from "@assay/load";
import type { Comparison, LoadResult, LogEvent } from "@assay/results";
import { findKnownCodes, findMistakesInLoad } from "@assay/runner";
import type { CommandContext } from "../command-context.ts";
import { readKnownFailures } from "../known-failure-files.ts";
import { createRunId } from "../run/run-id.ts";
import { checkLogFile, createRunLog, runWithLog, type RunLog } from "../run/run-log.ts";
import { findInterruptName } from "../interrupt-signal.ts";
import { tool } from "../version.ts";
import { resolveScenario } from "./resolve-scenario.ts";
import { type DrivenLoad, driveLoad } from "./drive-load.ts";
import { smallHeapFlag } from "./embedded-process.ts";
import { finishLoad } from "./finish-load.ts";
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
  planLoad({ options, chosenScenario, targets: checkLoadTargets(options, context), marker: createRunId(new Date()) });
  const knownFailureFiles = await readKnownFailures(options.knownFailures, context.cwd);
  const k6 = await findUsableK6(context);
  // Reading the signal starts listening: from here on an interrupt ends the run normally.
  void context.signal;
  const targets = await openLoadTargets(options, context);
  try {
    const session = await openSession({ options, context, chosenScenario, k6, thresholds, targets, knownFailureFiles });
    const { secrets, extraHeaders } = targets;
    const log = createRunLog({ folder: session.folder, extraDestination: options.log, context, secrets, extraHeaders });
    return await runWithLog(log, context, async () => {
      log.add(createStartEvent(session));
      const result = await loadAndJudge(session, log);
      return finishLoad({ options, context, folder: session.folder, secrets, log, result, endedAtMs: Date.now() });
    });
  } finally {
    await targets.close();
  }
}

/** Compares both sides. Returns undefined if there is no head, or if there are no samples. */
async function compareSides({ plan, folder, options, knownFailures }: LoadSession): Promise<Comparison | undefined> {
  const { base, head } = plan.targets;
  if (plan.blocks === undefined || head === undefined) {
    return undefined;
  }
  // The result reports unreadable samples.
  const file = await readSamples(join(folder, "samples.ndjson"), {
    known: knownFailures === undefined ? {} : findKnownCodes(knownFailures),
  }).catch(() => undefined);
  return file === undefined
    ? undefined
    : comparePaired({ samples: file.samples, plan, preset: selectPreset(options), base, head });
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

async function loadAndJudge(session: LoadSession, log: RunLog): Promise<LoadResult> {
  const { options, context, k6, thresholds, plan, folder } = session;
  const drivenLoad = await driveLoad(session, log);
  const comparison = await compareSides(session);
  const cleanUp = combineCleanUp(drivenLoad);
  const interrupted = findInterruptName(context.signal);
  return buildLoadResult({
    folder,
    plan,
    k6End: drivenLoad.end,
    run: describeRun(session),
    environment: describeLoadEnvironment(k6),
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
