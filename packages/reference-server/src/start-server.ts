import { availableParallelism } from "node:os";
import { searchPath } from "@assay/contract";
import fastify, { type FastifyInstance } from "fastify";
import { chooseFault } from "./faults/fault-registry.ts";
import { answerSearch } from "./http/answer-search.ts";
import type { SearchService } from "./http/search-service.ts";
import { createJournal } from "./journal.ts";
import { checkedLatency } from "./latency.ts";
import { openRepositories } from "./repositories/open-repository.ts";
import { createProcessPool } from "./ripgrep/process-pool.ts";
import type { RunningServer, ServerOptions } from "./server-options.ts";
import { ServerStartError } from "./server-start-error.ts";
import { issueTokens } from "./tokens.ts";
import { createVariationSource } from "./variations/variation-source.ts";

const processesPerCore = 4;

const checkedSeed = (seed: number | undefined): number | undefined => {
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new ServerStartError("invalid-seed", `the seed ${seed} is not a whole number; give one such as 42.`);
  }
  return seed;
};

const countUp = (): (() => number) => {
  let next = 0;
  return () => next++;
};

const createService = async (options: ServerOptions, closing: AbortSignal): Promise<SearchService> => {
  const active = options.fault === undefined ? undefined : chooseFault(options.fault);
  const seed = checkedSeed(options.seed);
  return {
    latency: checkedLatency(options.latency ?? "instant"),
    repositories: await openRepositories(options.repos),
    tokens: issueTokens(seed),
    access: options.access ?? active?.fault.access ?? "private",
    vocabulary: options.vocabulary ?? "field",
    seed,
    active,
    variationFor: options.variations === true ? createVariationSource(seed) : undefined,
    ticket: countUp(),
    pool: createProcessPool(availableParallelism() * processesPerCore),
    journal: createJournal(),
    closing,
  };
};

const createApp = (service: SearchService, answering: Set<Promise<void>>): FastifyInstance => {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack();
      reply.raw.writeHead(400, { "content-type": "text/plain; charset=utf-8" }).end("bad request\n");
    },
  });
  // Before any body is read: nothing but GET on the one path has an answer of its own.
  app.addHook("onRequest", async (request, reply) => {
    const isSearch = request.url.split("?", 1)[0] === searchPath;
    if (isSearch && request.method === "GET") {
      return;
    }
    reply.type("text/plain; charset=utf-8").code(isSearch ? 405 : 404);
    if (isSearch) {
      reply.header("allow", "GET");
    }
    await reply.send(isSearch ? "method not allowed\n" : "404 page not found\n");
  });
  app.get(searchPath, (request, reply) => {
    reply.hijack();
    const answered = answerSearch(service, request.raw, reply.raw).catch(() => reply.raw.destroy());
    const finished = answered.then(() => void answering.delete(finished));
    answering.add(finished);
  });
  return app;
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown reason";

const listen = async (app: FastifyInstance, host: string, port: number): Promise<string> => {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    if (codeOf(error) === "EADDRINUSE") {
      throw new ServerStartError(
        "port-in-use",
        `port ${port} on ${host} is already in use by another program; choose another port, or 0 for a free one.`,
        { cause: error },
      );
    }
    throw new ServerStartError(
      "cannot-listen",
      `the server cannot listen on ${host}, port ${port} (${codeOf(error)}); choose an address of this machine and a free port.`,
      { cause: error },
    );
  }
};

/**
 * Starts the reference server and returns when it accepts requests. Reads names, commits and lists of tracked files of the
 * repositories once, at the start; contents are read at each search. Fails with ServerStartError.
 */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const closing = new AbortController();
  const service = await createService(options, closing.signal);
  const answering = new Set<Promise<void>>();
  const app = createApp(service, answering);
  const url = await listen(app, options.host ?? "127.0.0.1", options.port ?? 0);
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort();
    await app.close();
    await Promise.all(answering);
  };
  return {
    url,
    token: service.tokens.access,
    tokens: { ...service.tokens },
    access: service.access,
    repositories: service.repositories.map(({ name }) => name),
    journal: () => service.journal.entries(),
    searchProcesses: () => service.pool.pids(),
    close: () => (closed ??= close()),
  };
};
