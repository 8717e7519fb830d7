import { defined, HarnessError, isHarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { K6End } from "@assay/load";
import { setTimeout as sleep } from "node:timers/promises";
import { type CoordinatorState, parseCoordinatorState } from "./coordinator-state.ts";
import { type ClusterResults, fetchResults } from "./fetch-results.ts";
import { describeKubectlError } from "./kubectl.ts";
import { type PodState, describePodProblem, readPods, readStage } from "./pod-problems.ts";
import {
  type ClusterRun,
  listRunnerNames,
  type Manifest,
  renderFetchPod,
  renderRun,
  renderSecret,
  selectRunners,
  coordinatorName,
  fetchPodName,
  runKinds,
  runLabel,
} from "./render-run.ts";

/** A load to send from a cluster. */
export interface ClusterLoad extends Omit<ClusterResults, "pod"> {
  readonly run: ClusterRun;
  /** Variables of k6 that are secret. */
  readonly secretVariables: Readonly<Record<string, string>>;
  /** Maximum time until all runners have started. */
  readonly startLimitMs: number;
  /** Maximum time of the load itself. */
  readonly loadLimitMs: number;
  readonly signal: AbortSignal;
  readonly onState: (state: ClusterState) => void;
  /** Default: `defaultTimes`. */
  readonly times?: ClusterTimes;
}

/** Times of the waiting, in milliseconds. */
export interface ClusterTimes {
  readonly pollMs: number;
  /** A cluster that does not answer for this time is lost. */
  readonly maxSilenceMs: number;
  /** A container that cannot be started for this time is given up. */
  readonly maxStuckMs: number;
  /** Longer than the grace period of a pod. */
  readonly maxStopMs: number;
}

const defaultTimes: ClusterTimes = { pollMs: 2000, maxSilenceMs: 30_000, maxStuckMs: 15_000, maxStopMs: 45_000 };

/** Progress of a load in a cluster. */
export type ClusterState =
  | { readonly step: "starting"; readonly readyRunners: number; readonly waitsFor?: string }
  | { readonly step: "loading"; readonly elapsedMs: number; readonly coordinator?: CoordinatorState }
  | { readonly step: "stopping" | "fetching" | "deleting" };

const deleteTimeoutMs = 60_000;

/** Stages after which the operator changes nothing. */
const endStages: ReadonlySet<string | undefined> = new Set(["finished", "stopped", "error"]);
const startedStages: ReadonlySet<string | undefined> = new Set(["started", ...endStages]);

const toList = (items: readonly unknown[]): string => JSON.stringify({ apiVersion: "v1", kind: "List", items });

async function createObjects({ kubectl, signal }: ClusterLoad, manifests: readonly Manifest[]): Promise<void> {
  for (const manifest of manifests) {
    if (signal.aborted) {
      return;
    }
    await kubectl.run(["create", "-f", "-"], { input: toList([manifest]) });
  }
}

/** The objects of the run, as the cluster has them. */
interface Snapshot {
  readonly stage: string | undefined;
  readonly pods: readonly PodState[];
}

/** Reads the objects of the run. Tolerates a short silence of the cluster. */
function createReader({ run, kubectl, times: { maxSilenceMs } = defaultTimes }: ClusterLoad): () => Promise<Snapshot> {
  let lastAnswerMs = performance.now();
  let last: Snapshot = { stage: undefined, pods: [] };
  return async () => {
    const kinds = "testrun.k6.io,pod";
    const end = await kubectl.call(["get", kinds, "--selector", `${runLabel}=${run.name}`, "--output", "json"]);
    if (end.exitCode === 0) {
      const list: unknown = JSON.parse(end.out);
      last = { stage: readStage(list), pods: readPods(list) };
      lastAnswerMs = performance.now();
    } else if (performance.now() - lastAnswerMs > maxSilenceMs) {
      throw new HarnessError("unavailable", `the cluster no longer answers: ${describeKubectlError(end)}`);
    }
    return last;
  };
}

/** Returns the last line that a pod printed, as a clause. */
async function readLastLine({ kubectl, redact }: ClusterLoad, { name }: PodState): Promise<string> {
  const { exitCode, out } = await kubectl.call(["logs", name, "--tail", "1"]);
  const line = visibleText(redact(out).trim(), 300);
  return exitCode === 0 && line !== "" ? `; its last line is: ${line}` : "";
}

const notStarted = (reason: string): K6End => ({ cause: "not-started", sentence: `no load was sent: ${reason}` });
const interrupted: K6End = { cause: "interrupted", sentence: "the run was interrupted" };

/** Returns a function that returns why the runners cannot start, if that is certain. */
function createStartCheck(load: ClusterLoad): (snapshot: Snapshot) => Promise<string | undefined> {
  const { maxStuckMs } = load.times ?? defaultTimes;
  let stuckSinceMs: number | undefined;
  return async ({ stage, pods }) => {
    const failedPod = pods.find(({ hasFailed }) => hasFailed);
    if (failedPod !== undefined) {
      return `${describePodProblem(failedPod)}${await readLastLine(load, failedPod)}`;
    }
    const stuckPod = pods.find(({ isStuck }) => isStuck);
    stuckSinceMs = stuckPod === undefined ? undefined : (stuckSinceMs ?? performance.now());
    if (stuckPod !== undefined && performance.now() - (stuckSinceMs ?? 0) > maxStuckMs) {
      return describePodProblem(stuckPod);
    }
    return stage === "error" ? `the operator reports an error of the TestRun ${load.run.name}` : undefined;
  };
}

const countReady = (pods: readonly PodState[]): number =>
  pods.filter(({ isRunner, isReady }) => isRunner && isReady).length;

const describeWait = ({ run, startLimitMs }: ClusterLoad, { pods }: Snapshot): string => {
  const waiting = pods.find(({ problem }) => problem !== undefined);
  const reason = waiting === undefined ? "the k6-operator has not started them" : describePodProblem(waiting);
  return `${countReady(pods)} of ${run.runners} runners were ready after ${startLimitMs / 1000} s: ${reason}`;
};

const pause = ({ signal, times: { pollMs } = defaultTimes }: ClusterLoad): Promise<unknown> =>
  sleep(pollMs, undefined, { signal }).catch(() => undefined);

const isCoordinated = ({ run }: ClusterLoad, { pods }: Snapshot): boolean =>
  pods.some(({ name, isReady }) => name === coordinatorName(run) && isReady);
const hasStarted = (_load: ClusterLoad, { stage }: Snapshot): boolean => startedStages.has(stage) && stage !== "error";

interface Start {
  readonly deadlineMs: number;
  readonly read: () => Promise<Snapshot>;
  readonly isReached: (load: ClusterLoad, snapshot: Snapshot) => boolean;
}

/** Waits for a step of the start. Returns the end of a load that never begins, otherwise undefined. */
async function waitForStart(load: ClusterLoad, { deadlineMs, read, isReached }: Start): Promise<K6End | undefined> {
  const findStartProblem = createStartCheck(load);
  while (!load.signal.aborted) {
    const snapshot = await read();
    if (isReached(load, snapshot)) {
      return undefined;
    }
    const problem = await findStartProblem(snapshot);
    if (problem !== undefined) {
      return notStarted(problem);
    }
    if (performance.now() > deadlineMs) {
      return notStarted(describeWait(load, snapshot));
    }
    const waiting = snapshot.pods.find((pod) => pod.problem !== undefined);
    load.onState({
      step: "starting",
      readyRunners: countReady(snapshot.pods),
      ...(waiting === undefined ? {} : { waitsFor: describePodProblem(waiting) }),
    });
    await pause(load);
  }
  return { cause: "not-started", sentence: "no load was sent, because the run was interrupted before it" };
}

/** Returns which runners did not end as planned, and why the coordinator is lost if it is, because the runners then end. Undefined if all did. */
function findLostRunners({ run }: ClusterLoad, { pods }: Snapshot): string | undefined {
  const coordinator = pods.find(({ name }) => name === coordinatorName(run));
  if (coordinator === undefined || coordinator.hasFailed) {
    return coordinator === undefined
      ? "the runners ended, because the pod of their coordinator was deleted or evicted"
      : `the runners ended, because their coordinator did: ${describePodProblem(coordinator)}`;
  }
  const lost = listRunnerNames(run).flatMap((runner) => {
    const pod = pods.find(({ name, isRunner }) => isRunner && name.startsWith(`${runner}-`));
    return pod === undefined
      ? [`the pod of ${runner} was deleted or evicted`]
      : pod.hasFailed
        ? [describePodProblem(pod)]
        : [];
  });
  return lost.length === 0
    ? undefined
    : `${lost.length} of ${run.runners} runners did not end as planned: ${lost.slice(0, 3).join("; ")}`;
}

/** Reads the last state that the coordinator has printed. Undefined if it cannot be read now. */
async function readCoordinator({ run, kubectl }: ClusterLoad): Promise<CoordinatorState | undefined> {
  const { exitCode, out } = await kubectl.call(["logs", coordinatorName(run), "--tail", "1"]);
  return exitCode === 0 ? parseCoordinatorState(out) : undefined;
}

/** Describes the end of a load whose runners have ended. */
function describeEnd(load: ClusterLoad, snapshot: Snapshot, coordinator: CoordinatorState | undefined): K6End {
  if (coordinator?.end !== undefined) {
    return { cause: "distress", sentence: coordinator.end };
  }
  const lost = findLostRunners(load, snapshot);
  return lost === undefined ? { cause: "complete" } : { cause: "crashed", sentence: lost };
}

/** Waits for the end of the load. */
async function waitForEnd(load: ClusterLoad, read: () => Promise<Snapshot>): Promise<K6End> {
  const startedMs = performance.now();
  load.onState({ step: "loading", elapsedMs: 0 });
  while (!load.signal.aborted) {
    const [snapshot, coordinator] = await Promise.all([read(), readCoordinator(load)]);
    if (endStages.has(snapshot.stage)) {
      return describeEnd(load, snapshot, coordinator);
    }
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs > load.loadLimitMs) {
      const seconds = Math.round(load.loadLimitMs / 1000);
      return {
        cause: "deadline",
        sentence: `the runners exceeded the limit of this run, ${seconds} s, and were stopped`,
      };
    }
    load.onState({ step: "loading", elapsedMs, ...defined({ coordinator }) });
    await pause(load);
  }
  return interrupted;
}

/**
 * Returns a function that deletes the `TestRun` and its runners, so that k6 ends. Further calls do nothing. The garbage collector of the
 * cluster would delete the runners too, but it may take more than ten seconds.
 */
function createStop({ run, kubectl }: ClusterLoad): () => Promise<unknown> {
  const options = ["--ignore-not-found", "--wait=false"];
  const deleteRunners = async (): Promise<unknown> => {
    await kubectl.call(["delete", "testrun.k6.io", run.name, ...options]);
    return kubectl.call(["delete", "pod", "--selector", selectRunners(run), ...options]);
  };
  let deletion: Promise<unknown> | undefined;
  return () => (deletion ??= deleteRunners());
}

/** Waits until the pods of the runners have ended and their files are written. */
async function waitForStop({ run, kubectl, times = defaultTimes }: ClusterLoad): Promise<void> {
  const deadlineMs = performance.now() + times.maxStopMs;
  while (performance.now() < deadlineMs) {
    const selector = `${runLabel}=${run.name},runner=true`;
    const { exitCode, out } = await kubectl.call(["get", "pods", "--selector", selector, "--output", "name"]);
    if (exitCode === 0 && out.trim() === "") {
      return;
    }
    await sleep(times.pollMs);
  }
}

/** Deletes everything that the run created. Returns a sentence if something may be left. */
async function deleteObjects({ run, kubectl }: ClusterLoad): Promise<string | undefined> {
  const selector = `${runLabel}=${run.name}`;
  const args = ["delete", runKinds, "--selector", selector, "--ignore-not-found", "--timeout=50s"];
  const end = await kubectl.call(args, { timeoutMs: deleteTimeoutMs });
  return end.exitCode === 0
    ? undefined
    : `not everything of ${run.name} could be deleted (${describeKubectlError(end)}); delete the rest with \`kubectl ${args.slice(0, 4).join(" ")}\``;
}

/** Creates the objects. The runners are created when there is a coordinator. Returns the end of a load that never begins. */
async function start(load: ClusterLoad, read: () => Promise<Snapshot>): Promise<K6End | undefined> {
  const { run, secretVariables } = load;
  const deadlineMs = performance.now() + load.startLimitMs;
  const manifests = renderRun(run);
  const [runners, others] = [manifests.slice(-1), manifests.slice(0, -1)];
  await createObjects(load, [renderSecret(run, secretVariables), ...others]);
  const problem = await waitForStart(load, { deadlineMs, read, isReached: isCoordinated });
  if (problem !== undefined) {
    return problem;
  }
  await createObjects(load, runners);
  return waitForStart(load, { deadlineMs, read, isReached: hasStarted });
}

const maxFetchPodMs = 120_000;

/** Returns a running pod that has the claim: the coordinator, otherwise a new one. Throws an `unavailable` error. */
async function findPodToFetch(load: ClusterLoad, read: () => Promise<Snapshot>): Promise<string> {
  const { run, kubectl, times: { pollMs } = defaultTimes } = load;
  if (isCoordinated(load, await read())) {
    return coordinatorName(run);
  }
  await kubectl.run(["create", "-f", "-"], { input: toList([renderFetchPod(run)]) });
  const deadlineMs = performance.now() + maxFetchPodMs;
  while (performance.now() < deadlineMs) {
    const { pods } = await read();
    if (pods.some(({ name, isReady }) => name === fetchPodName(run) && isReady)) {
      return fetchPodName(run);
    }
    await sleep(pollMs);
  }
  throw new HarnessError(
    "unavailable",
    "the results of the runners could not be fetched: no pod could be started for it",
  );
}

async function sendAndFetch(load: ClusterLoad): Promise<K6End> {
  const read = createReader(load);
  const startProblem = await start(load, read);
  if (startProblem !== undefined) {
    return startProblem;
  }
  const stop = createStop(load);
  // At once, also while another call waits for the cluster.
  const stopNow = (): void => void stop().catch(() => undefined);
  load.signal.addEventListener("abort", stopNow, { once: true });
  const end = await waitForEnd(load, read);
  load.signal.removeEventListener("abort", stopNow);
  if (end.cause === "interrupted" || end.cause === "deadline") {
    load.onState({ step: "stopping" });
    await stop();
    await waitForStop(load);
  }
  load.onState({ step: "fetching" });
  await fetchResults({ ...load, pod: await findPodToFetch(load, read) });
  return end;
}

/** What a load in a cluster left, besides its results. */
export interface ClusterLoadEnd {
  readonly end: K6End;
  /** A sentence if objects may be left in the cluster. */
  readonly leftover?: string;
}

/**
 * Creates the objects of a run, waits until the load has ended, and fetches the folders of the runners. Whatever happens, it then deletes
 * what it created. A cluster that refuses a call or no longer answers is an end of the load, with its reason.
 */
export async function sendClusterLoad(load: ClusterLoad): Promise<ClusterLoadEnd> {
  const end = await sendAndFetch(load)
    .catch((error: unknown): K6End => {
      if (!isHarnessError(error, "unavailable")) {
        throw error;
      }
      return { cause: "crashed", sentence: error.sentence };
    })
    .finally(() => load.onState({ step: "deleting" }));
  const leftover = await deleteObjects(load);
  return { end, ...(leftover === undefined ? {} : { leftover }) };
}
