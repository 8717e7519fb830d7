import { HarnessError } from "@assay/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { lowerPriority } from "@assay/load";

/** A reference server in another process. */
export interface EmbeddedProcess {
  readonly url: string;
  readonly token: string;
  /** All secrets of the server, by kind. */
  readonly tokens: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface EmbeddedProcessOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly latency: string;
  /** For two servers that are compared: every search has the same delay, times this factor. Undefined for a single server. */
  readonly comparison?: { readonly latencyFactor: number };
}

/** With this seed, the delay of every search is close to the typical delay. */
const comparisonSeed = 9;

const program = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));
/** Without this flag, Node's heap grows by about 150 MB of garbage. */
export const smallHeapFlag = "--heap-growing-percent=50";

const startDeadlineMs = 30_000;
const closeDeadlineMs = 5000;
const maxLineBytes = 64 * 1024;

/** Variables for the server, without those meant for the load. */
const selectVariables = ({ PATH, HOME, TMPDIR, SystemRoot }: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR, SystemRoot }).filter(([, value]) => value !== undefined));

function startProcess({ cwd, env, latency, comparison }: EmbeddedProcessOptions): ChildProcess {
  // A single server gets no seed: with one, every search would have the same delay.
  const comparisonArgs =
    comparison === undefined ? [] : ["--seed", `${comparisonSeed}`, "--latency-factor", `${comparison.latencyFactor}`];
  const args = [
    "--no-config",
    "serve",
    "--json",
    "--until-input-ends",
    "--frozen",
    "--vocabulary",
    "document",
    "--latency",
    latency,
    ...comparisonArgs,
  ];
  const child = spawn(process.execPath, [smallHeapFlag, program, ...args], {
    cwd,
    env: selectVariables(env),
    // The child's input ends with this process, however this process ends.
    stdio: ["pipe", "pipe", "pipe"],
    // A separate process group, so that Ctrl-C reaches only this process, which still has to clean up on the server.
    detached: true,
  });
  return child;
}

/** Returns the first line of a process's output. Returns undefined if the process ends or takes too long. */
async function readFirstLine(child: ChildProcess): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  const processClose = once(child, "close").then(() => undefined);
  const line = new Promise<string>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      if (text.includes("\n") || text.length > maxLineBytes) {
        resolve(text.split("\n", 1)[0] ?? "");
      }
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), startDeadlineMs);
  });
  try {
    return await Promise.race([line, processClose, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const isStringRecord = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string");

function readGreeting(line: string): Omit<EmbeddedProcess, "close"> | undefined {
  try {
    const greeting: unknown = JSON.parse(line);
    if (typeof greeting === "object" && greeting !== null && "url" in greeting && "tokens" in greeting) {
      const { url, tokens } = greeting;
      const token = isStringRecord(tokens) ? tokens["access"] : undefined;
      return typeof url === "string" && isStringRecord(tokens) && token !== undefined
        ? { url, token, tokens }
        : undefined;
    }
  } catch {
    // Not JSON. The text on standard error explains why.
  }
  return undefined;
}

async function closeProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const processClose = once(child, "close");
  child.stdin?.end();
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), closeDeadlineMs);
  await processClose;
  clearTimeout(timer);
}

/** Returns why a process did not start. A process without output was too slow. */
function describeFailedStart(stderrChunks: readonly Buffer[]): string {
  const [firstLine = ""] = Buffer.concat(stderrChunks).toString("utf8").trim().split("\n");
  return firstLine === ""
    ? `it was not ready after ${startDeadlineMs / 1000} s, perhaps because this machine is busy`
    : firstLine;
}

/** Starts a reference server in another process and returns when it is ready. Throws a `HarnessError`. */
export async function startEmbeddedProcess(options: EmbeddedProcessOptions): Promise<EmbeddedProcess> {
  const child = startProcess(options);
  const stderrChunks: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => stderrChunks.length < 20 && stderrChunks.push(chunk));
  // Writing to an ended process is not an error.
  child.stdin?.on("error", () => undefined);
  const line = await readFirstLine(child);
  const greeting = line === undefined ? undefined : readGreeting(line);
  if (greeting === undefined) {
    await closeProcess(child);
    throw new HarnessError(
      "usage",
      `the embedded reference server did not start: ${describeFailedStart(stderrChunks)}; pass the address of a server with --url`,
    );
  }
  // Not earlier, because a server with low priority may not start in time.
  lowerPriority(child.pid ?? 0);
  return { ...greeting, close: () => closeProcess(child) };
}
