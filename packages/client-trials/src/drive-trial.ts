import { defined } from "@assay/contract";
import { setTimeout as wait } from "node:timers/promises";
import { type OutputCache, type RunningServer, startServer } from "@assay/reference-server";
import { type OtherHost, startOtherHost } from "./other-host.ts";
import { type ClientResult, runClient } from "./run-client.ts";
import { isTaskOver } from "./is-task-over.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { TrialRepository } from "./trial-repository.ts";
import type { Trial } from "./trial.ts";

/** Settings shared by all trials of a client. */
export interface TrialSettings {
  /** Program and arguments of the client. Started without a shell. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Environment that the client inherits, without the trial's variables. */
  readonly env: NodeJS.ProcessEnv;
  readonly repository: TrialRepository;
  /** Cached outputs, if the repository does not change. */
  readonly outputs?: OutputCache;
  readonly timeoutMs: number;
  readonly lingerMs: number;
  /** Seed of the variations. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A seed that covers most unusual forms: fields in both orders, with and without a space. */
export const trialSeed = 2;

/** A token in the real format that was never issued. */
const invalidToken = `sgp_${"0123456789".repeat(4)}`;
/** Time limit for the server to notice that a client has disconnected. */
const maxSettleMs = 500;

const nowMicros = (): number => Math.round(performance.now() * 1000);

/** Reports whether a variable could direct a client to a different server, or expose a real token to the trial server. */
const isWithheld = (name: string): boolean => /^(?:SRC_|ASSAY_)/u.test(name) || name.toLowerCase() === "no_proxy";

const localHosts = "127.0.0.1,localhost,::1";

/** Returns the environment that describes a trial to the client. */
export const createTrialEnvironment = (
  trial: Trial,
  { env, repository }: Pick<TrialSettings, "env" | "repository">,
  { url, token }: { readonly url: string; readonly token: string },
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !isWithheld(name))),
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

const startTrialServer = (
  trial: Trial,
  { outputs, repository, seed }: TrialSettings,
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

/** Waits until the server has ended every request. A client that has exited leaves no request open for long. */
const waitUntilSettled = async (server: RunningServer): Promise<void> => {
  const deadlineMs = performance.now() + maxSettleMs;
  while (performance.now() < deadlineMs && server.journal().some(({ end }) => end === "open")) {
    await wait(10);
  }
};

const toOutput = ({ err, out }: ClientResult): TrialRecord["output"] => ({
  out: out.beginning(),
  lastOut: out.remainder(),
  err: err.beginning(),
  lastErr: err.end(),
});

/** Returns texts that prove, if they are in the output, that the client read the result. */
const selectFoundTexts = (
  { asks, readingCheck }: Trial,
  { firstTexts, foundTexts }: TrialRepository,
): readonly string[] => {
  if (asks !== undefined) {
    return [];
  }
  return readingCheck === "reading/large-events" ? firstTexts : foundTexts;
};

interface TrialContext {
  readonly trial: Trial;
  readonly settings: TrialSettings;
  readonly server: RunningServer;
  readonly otherHost: OtherHost | undefined;
  readonly token: string;
}

const runTrial = async ({ otherHost, server, settings, token, trial }: TrialContext): Promise<TrialRecord> => {
  const { command, cwd, repository, signal, timeoutMs } = settings;
  const lingerMs = trial.needsReadingTime === true ? timeoutMs : settings.lingerMs;
  const startedMicros = nowMicros();
  const env = createTrialEnvironment(trial, settings, { url: server.url, token });
  const isOver = (): boolean => isTaskOver(trial, server.journal());
  const secrets = [...Object.values(server.tokens), invalidToken];
  const clientRun = await runClient({ command, cwd, env, secrets, timeoutMs, lingerMs, signal, isOver });
  const endedMicros = nowMicros();
  await waitUntilSettled(server);
  return {
    trial: trial.name,
    interface: trial.interface,
    text: trial.asks ?? (trial.interface === "stream" ? repository.query : repository.question),
    foundTexts: selectFoundTexts(trial, repository),
    requests: server.journal(),
    elsewhere: otherHost?.requests(token) ?? [],
    end: clientRun.end,
    startedMicros,
    endedMicros,
    lingerMs,
    output: toOutput(clientRun),
  };
};

/**
 * Runs a client through one trial against a separate server, and records the requests and the output. Throws a `HarnessError` if the client
 * or the server cannot start.
 */
export const driveTrial = async (trial: Trial, settings: TrialSettings): Promise<TrialRecord> => {
  // Started first, because the server redirects to it.
  const otherHost = trial.redirects === true ? await startOtherHost() : undefined;
  try {
    const server = await startTrialServer(trial, settings, otherHost);
    const token = trial.token === "invalid" ? invalidToken : server.tokens[trial.token];
    try {
      return await runTrial({ trial, settings, server, otherHost, token });
    } finally {
      await server.close();
    }
  } finally {
    await otherHost?.close();
  }
};
