import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createRunClock } from "@assay/client";
import { isHarnessError } from "@assay/contract";
import { createBundleWriter, createRedactor } from "@assay/evidence";
import type { BundleWriter } from "@assay/evidence";
import { catalogueDigest, findProfile, openApiDigest } from "@assay/runner";
import { clientFor } from "../run/target-client.ts";
import { tool } from "../version.ts";
import type { LoadSession } from "./load-session.ts";

/** Name of their folder in that of the load run. */
export const unloadedFolder = "unloaded";

/** So many searches are sent before the load, and as many after it. */
const mostSearches = 6;
const fewestSearches = 3;
const timeoutMs = 15_000;

/** Searches of a load, sent one by one while there is none, to tell what breaks under it from what is broken. */
export interface UnloadedSearches {
  send(when: "before" | "after"): Promise<void>;
  /** Ends the recording; may be called again. */
  close(): Promise<void>;
}

const nothing: UnloadedSearches = { send: () => Promise.resolve(), close: () => Promise.resolve() };

const openWriter = ({ targets, folder, runId, options }: LoadSession): Promise<BundleWriter> => {
  const { a, secrets, extraHeaders } = targets;
  const { rules } = findProfile("smoke");
  return createBundleWriter({
    directory: join(folder, unloadedFolder),
    redactor: createRedactor({
      secrets,
      secretHeaderNames: extraHeaders.map(([name]) => name),
      key: randomBytes(32),
    }),
    manifest: {
      schemaVersion: 1,
      runId: `${runId}-unloaded`,
      tool,
      startedAt: new Date().toISOString(),
      target: { url: a.url, access: "undeclared", sharing: "undeclared", embedded: a.embedded },
      profile: "smoke",
      seed: options.seed,
      rules: rules.filter((rule) => rule.startsWith("stream/")),
      strict: false,
      proof: false,
      digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    },
  });
};

/** What a scenario asks of a search besides its query. */
function parametersOf(text: string, { chosen }: Pick<LoadSession, "chosen">) {
  const isExhaustive = chosen.like === "search-exhaustive";
  const q = isExhaustive && !/(?:^|\s)count:/u.test(text) ? `${text} count:all` : text;
  return { q, v: "V3", ...(isExhaustive ? { cm: "true", cl: "10" } : {}) };
}

/** Makes them ready: the same queries as the load's, to its first target. Nothing is sent where the load does not search. */
export async function openUnloadedSearches(session: LoadSession): Promise<UnloadedSearches> {
  const { plan, targets, context, options } = session;
  const queries = plan.queries.slice(0, mostSearches);
  if (queries.length === 0 || !options.canary || options.keepMb === 0) {
    return nothing;
  }
  const { a, extraHeaders } = targets;
  const client = clientFor({ target: a, extraHeaders, env: context.env }, createRunClock());
  const writer = await openWriter(session);
  const credential =
    a.token === undefined
      ? ({ credential: "none" } as const)
      : ({ credential: "access-token", token: a.token } as const);
  const searches = Array.from(
    { length: Math.max(fewestSearches, queries.length) },
    (_, index) => queries[index % queries.length],
  );
  let closing: Promise<void> | undefined;
  return {
    // A disk that is full leaves it open what breaks under load only, and keeps nobody from the load.
    send: (when) => sendAll(when).catch(unlessOfDisk),
    close: () => (closing ??= writer.close({ ended: "complete" }).then(() => undefined, unlessOfDisk)),
  };
  async function sendAll(when: "before" | "after"): Promise<void> {
    for (const [index, query] of searches.entries()) {
      if (query !== undefined && !context.signal.aborted) {
        const { signal } = context;
        const parameters = parametersOf(query.text, session);
        const draft = await client.search({ parameters, ...credential, totalTimeoutMs: timeoutMs, signal });
        await writer.writeExchange({ ...draft, id: `${when}-${index + 1}`, probe: "load" });
      }
    }
  }
}

function unlessOfDisk(error: unknown): void {
  if (!isHarnessError(error)) {
    throw error;
  }
}
