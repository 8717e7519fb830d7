import { HarnessError } from "@assay/contract";
import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { ApiService } from "./service/conversation/api/api-service.ts";
import { type ConversationRuntime, openConversations } from "./service/conversation/open-conversations.ts";
import { faultPorts } from "./faults/fault-ports.ts";
import { type ActiveFault, chooseFault, type FaultChoice, type FaultId } from "./faults/fault-registry.ts";
import { createHttpServer, type HttpServer } from "./service/http/create-http-server.ts";
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

const listen = async (httpServer: HttpServer, host: string, port: number): Promise<string> => {
  try {
    return await httpServer.listen(host, port);
  } catch (error) {
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

const close = async (httpServer: HttpServer, conversations: ConversationRuntime): Promise<void> => {
  await httpServer.close();
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
  const httpServer = createHttpServer(service);
  conversations.resume();
  const url = await listen(httpServer, options.host ?? "127.0.0.1", options.port ?? 0).catch(async (error: unknown) => {
    await conversations.close();
    throw error;
  });
  let closePromise: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => {
    closingController.abort();
    return (closePromise ??= close(httpServer, conversations));
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
