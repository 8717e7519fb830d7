// The module `assay/server`: the reference server, for the tests of a client.
import { parseFaultChoice, startServer as startReferenceServer } from "@assay/reference-server";
import type { FaultChoice, JournalEntry, RunningServer, ServerOptions } from "@assay/reference-server";
import { vocabularies } from "./serve/vocabularies.ts";
import { openSearchedRepositories } from "./searched-repositories.ts";

export type { FaultChoice, JournalEntry, RunningServer } from "@assay/reference-server";

/** Settings of a server for tests. */
export interface TestServerOptions extends Pick<
  ServerOptions,
  "access" | "host" | "latency" | "latencyFactor" | "port" | "seed" | "sharing" | "variations"
> {
  /** Folders in the git work trees to search. Default: the work tree of the working folder, otherwise a small sample. */
  readonly repositories?: readonly string[];
  /**
   * Faults, written as for `assay serve --fault` (`assay list --faults` lists all): `"no-done"`, `"one-burst:searches=9"`, or an id with its
   * parameters. Each overrides the faults before it.
   */
  readonly faults?: readonly (string | FaultChoice)[];
  /**
   * Names and values in the responses: as specified (`document`), as sent by real instances (`field`), or as specified in a form that
   * clients of real instances can read too (`both`, the default).
   */
  readonly vocabulary?: "document" | "field" | "both";
}

/** A running server for tests. */
export interface TestServer extends Pick<
  RunningServer,
  "url" | "token" | "tokens" | "repositories" | "conversationCount" | "questionsInProgress" | "star"
> {
  /** The newest 10,000 requests, oldest first, each with the fault applied to it. */
  journal(): readonly JournalEntry[];
  /** Aborts open streams and frees the port. May be called more than once. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a reference server on a free port of this machine and resolves when it accepts requests. It searches real git repositories with
 * ripgrep, answers questions from the matches, and follows the contract except for the selected faults. Rejects with an `Error` that has a
 * one-sentence message, for example for an unknown fault.
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { faults = [], repositories, vocabulary = "both", ...serverOptions } = options;
  const fault = faults.map((choice) => (typeof choice === "string" ? parseFaultChoice(choice) : choice));
  const searchedRepositories = openSearchedRepositories(repositories, process.cwd());
  const server = await startReferenceServer({
    ...serverOptions,
    repos: searchedRepositories.folders,
    vocabulary: vocabularies[vocabulary],
    fault,
  }).catch((error: unknown) => {
    searchedRepositories.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await server.close();
    searchedRepositories.close();
  };
  return { ...server, close, [Symbol.asyncDispose]: close };
}
