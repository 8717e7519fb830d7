/**
 * `npm run prove:cluster`: runs a load on a Kubernetes cluster, with control plane and nodes in namespaces of their own on this machine, as
 * the README of this folder describes it. Needs Linux, root, Go, gcc and apt. Not part of `npm test`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAssertions } from "./proof/assertions.js";
import { checkCommand, commandRunCount } from "./proof/check-command.js";
import { prepareCommandRuns, removeCommandRuns } from "./proof/command-runs.js";
import { buildPrograms, findModuleSources } from "./proof/build-programs.js";
import { describeGroups, outsideAddress, startCluster, succeeds, waitFor } from "./proof/cluster.js";
import {
  applyOverlay,
  countBy,
  findRunnerProcess,
  listProcesses,
  listPods,
  readRunners,
  readToken,
  runMerge,
  waitUntilFinished,
} from "./proof/cluster-runs.js";
import { extractPackages } from "./proof/debian-tools.js";
import { provideImages, provideSupportImages } from "./proof/image-archives.js";
import { loadOnOneMachine } from "./proof/one-machine.js";
import { writeProofOverlay } from "./proof/proof-overlay.js";
import { runProof } from "./proof/proof-session.js";
import { startProgram } from "./proof/run-program.js";
import { coverLoadOnce } from "./proof/segments.js";
import { startRefusingFront, startTargets } from "./proof/targets.js";
import { findFilesWithToken, findKindsWithToken, findLogsWithToken } from "./proof/token-search.js";

const nodeCount = 2;
const ports = {
  whole: [8077, 8078],
  killed: [8079],
  deleted: [8080],
  command: { whole: [8081, 8082], single: [8083, 8084, 8085, 8086, 8087], front: 8088 },
};
const maxStopMs = 5000;
/** Time in which a search that was sent arrives. */
const maxArrivalMs = 1000;
const exampleFolder = fileURLToPath(new URL("overlays/example", import.meta.url));

/** A steady load of one target, for runs that do not reach their end. */
const createSteadyPlan = ({ blocks: _blocks, ...plan }, url, durationMs) => ({
  ...plan,
  targets: { base: url },
  durationMs,
});

const isReady = ({ status }) =>
  status.conditions.some(({ type, status: value }) => type === "Ready" && value === "True");

async function startOperator({ kubectl }) {
  const sources = findModuleSources("operator", "github.com/grafana/k6-operator");
  await waitFor("API server", () => (succeeds(() => kubectl(["get", "--raw", "/readyz"])) ? true : undefined));
  kubectl(["apply", "--server-side", "-f", join(sources, "bundle.yaml")]);
  await waitFor("ready nodes", () =>
    JSON.parse(kubectl(["get", "nodes", "-o", "json"])).items.filter(isReady).length === nodeCount ? true : undefined,
  );
}

function waitForOperator({ kubectl }) {
  const rollout = ["rollout", "status", "deployment/k6-operator-controller-manager", "--timeout=110s"];
  kubectl(["-n", "k6-operator-system", ...rollout]);
}

const countBlocks = (samples) => JSON.stringify(countBy(samples, ({ side, block }) => `${side} ${block}`));

/** Compares the runners of a finished run with what the servers recorded, and with a run on one machine. Returns the number of searches. */
async function checkRunners(cluster, { assert, targets, run, single, searchesBefore }) {
  const pods = listPods(cluster, run.namespace, "runner=true");
  const nodes = new Set(pods.map(({ spec }) => spec.nodeName));
  assert(nodes.size === nodeCount, `${pods.length} runners ran on ${nodes.size} nodes`);

  const runners = readRunners(run.results);
  const segments = runners.map(({ segment }) => segment);
  assert(
    runners.length === run.parallelism && coverLoadOnce(segments),
    `the segments are disjoint and complete: ${segments.join(", ")}`,
  );
  assert(!coverLoadOnce(segments.slice(1)), "without the first one they are not complete, so this check can fail");

  const samples = runners.flatMap((runner) => runner.samples);
  const searches = (await targets.readSearches()).map((all, index) => all.slice(searchesBefore[index]));
  const journals = JSON.stringify({ base: searches[0].length, head: searches[1].length });
  const bySide = JSON.stringify(countBy(samples, ({ side }) => side));
  assert(bySide === journals, `the journals of the servers have as many searches as the samples: ${journals}`, bySide);
  assert(
    countBlocks(samples) === countBlocks(single.samples),
    `each block has as many searches as on one machine: ${countBlocks(samples)}`,
    countBlocks(single.samples),
  );
  assert(
    searches.flat().every(({ token }) => token === "access"),
    "every search had the token of the Secret",
  );
  return searches.flat().length;
}

async function checkMerge(cluster, { assert, run, single, searchCount }) {
  const { exitCode, output } = await runMerge(cluster, run);
  const merged = JSON.parse(readFileSync(join(run.results, "merged/load.json"), "utf8"));
  const count = Object.values(merged.outcomes.stream).reduce((sum, each) => sum + each, 0);
  assert(count === searchCount, `the merged result counts ${count} searches, and the journals ${searchCount}`, output);
  const outcomes = JSON.stringify(merged.outcomes);
  const singleOutcomes = JSON.stringify(single.result.outcomes);
  assert(outcomes === singleOutcomes, `the outcomes are those of one machine: ${outcomes}`, singleOutcomes);
  assert(
    merged.complete && JSON.stringify(merged.run.segments) === '["0:1"]' && exitCode === merged.exitCode,
    `the merge Job judged the whole load once (${merged.outcome}, exit code ${exitCode})`,
    output,
  );
}

async function checkWholeRun(cluster, context) {
  await waitUntilFinished(cluster, context.run.namespace);
  context.assert(true, "the TestRun is finished");
  const searchCount = await checkRunners(cluster, context);
  await checkMerge(cluster, { ...context, searchCount });
}

/** Kills a runner in the middle of a run, as a machine that runs out of memory does. */
async function checkKilledRunner(cluster, { assert, run }) {
  const host = "assay-load-2";
  const samples = join(run.results, host, "samples.ndjson");
  await waitFor(`samples of ${host}`, () =>
    existsSync(samples) && readFileSync(samples, "utf8").split("\n").length > 5 ? true : undefined,
  );
  process.kill(Number(findRunnerProcess(run.results, host)), "SIGKILL");
  await waitUntilFinished(cluster, run.namespace);
  const { exitCode, output } = await runMerge(cluster, run);
  assert(
    exitCode === 3 && output.includes(host),
    "after a runner was killed, the merge Job ends with 3 and names it",
    `exit code ${exitCode}\n${output}`,
  );
}

/** Deletes a run in the middle. */
async function checkDeletedRun(cluster, { assert, targets, run }) {
  const searchCount = 24;
  await waitFor("searches of the run to delete", async () =>
    (await targets.readSearches())[0].length > searchCount ? true : undefined,
  );
  const deletedAt = Date.now();
  const { namespace } = run;
  cluster.kubectl(["-n", namespace, "delete", "testrun", "assay-load", "--wait=false"]);
  cluster.kubectl(["-n", namespace, "delete", "pod", "-l", "k6_cr=assay-load,runner=true", "--wait=false"]);
  await pause(maxStopMs + maxArrivalMs);
  const [searches] = await targets.readSearches();
  const seconds = (Math.max(...searches.map(({ at }) => at)) - deletedAt) / 1000;
  assert(
    seconds < maxStopMs / 1000,
    `after a run of two minutes was deleted, its last search came ${seconds.toFixed(1)} s later`,
  );
  await waitFor("end of the pods of the deleted run", () =>
    listPods(cluster, run.namespace, "app=k6").length === 0 ? true : undefined,
  );
  assert(true, "the pods of the deleted run are gone");
}

/** Folders of the kubelets, seen through the roots of their processes. */
function listPodFolders(work, name) {
  const isOurs = (id) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes(work);
  return listProcesses("kubelet")
    .filter(isOurs)
    .map((id) => `/proc/${id}/root/var/${name}/pods`);
}

/** Starts to copy the archives of initializers. Returns their folder and `stop`. */
function collectArchives({ work, env }) {
  const folder = join(work, "archives");
  mkdirSync(folder);
  const script = fileURLToPath(new URL("proof/copy-archives.js", import.meta.url));
  const child = startProgram(process.execPath, [script, folder, ...listPodFolders(work, "lib/kubelet")], {
    env,
    stdio: "inherit",
  });
  return { folder, stop: () => child.kill("SIGKILL") };
}

/** The token is in the Secrets and nowhere else. */
function checkToken(cluster, { assert, work, token, folders, runCount }) {
  const { kindCount, found } = findKindsWithToken(cluster, token);
  assert(found.join(" ") === "Secret", `of ${kindCount} kinds of objects, only Secrets contain the token`, found);
  const logs = findLogsWithToken(cluster, token);
  assert(logs.found.length === 0, `no log of ${logs.podCount} pods contains the token`, logs.found);
  const searched = [
    ...folders,
    join(work, "logs"),
    ...listPodFolders(work, "lib/kubelet"),
    ...listPodFolders(work, "log"),
  ];
  const files = findFilesWithToken(searched, token);
  assert(
    files.found.length === 0,
    `none of ${files.names.length} files of claims, pods and logs contains it`,
    files.found,
  );
  const archives = files.names.filter((name) => name.endsWith(".tar"));
  assert(archives.length === runCount, `the archives of ${archives.length} initializers were among them`);
  const control = join(work, "control");
  mkdirSync(control);
  writeFileSync(join(control, "file"), `x${token}x`);
  assert(findFilesWithToken([control], token).found.length === 1, "a file with the token is found");
}

/** Deletes everything, as a user would. */
function checkDeletion(cluster, { assert, runs }) {
  const { kubectl } = cluster;
  removeCommandRuns(cluster, { count: commandRunCount });
  for (const { overlay } of runs) {
    kubectl(["delete", "-k", overlay, "--ignore-not-found", "--wait=false"]);
  }
  for (const namespace of [...runs.map((run) => run.namespace), "assay-command"]) {
    kubectl(["wait", "--for=delete", `namespace/${namespace}`, "--timeout=90s"]);
  }
  const objects = kubectl(["get", "namespace,pod,testrun,pvc,pv", "--all-namespaces", "-o", "name"]);
  assert(!objects.includes("assay"), "after `kubectl delete -k` nothing of the runs is left", objects);
}

async function proveCluster({ print, work, env, register, startServers, startFront, cluster }) {
  const { assert, throwIfFailed } = createAssertions(print);
  const { kubectl } = cluster;
  const targets = await waitFor("network of the cluster", () => startServers(ports.whole).catch(() => undefined));
  const loading = loadOnOneMachine({ ...cluster, env, work }, targets);
  // Awaited below. Until then, an error is not unhandled.
  loading.catch(() => undefined);
  await startOperator(cluster);
  print(`${nodeCount} nodes are ready`);
  kubectl(["create", "namespace", "assay-load"]);
  const isAccepted = succeeds(() => kubectl(["apply", "--dry-run=server", "-k", exampleFolder]));
  assert(isAccepted, "overlays/example is accepted as it stands");
  waitForOperator(cluster);
  print("the operator is ready");
  const single = await loading;
  print("the load on one machine has ended");

  const killedTargets = await startServers(ports.killed);
  const deletedTargets = await startServers(ports.deleted);
  const searchesBefore = (await targets.readSearches()).map(({ length }) => length);
  const { plan } = single;
  const plans = {
    killed: createSteadyPlan(plan, killedTargets.urls[0], 15_000),
    deleted: createSteadyPlan(plan, deletedTargets.urls[0], 120_000),
  };
  const whole = writeProofOverlay(work, { name: "assay-load", plan, parallelism: 4 });
  const killed = writeProofOverlay(work, { name: "assay-killed", plan: plans.killed, parallelism: 2 });
  const deleted = writeProofOverlay(work, { name: "assay-deleted", plan: plans.deleted, parallelism: 2 });
  const runs = [whole, killed, deleted];
  const archives = register(collectArchives({ work, env }));
  for (const run of runs) {
    applyOverlay(cluster, run, targets.token);
  }
  kubectl(["apply", "-k", whole.overlay]);
  assert(readToken(cluster, whole.namespace) === targets.token, "applying again keeps the token");
  print("three runs are applied");

  const claims = prepareCommandRuns(cluster, { work, count: commandRunCount });
  // The time until the load stops is not to be that of a machine which starts other loads.
  const deletedRun = checkDeletedRun(cluster, { assert, targets: deletedTargets, run: deleted });
  const checkCommandAfterwards = async () => {
    await deletedRun;
    return checkCommand(cluster, {
      assert,
      work,
      env,
      token: targets.token,
      single,
      register,
      startServers,
      startFront,
      ports: ports.command,
    });
  };
  const [commandFolders] = await Promise.all([
    checkCommandAfterwards(),
    checkWholeRun(cluster, { assert, targets, run: whole, single, searchesBefore }),
    checkKilledRunner(cluster, { assert, run: killed }),
  ]);
  archives.stop();
  const folders = [archives.folder, ...runs.map(({ results }) => results), ...claims, ...commandFolders];
  checkToken(cluster, {
    assert,
    work,
    token: targets.token,
    folders,
    runCount: runs.length + commandRunCount,
  });
  checkDeletion(cluster, { assert, runs });
  throwIfFailed();
}

await runProof("prove:cluster", async ({ print, work, env, namespaces }) => {
  const tools = extractPackages();
  const programs = buildPrograms(print);
  const images = [
    await provideImages({ tools, work: join(work, "images-work"), env }),
    await provideSupportImages({ tools, work: join(work, "support-work"), env }, programs),
  ];
  print(`programs and images are there; ${describeGroups()}`);
  const cluster = await startCluster({ work, env, namespaces, tools, programs, images, nodes: nodeCount });
  const started = [];
  /** Stops what a proof starts, also if it fails. */
  const register = (program) => {
    started.push(program);
    return program;
  };
  const place = { host: outsideAddress, env, enter: cluster.enter };
  const startServers = async (serverPorts) => register(await startTargets({ ...place, ports: serverPorts }));
  const startFront = async (options) => register(await startRefusingFront({ ...place, ...options }));
  try {
    await proveCluster({ print, work, env, register, startServers, startFront, cluster });
  } finally {
    for (const { stop } of started) {
      await stop();
    }
    await cluster.stop();
    print("the cluster is stopped");
  }
});
