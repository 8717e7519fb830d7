import { defined } from "@assay/contract";
import { setTimeout as wait } from "node:timers/promises";
import { type OutputMemory, type RunningServer, startServer } from "@assay/reference-server";
import { type OtherHost, startOtherHost } from "./other-host.ts";
import { type RanClient, runClient } from "./run-client.ts";
import { isTaskOver } from "./is-task-over.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { TrialRepository } from "./trial-repository.ts";
import type { Trial } from "./trial.ts";

/** What all trials of a client share. */
export interface TrialSurroundings {
  /** Program and arguments of the client; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Variables the client inherits, besides those of the trial. */
  readonly env: NodeJS.ProcessEnv;
  readonly repository: TrialRepository;
  /** What servers found in it before, where it does not change. */
  readonly outputs?: OutputMemory;
  readonly timeoutMs: number;
  readonly lingerMs: number;
  /** Makes the unusual forms of answers repeat. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A seed with which the trial of unusual forms has most of them: lines in both orders, with and without a space. */
export const trialSeed = 2;

/** Of the shape of a real token; nobody issued it. */
const invalidToken = `sgp_${"0123456789".repeat(4)}`;
/** What the server may take to see that a client has gone. */
const settleMs = 500;

const nowMicros = (): number => Math.round(performance.now() * 1000);

/** What would have a client talk to another server, or show a token of somebody's to ours. */
const isForeign = (name: string): boolean => /^(?:SRC_|ASSAY_)/u.test(name) || name.toLowerCase() === "no_proxy";

const localHosts = "127.0.0.1,localhost,::1";

/** The environment that tells a client what to do. */
export const trialEnvironment = (
  trial: Trial,
  { env, repository }: Pick<TrialSurroundings, "env" | "repository">,
  { url, token }: { readonly url: string; readonly token: string },
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !isForeign(name))),
  NO_PROXY: localHosts,
  no_proxy: localHosts,
  SRC_ENDPOINT: url,
  SRC_ACCESS_TOKEN: token,
  ASSAY_TRIAL: trial.name,
  ASSAY_TASK: trial.task,
  ...(trial.interface === "stream"
    ? { ASSAY_QUERY: trial.asks ?? repository.query }
    : { ASSAY_INTERFACE: trial.interface, ASSAY_QUESTION: trial.asks ?? repository.question }),
});

const serverFor = (
  trial: Trial,
  { outputs, repository, seed }: TrialSurroundings,
  otherHost: OtherHost | undefined,
): Promise<RunningServer> => {
  const { fault, ...server } = trial.server;
  const params = { ...fault?.params, ...(otherHost === undefined ? {} : { port: otherHost.port }) };
  return startServer({
    ...server,
    repos: [repository.directory],
    ...defined({ outputs }),
    ...(server.variations === true ? { seed } : {}),
    ...(fault === undefined ? {} : { fault: { id: fault.id, params } }),
  });
};

/** Waits until the server has seen the end of every request; a client that is gone leaves none open for long. */
const settled = async (server: RunningServer): Promise<void> => {
  const until = performance.now() + settleMs;
  while (performance.now() < until && server.journal().some(({ end }) => end === "open")) {
    await wait(10);
  }
};

const outputOf = ({ err, out }: RanClient): TrialRecord["output"] => ({
  out: out.beginning(),
  lastOut: out.rest(),
  err: err.beginning(),
  lastErr: err.end(),
});

/** What is found in a trial, and shows that it was read. */
const foundTextsOf = ({ asks, reading }: Trial, { firstTexts, foundTexts }: TrialRepository): readonly string[] => {
  if (asks !== undefined) {
    return [];
  }
  return reading === "reading/large-events" ? firstTexts : foundTexts;
};

interface TrialContext {
  readonly trial: Trial;
  readonly surroundings: TrialSurroundings;
  readonly server: RunningServer;
  readonly otherHost: OtherHost | undefined;
  readonly token: string;
}

const perform = async ({ otherHost, server, surroundings, token, trial }: TrialContext): Promise<TrialRecord> => {
  const { command, cwd, repository, signal, timeoutMs } = surroundings;
  const lingerMs = trial.takesReading === true ? timeoutMs : surroundings.lingerMs;
  const startedMicros = nowMicros();
  const env = trialEnvironment(trial, surroundings, { url: server.url, token });
  const over = (): boolean => isTaskOver(trial, server.journal());
  const secrets = [...Object.values(server.tokens), invalidToken];
  const ran = await runClient({ command, cwd, env, secrets, timeoutMs, lingerMs, signal, isOver: over });
  const endedMicros = nowMicros();
  await settled(server);
  return {
    trial: trial.name,
    interface: trial.interface,
    text: trial.asks ?? (trial.interface === "stream" ? repository.query : repository.question),
    foundTexts: foundTextsOf(trial, repository),
    requests: server.journal(),
    elsewhere: otherHost?.requests(token) ?? [],
    end: ran.end,
    startedMicros,
    endedMicros,
    lingerMs,
    output: outputOf(ran),
  };
};

/**
 * Has a client do one trial, against a server and a process of their own, and writes down what happened. Fails with
 * a `HarnessError` when the client or the server cannot be started.
 */
export const driveTrial = async (trial: Trial, surroundings: TrialSurroundings): Promise<TrialRecord> => {
  // Before the server, which has to know where to send clients.
  const otherHost = trial.redirects === true ? await startOtherHost() : undefined;
  try {
    const server = await serverFor(trial, surroundings, otherHost);
    const token = trial.token === "invalid" ? invalidToken : server.tokens[trial.token];
    try {
      return await perform({ trial, surroundings, server, otherHost, token });
    } finally {
      await server.close();
    }
  } finally {
    await otherHost?.close();
  }
};
