// What `import ... from "assay/server"` gives: the reference server, for the tests of a client.
import { parseFaultChoice, startServer as startReferenceServer } from "@assay/reference-server";
import type { FaultChoice, JournalEntry, RunningServer, ServerOptions } from "@assay/reference-server";
import { vocabularies } from "./serve/vocabularies.ts";
import { searchedRepositories } from "./searched-repositories.ts";

export type { FaultChoice, JournalEntry, RunningServer } from "@assay/reference-server";

/** How a server for tests behaves. */
export interface TestServerOptions extends Pick<
  ServerOptions,
  "access" | "host" | "latency" | "latencyFactor" | "port" | "seed" | "sharing" | "variations"
> {
  /** Folders inside the git work trees to search; without any the one around the working folder, else a small sample. */
  readonly repositories?: readonly string[];
  /**
   * Ways to misbehave, as `assay serve --fault` takes them (`assay list --faults` lists all): `"no-done"`,
   * `"one-burst:searches=9"`, or an id with its parameters. Each has the last word over those before it.
   */
  readonly faults?: readonly (string | FaultChoice)[];
  /**
   * Whose names and values are sent: those of the `document`, those that real instances use in the `field`, or those of the document
   * in a form that clients of real instances can read too [both].
   */
  readonly vocabulary?: "document" | "field" | "both";
}

/** A server for tests that runs. */
export interface TestServer extends Pick<
  RunningServer,
  "url" | "token" | "tokens" | "repositories" | "conversationCount" | "questionsInProgress" | "star"
> {
  /** The newest 10,000 requests, oldest first: what a client did, and which fault it met. */
  journal(): readonly JournalEntry[];
  /** Cuts open streams off and frees the port. May be called again. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a reference server on a free port of this machine and returns when it accepts requests. It searches real repositories of
 * git with ripgrep, answers questions from what it finds, and keeps the contract but for the faults that are asked for. Fails with
 * an `Error` of one sentence, such as for a fault that does not exist.
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { faults = [], repositories, vocabulary = "both", ...others } = options;
  const fault = faults.map((each) => (typeof each === "string" ? parseFaultChoice(each) : each));
  const searched = searchedRepositories(repositories, process.cwd());
  const server = await startReferenceServer({
    ...others,
    repos: searched.folders,
    vocabulary: vocabularies[vocabulary],
    fault,
  }).catch((error: unknown) => {
    searched.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await server.close();
    searched.close();
  };
  return { ...server, close, [Symbol.asyncDispose]: close };
}
