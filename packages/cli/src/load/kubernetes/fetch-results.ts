import { HarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { loadFiles } from "@assay/load";
import { describeKubectlError, type Kubectl } from "./kubectl.ts";
import { type ClusterRun, listRunnerNames, selectRunners } from "./render-run.ts";

/** Folder of the runners' folders, in the folder of a load run. */
export const runnersFolder = "runners";

/** The results of a run in a cluster. */
export interface ClusterResults {
  readonly run: Pick<ClusterRun, "name" | "runners">;
  /** A running pod that has the claim. */
  readonly pod: string;
  readonly kubectl: Kubectl;
  /** Folder for the folders of the runners. */
  readonly folder: string;
  readonly redact: (text: string) => string;
}

const fetchTimeoutMs = 600_000;
const maxAttempts = 3;
/** Maximum size of the stored output of one runner. */
const maxLogBytes = 1_048_576;

async function digestFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Returns the files in the claim, with their digests, by path. */
async function listRemoteFiles({ pod, kubectl }: ClusterResults): Promise<ReadonlyMap<string, string>> {
  const script = "cd /results && find . -type f -exec sha256sum {} +";
  const out = await kubectl.run(["exec", pod, "--", "sh", "-c", script], {
    timeoutMs: fetchTimeoutMs,
  });
  const entries = out.split("\n").flatMap((line) => {
    const [, digest, path] = /^([0-9a-f]{64}) [ *]\.\/(.+)$/u.exec(line) ?? [];
    return digest === undefined || path === undefined ? [] : [[path, digest] as const];
  });
  return new Map(entries);
}

/** Copies the claim. Returns why the copy is not complete. */
async function copyClaim(results: ClusterResults, files: ReadonlyMap<string, string>): Promise<string | undefined> {
  const { pod, kubectl, folder } = results;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const end = await kubectl.call(["cp", `${pod}:/results`, folder], { timeoutMs: fetchTimeoutMs });
  if (end.exitCode !== 0) {
    return describeKubectlError(end);
  }
  for (const [path, digest] of files) {
    const localDigest = await digestFile(join(folder, path)).catch(() => "");
    if (localDigest !== digest) {
      return `${path} was not copied completely`;
    }
  }
  return undefined;
}

/** Stores what each runner printed, as on one machine. */
async function fetchLogs({ run, kubectl, folder, redact }: ClusterResults): Promise<void> {
  const list = await kubectl.call(["get", "pods", "--selector", selectRunners(run), "--output", "name"]);
  const pods = list.out.split("\n").map((line) => line.replace(/^pod\//u, ""));
  for (const runner of listRunnerNames(run)) {
    const pod = pods.find((name) => name.startsWith(`${runner}-`));
    if (pod !== undefined) {
      const { out } = await kubectl.call(["logs", pod, `--limit-bytes=${maxLogBytes}`]);
      await mkdir(join(folder, runner), { recursive: true });
      await writeFile(join(folder, runner, loadFiles.log), redact(out));
    }
  }
}

/** Copies the folders of all runners, and checks that each file is complete. Throws an `unavailable` error. */
export async function fetchResults(results: ClusterResults): Promise<void> {
  const files = await listRemoteFiles(results);
  let problem: string | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    problem = await copyClaim(results, files);
    if (problem === undefined) {
      await fetchLogs(results);
      return;
    }
  }
  throw new HarnessError("unavailable", `the results of the runners could not be fetched: ${problem ?? ""}`);
}
