import { once } from "node:events";
import { existsSync, mkdirSync, chmodSync, chownSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRunners } from "./cluster-runs.js";
import { imageNames } from "./image-names.js";
import { startProgram } from "./run-program.js";

const program = fileURLToPath(new URL("../../../packages/cli/bin/assay.js", import.meta.url));
/** The user of the pods. */
const podUser = 12_345;
const storageClass = "command-files";
const namespace = "assay-command";

/** Creates the namespace of the runs, and storage for a number of runs: a folder of the machine for each claim. */
export function prepareCommandRuns({ kubectl }, { work, count }) {
  kubectl(["create", "namespace", namespace]);
  const volumes = Array.from({ length: count }, (_, index) => {
    const path = join(work, `command-results-${index}`);
    mkdirSync(path);
    chownSync(path, podUser, podUser);
    chmodSync(path, 0o2775);
    return {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `command-results-${index}` },
      spec: {
        capacity: { storage: "4Gi" },
        accessModes: ["ReadWriteMany"],
        storageClassName: storageClass,
        persistentVolumeReclaimPolicy: "Retain",
        hostPath: { path, type: "Directory" },
      },
    };
  });
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items: volumes });
  kubectl(["create", "-f", "-"], { input, stdio: ["pipe", "pipe", "pipe"] });
  return volumes.map(({ spec }) => spec.hostPath.path);
}

/** Removes what `prepareCommandRuns` created. */
export function removeCommandRuns({ kubectl }, { count }) {
  const volumes = Array.from({ length: count }, (_, index) => `persistentvolume/command-results-${index}`);
  kubectl(["delete", `namespace/${namespace}`, ...volumes, "--wait=false"]);
}

/**
 * Starts `assay load --kubernetes` outside the cluster. Returns its process, its folder, and `ended`, which resolves with the exit code and
 * the output.
 */
export function startCommand({ enter, kubeconfig, programs }, { work, env, token, name, args, register }) {
  const folder = join(work, `command-${name}`);
  mkdirSync(folder);
  const flags = ["--no-config", "--limits", "local", "--namespace", namespace, "--storage-class", storageClass];
  const cluster = ["--kubernetes", "proof", "--image", imageNames.runner, "--out", join(folder, "run")];
  const command = [process.execPath, program, "load", ...args, ...flags, ...cluster];
  const [file, ...rest] = enter(command);
  const child = startProgram(file, rest, {
    cwd: folder,
    env: {
      ...env,
      ASSAY_TOKEN: token,
      ASSAY_AGAINST_TOKEN: token,
      KUBECONFIG: kubeconfig,
      PATH: `${programs}:${env.PATH}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  register({ stop: () => child.kill("SIGKILL") });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => output.push(text));
  }
  const ended = once(child, "close").then(([exitCode]) => ({ exitCode, output: output.join("") }));
  return { child, folder: join(folder, "run"), readOutput: () => output.join(""), ended };
}

/** Returns the name of the run that a command has printed. */
export const findRunName = (output) => /objects of this run are named (assay-load-\w+)/u.exec(output)?.[1];

/** Lists the pods of the runners of a run. */
export const listRunnerPods = ({ kubectl }, runName) =>
  JSON.parse(kubectl(["-n", namespace, "get", "pods", "-l", `assay-run=${runName},runner=true`, "-o", "json"])).items;

/** Lists what is left of a run in the cluster. */
export function findObjectsOfRun({ kubectl }, runName) {
  const kinds = "testrun.k6.io,job,pod,service,configmap,secret,persistentvolumeclaim";
  return kubectl(["-n", namespace, "get", kinds, "-o", "name"])
    .split("\n")
    .filter((name) => name.includes(runName));
}

/** Evicts a pod, as the drain of a node does. */
export function evictPod({ kubectl }, name) {
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
  kubectl(["create", "--raw", path, "-f", "-"], { input: JSON.stringify(eviction), stdio: ["pipe", "pipe", "pipe"] });
}

/** Kills a pod at once. */
export const killPod = ({ kubectl }, name) =>
  kubectl(["-n", namespace, "delete", "pod", name, "--grace-period=0", "--force", "--wait=false"]);

/** Returns the flags that allow load on targets. */
export const confirmHosts = (urls) => urls.flatMap((url) => ["--confirm-host", new URL(url).hostname]);

/** Reads the runners of a run from its folder on this machine. */
export const readFetchedRunners = (folder) => readRunners(join(folder, "runners"), /^assay-load-\w+-\d+$/u);

/** Reads the result of a run. Undefined if it has none. */
export function readResult(folder) {
  const path = join(folder, "load.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Finds processes with a text in their arguments, and counts those of kubectl. */
export function searchArguments(text) {
  const found = [];
  let kubectlCount = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/u.test(name))) {
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ");
      kubectlCount += line.startsWith("kubectl ") ? 1 : 0;
      if (line.includes(text)) {
        found.push(line.replaceAll(text, "[token]").slice(0, 200));
      }
    } catch {
      // The process has ended.
    }
  }
  return { found, kubectlCount };
}
