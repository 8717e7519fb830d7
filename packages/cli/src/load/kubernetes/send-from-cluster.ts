import { extraCertificates } from "@assay/client";
import { defined, HarnessError, isHarnessError } from "@assay/contract";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildLoadResult, describeUnknownEnvironment, loadFiles, mergeLoadRuns } from "@assay/load";
import type { LoadPlan } from "@assay/results";
import { computeMaxIterationMs } from "@assay/scenarios";
import type { CommandContext } from "../../command-context.ts";
import { bundleInChildProcess } from "../bundle-in-child-process.ts";
import type { LoadToSend } from "../drive-load.ts";
import type { LoadGenerator } from "../load-generator.ts";
import type { LoadLimits } from "../load-safety.ts";
import type { ChosenScenario } from "../resolve-scenario.ts";
import { coordinatorKeyName } from "./coordinator-state.ts";
import { type ClusterState, sendClusterLoad } from "./cluster-load.ts";
import { runnersFolder } from "./fetch-results.ts";
import { gatherRunnerFiles } from "./gather-runner-files.ts";
import { createKubectl, describeKubectlError, type Kubectl } from "./kubectl.ts";
import type { KubernetesSettings } from "./kubernetes-options.ts";
import { type ClusterRun, formatManifests, listRunnerNames, renderRun, secretName } from "./render-run.ts";

/** Short, because names of Jobs and hosts are limited to 63 characters. */
const createRunName = (): string => `assay-load-${randomBytes(4).toString("hex")}`;

/** Variables of k6 that are about files of this machine. The wrapper in the pod sets its own. */
const localNames: ReadonlySet<string> = new Set(["ASSAY_EXCHANGES", "ASSAY_SCENARIO_SHA256"]);

/** Time that the operator and the fetching may take, besides the load. */
const extraSeconds = 3600;
/** The operator looks every 15 s whether the runners have ended. */
const operatorSlackMs = 60_000;

/** Questions that rounding can add to the share of a runner. */
const roundingQuestions = 2;

/**
 * Returns the plan for each runner. k6 splits the rate and the virtual users. The budget of questions is for each process, so it is split
 * here: the budgets of all runners together never exceed the limits. Throws a `HarnessError` if that leaves a runner too few.
 */
export function planForRunners(plan: LoadPlan, runners: number, { name, questions }: LoadLimits): LoadPlan {
  const { conversation } = plan;
  if (conversation === undefined) {
    return plan;
  }
  const budget = Math.ceil(conversation.budget / runners) + roundingQuestions;
  if (budget * runners > questions) {
    throw new HarnessError(
      "usage",
      `${runners} runners ask up to ${budget * runners} questions, more than the ${questions} that the limits ${name} allow; use --questions ${budget * runners}, fewer --runners, a lower --rate or a shorter --duration`,
    );
  }
  return { ...plan, conversation: { ...conversation, budget } };
}

interface PlannedRun {
  readonly settings: KubernetesSettings;
  readonly plan: LoadPlan;
  readonly limits: LoadLimits;
  readonly script: ClusterRun["script"];
  /** The environment of this machine. It may name certificates. */
  readonly env: CommandContext["env"];
}

function describeClusterRun({ settings, plan, limits, script, env }: PlannedRun): ClusterRun {
  const { runners, image, namespace, storageClass, runnerCpu, startLimitMs } = settings;
  const loadMs = plan.warmupMs + plan.durationMs + computeMaxIterationMs(plan);
  return {
    name: createRunName(),
    runners,
    image,
    namespace,
    storageClass,
    runnerCpu,
    plan: planForRunners(plan, runners, limits),
    script,
    ...defined({ authorities: extraCertificates(env) }),
    maxSeconds: Math.ceil((startLimitMs + loadMs) / 1000) + extraSeconds,
  };
}

/** Returns the ready scenario of the image, or the bundled text of a user's file. */
async function readScript({ source, name }: ChosenScenario, file: string): Promise<ClusterRun["script"]> {
  return source === name ? { ready: name } : { text: await readFile(file, "utf8") };
}

/** Prints the objects of a run. Needs neither a cluster nor a token. */
export async function printRun(
  {
    chosenScenario,
    ...run
  }: Pick<PlannedRun, "settings" | "plan" | "limits"> & { readonly chosenScenario: ChosenScenario },
  { env, out, err }: Pick<CommandContext, "env" | "out" | "err">,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "assay-load-"));
  try {
    const outFile = join(folder, loadFiles.scenario);
    if (chosenScenario.source !== chosenScenario.name) {
      await bundleInChildProcess({ scenario: chosenScenario.source, outFile });
    }
    const clusterRun = describeClusterRun({ ...run, env, script: await readScript(chosenScenario, outFile) });
    out(formatManifests(renderRun(clusterRun)));
    err(
      `The Secret ${secretName(clusterRun)} is not shown: a run creates it from the environment, with ASSAY_TOKEN.\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rejectUnknownContext(kubectl: Kubectl, kubeContext: string): Promise<void> {
  const { exitCode } = await kubectl.call(["config", "get-contexts", kubeContext, "--output", "name"]);
  if (exitCode === 0) {
    return;
  }
  const { out } = await kubectl.call(["config", "get-contexts", "--output", "name"]);
  const names = out.trim() === "" ? "the kubeconfig has none" : `there are ${out.trim().split("\n").join(", ")}`;
  throw new HarnessError("usage", `there is no context ${kubeContext} in the kubeconfig; ${names}`);
}

async function rejectMissingOperator(kubectl: Kubectl, kubeContext: string): Promise<void> {
  const end = await kubectl.call(["api-resources", "--api-group=k6.io", "--output", "name"]);
  if (end.exitCode !== 0) {
    throw new HarnessError("unavailable", `the cluster ${kubeContext} does not answer: ${describeKubectlError(end)}`);
  }
  if (!end.out.split("\n").includes("testruns.k6.io")) {
    throw new HarnessError(
      "usage",
      `the cluster ${kubeContext} does not have the k6-operator; install it, see load-on-kubernetes.md`,
    );
  }
}

async function rejectMissingNamespace(kubectl: Kubectl, namespace: string | undefined): Promise<void> {
  const end = namespace === undefined ? undefined : await kubectl.call(["get", "namespace", namespace]);
  if (end !== undefined && end.exitCode !== 0 && end.err.includes("NotFound")) {
    throw new HarnessError(
      "usage",
      `there is no namespace ${namespace}; create it with \`kubectl create namespace ${namespace}\``,
    );
  }
}

function describeState({ runners }: KubernetesSettings, state: Exclude<ClusterState, { step: "loading" }>): string {
  switch (state.step) {
    case "starting":
      return `${state.readyRunners} of ${runners} runners are ready${state.waitsFor === undefined ? "" : `; ${state.waitsFor}`}`;
    case "stopping":
      return "stopping the runners";
    case "fetching":
      return "fetching the results";
    case "deleting":
      return "deleting the objects of the run";
  }
}

/** Variables for the Secret. Those of outputs are among them, because they may contain passwords, and so may the name of an output. */
export const selectSecretVariables = (
  variables: NodeJS.ProcessEnv,
  { runners, k6Outputs }: Pick<KubernetesSettings, "runners" | "k6Outputs">,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined || localNames.has(name) || !(name.startsWith("ASSAY_") || k6Outputs.length > 0)
        ? []
        : [[name, name === "ASSAY_KEEP_BYTES" ? String(Math.floor(Number(value) / runners)) : value] as const],
    ),
  ),
  ...(k6Outputs.length === 0 ? {} : { K6_OUT: k6Outputs.join(",") }),
});

/** Opens the cluster of a context, without changing it. Throws a `HarnessError` if no load can be sent from it. */
export async function openClusterGenerator(
  settings: KubernetesSettings,
  { env, err, signal }: CommandContext,
): Promise<LoadGenerator> {
  const { kubeContext, namespace, runners, startLimitMs } = settings;
  const createCaller = (redact: (text: string) => string): Kubectl =>
    createKubectl({ kubeContext, namespace, env, redact });
  const kubectl = createCaller((text) => text);
  await rejectUnknownContext(createKubectl({ env, redact: (text) => text }), kubeContext);
  await rejectMissingOperator(kubectl, kubeContext);
  await rejectMissingNamespace(kubectl, namespace);
  const runnerNames: string[] = [];
  const listFolders = ({ folder }: { readonly folder: string }): readonly string[] =>
    runnerNames.map((name) => join(folder, runnersFolder, name));

  const send = async (load: LoadToSend) => {
    const { session, progress, variables, localVariables, onBegin, onProgress, redact, limitMs } = load;
    const script = await readScript(session.chosenScenario, join(session.folder, loadFiles.scenario));
    const run = describeClusterRun({ settings, plan: session.plan, limits: session.targets.limits, script, env });
    runnerNames.push(...listRunnerNames(run));
    progress.note(`the objects of this run are named ${run.name}`);
    if (localVariables["ASSAY_PROXIES"] !== undefined) {
      progress.note("the runners do not use the proxies of this machine");
    }
    let hasBegun = false;
    const onState = (state: ClusterState): void => {
      if (state.step !== "loading") {
        progress.state({ text: describeState(settings, state) });
        return;
      }
      if (!hasBegun) {
        hasBegun = true;
        onBegin();
      }
      const { ok = 0, failed = 0 } = state.coordinator ?? {};
      onProgress({ elapsedMs: state.elapsedMs, ok, failed, notBegun: 0, violations: 0 });
    };
    const { end, leftover } = await sendClusterLoad({
      run,
      kubectl: createCaller(redact),
      secretVariables: {
        ...selectSecretVariables(variables, settings),
        [coordinatorKeyName]: randomBytes(32).toString("hex"),
      },
      folder: join(session.folder, runnersFolder),
      startLimitMs,
      loadLimitMs: limitMs + operatorSlackMs,
      signal,
      redact,
      onState,
    });
    if (leftover !== undefined) {
      err(`assay: ${leftover}\n`);
    }
    await gatherRunnerFiles(session.folder, listFolders(session));
    return end;
  };

  return {
    send,
    listFolders,
    async buildResult({ folder, k6End, ...load }) {
      const { plan, run, toolVersion, thresholds, knownCodes, ...facts } = load;
      try {
        return await mergeLoadRuns(listFolders({ folder }), {
          id: run.id,
          toolVersion,
          thresholds,
          ...defined({ knownCodes }),
          load: { plan, end: k6End, facts: { ...facts, run: { ...run, processes: runners } } },
        });
      } catch (error) {
        // No runner left anything.
        if (!isHarnessError(error, "nothing-to-merge")) {
          throw error;
        }
        return buildLoadResult({ ...load, folder, k6End, environment: describeUnknownEnvironment() });
      }
    },
  };
}
