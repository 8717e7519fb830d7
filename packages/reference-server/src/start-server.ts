import { HarnessError } from "@assay/contract";
import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { FastifyInstance } from "fastify";
import type { ApiService } from "./service/conversation/api/api-service.ts";
import { type ConversationRuntime, openConversations } from "./service/conversation/open-conversations.ts";
import { faultPorts } from "./faults/fault-ports.ts";
import { type ActiveFault, chooseFault, type FaultChoice, type FaultId } from "./faults/fault-registry.ts";
import { createApp } from "./service/http/create-app.ts";
import type { SearchService } from "./service/http/search-service.ts";
import { createJournal } from "./journal/journal.ts";
import { validateLatency, validateLatencyFactor } from "./service/latency.ts";
import { defaultPorts } from "./service/ports.ts";
import { openRepositories } from "./service/repositories/open-repository.ts";
import { createProcessPool } from "./service/ripgrep/process-pool.ts";
import type { RunningServer, ServerOptions } from "./server-options.ts";
import { issueTokens } from "./service/tokens.ts";
import { variedPorts } from "./variations/varied-ports.ts";

const processesPerCore = 4;

const validateSeed = (seed: number | undefined): number | undefined => {
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new HarnessError("invalid-seed", `the seed ${seed} is not a whole number; use one such as 42.`);
  }
  return seed;
};

const isList = (fault: ServerOptions["fault"]): fault is readonly (FaultId | FaultChoice)[] => Array.isArray(fault);

const chooseFaults = (fault: ServerOptions["fault"]): readonly ActiveFault[] =>
  (fault === undefined ? [] : isList(fault) ? fault : [fault]).map((faultChoice) => chooseFault(faultChoice));

const createService = async (options: ServerOptions, closingSignal: AbortSignal): Promise<SearchService> => {
  const activeFaults = chooseFaults(options.fault);
  const seed = validateSeed(options.seed);
  return {
    latency: validateLatency(options.latency ?? "instant"),
    latencyFactor: validateLatencyFactor(options.latencyFactor ?? 1),
    repositories: await openRepositories(options.repos, options.outputs),
    tokens: issueTokens(seed),
    access: options.access ?? activeFaults.find(({ fault }) => fault.access !== undefined)?.fault.access ?? "private",
    vocabulary: options.vocabulary ?? "field",
    seed,
    ports: faultPorts(activeFaults, options.variations === true ? variedPorts(seed) : defaultPorts),
    pool: createProcessPool(availableParallelism() * processesPerCore, options.outputs),
    journal: createJournal(),
    closingSignal,
  };
};

const readErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown reason";

const listen = async (app: FastifyInstance, host: string, port: number): Promise<string> => {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    if (readErrorCode(error) === "EADDRINUSE") {
      throw new HarnessError(
        "port-in-use",
        `port ${port} on ${host} is already in use by another program; choose another port, or 0 for a free one.`,
        { cause: error },
      );
    }
    throw new HarnessError(
      "cannot-listen",
      `the server cannot listen on ${host}, port ${port} (${readErrorCode(error)}); choose an address of this machine and a free port.`,
      { cause: error },
    );
  }
};

const close = async (
  app: FastifyInstance,
  unfinishedHandlers: Set<Promise<void>>,
  conversations: ConversationRuntime,
): Promise<void> => {
  await app.close();
  await Promise.all(unfinishedHandlers);
  await conversations.close();
};

/**
 * Starts the reference server and returns when it accepts requests. Reads the names, commits and tracked files of the repositories once,
 * at the start, and their contents in each search. Resumes questions that are in progress in the database. Throws `HarnessError`.
 */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const closingController = new AbortController();
  // Each open stream adds a listener; their number is unlimited.
  setMaxListeners(0, closingController.signal);
  const searchService = await createService(options, closingController.signal);
  const conversations = openConversations(searchService, options);
  const sharing = options.sharing ?? true;
  const service: ApiService = { searchService, conversations: conversations.service, sharing };
  const unfinishedHandlers = new Set<Promise<void>>();
  const app = createApp(service, unfinishedHandlers);
  conversations.resume();
  const url = await listen(app, options.host ?? "127.0.0.1", options.port ?? 0).catch(async (error: unknown) => {
    await conversations.close();
    throw error;
  });
  let closePromise: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => {
    closingController.abort();
    return (closePromise ??= close(app, unfinishedHandlers, conversations));
  };
  return {
    url,
    token: searchService.tokens.access,
    tokens: { ...searchService.tokens },
    access: searchService.access,
    sharing,
    repositories: searchService.repositories.map(({ name }) => name),
    journal: () => searchService.journal.entries(),
    searchProcesses: () => searchService.pool.processIds(),
    conversationCount: () => conversations.store.countConversations(),
    questionsInProgress: () => conversations.jobs.countRunning(),
    star: (conversationId, starred = true) => conversations.store.setStarred(conversationId, starred),
    close: closeOnce,
  };
};
