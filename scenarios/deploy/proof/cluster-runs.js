import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { succeeds, waitFor } from "./cluster.js";

const secretName = "assay-load-token";

/** Creates the namespace and the Secret, and applies an overlay, as the README says. */
export function applyOverlay({ kubectl }, { overlay, namespace }, token) {
  if (!succeeds(() => kubectl(["get", "namespace", namespace]))) {
    kubectl(["create", "namespace", namespace]);
  }
  const tokens = ["ASSAY_TOKEN", "ASSAY_AGAINST_TOKEN"].map((key) => `--from-literal=${key}=${token}`);
  kubectl(["-n", namespace, "create", "secret", "generic", secretName, ...tokens]);
  kubectl(["apply", "-k", overlay]);
}

/** Reads the token from the Secret. */
export function readToken({ kubectl }, namespace) {
  const value = kubectl(["-n", namespace, "get", "secret", secretName, "-o", "jsonpath={.data.ASSAY_TOKEN}"]);
  return Buffer.from(value, "base64").toString();
}

/** Waits until the `TestRun` is finished. */
export async function waitUntilFinished({ kubectl }, namespace) {
  await waitFor(
    `finished TestRun in ${namespace}`,
    () => {
      const stage = kubectl(["-n", namespace, "get", "testrun", "assay-load", "-o", "jsonpath={.status.stage}"]);
      if (stage === "error") {
        throw new Error(`the TestRun in ${namespace} ended in the stage \`error\``);
      }
      return stage === "finished" ? true : undefined;
    },
    150_000,
  );
}

/** Lists the pods of a namespace. */
export const listPods = ({ kubectl }, namespace, selector) =>
  JSON.parse(kubectl(["-n", namespace, "get", "pods", "-l", selector, "-o", "json"])).items;

/** Starts the merge Job and returns the exit code and the output of its one pod. */
export async function runMerge(cluster, { namespace }) {
  const { kubectl } = cluster;
  const resume = JSON.stringify({ spec: { suspend: false } });
  kubectl(["-n", namespace, "patch", "job", "assay-load-merge", "--type=strategic", "-p", resume]);
  const readEnd = () => {
    const ends = listPods(cluster, namespace, "app=assay-load-merge").map(
      ({ status }) => status.containerStatuses?.[0]?.state.terminated,
    );
    if (ends.length > 1) {
      throw new Error(`the merge Job in ${namespace} started ${ends.length} pods`);
    }
    return ends[0];
  };
  const { exitCode } = await waitFor(`end of the merge Job in ${namespace}`, readEnd, 90_000);
  return { exitCode, output: kubectl(["-n", namespace, "logs", "job/assay-load-merge"]) };
}

/** Reads the samples of the searches in the folder of a load run. */
export const readSamples = (folder) =>
  readFileSync(join(folder, "samples.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "stream");

/** Reads what each runner wrote: its segment and its samples. */
export const readRunners = (results, namePattern = /^assay-load-\d+$/u) =>
  readdirSync(results)
    .filter((name) => namePattern.test(name) && existsSync(join(results, name, "k6-summary.json")))
    .toSorted()
    .map((name) => ({
      name,
      segment: JSON.parse(readFileSync(join(results, name, "k6-summary.json"), "utf8")).segment,
      samples: readSamples(join(results, name)),
    }));

/** Reads of a process, which may end meanwhile. */
function isProcess(test) {
  try {
    return test();
  } catch {
    return false;
  }
}

/** Lists the processes of a program, by its name. */
export const listProcesses = (program) =>
  readdirSync("/proc").filter(
    (id) => /^\d+$/u.test(id) && isProcess(() => readFileSync(`/proc/${id}/comm`, "utf8").trim() === program),
  );

/** Finds the process of k6 in the pod of a runner, by the name of its host and the folder that it has mounted. */
export const findRunnerProcess = (results, host) =>
  listProcesses("k6").find((id) =>
    isProcess(
      () =>
        readFileSync(`/proc/${id}/environ`, "latin1").split("\0").includes(`HOSTNAME=${host}`) &&
        readFileSync(`/proc/${id}/mountinfo`, "utf8").includes(results),
    ),
  );

/** Counts values by name. */
export function countBy(values, nameOf) {
  const counts = {};
  for (const value of values) {
    const name = nameOf(value);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
