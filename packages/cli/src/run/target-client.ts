import { createHash } from "node:crypto";
import { type Client, createClient, type RunClock } from "@assay/client";
import type { CredentialKind, HeaderField } from "@assay/evidence";
import type { SendSearch } from "@assay/runner";
import { tool } from "../version.ts";
import type { RunTarget } from "./run-target.ts";

/** What reaches a target. */
export interface TargetAccess {
  readonly target: Pick<RunTarget, "url" | "embedded" | "tokens">;
  readonly env: NodeJS.ProcessEnv;
  /** Sent with every request to a target that was not started for the run. */
  readonly extraHeaders: readonly HeaderField[];
}

/** Bodies are kept in memory until they are recorded: what never ends must not fill it, nor the disk. */
const runByteLimits = { maxBytesAtOnce: 64 * 1024 * 1024, maxBytesInAll: 2 * 1024 * 1024 * 1024 } as const;

/** A client of the target. */
export const clientFor = ({ target, env, extraHeaders }: TargetAccess, clock: RunClock): Client =>
  createClient({
    baseUrl: target.url,
    clock,
    userAgent: `${tool.name}/${tool.version}`,
    limits: runByteLimits,
    // A server that was started for the run is reached without a proxy.
    env: target.embedded ? {} : env,
    extraHeaders: target.embedded ? [] : extraHeaders,
  });

/** The credential of ordinary requests. */
export const mainCredentialOf = ({ tokens }: Pick<RunTarget, "tokens">): CredentialKind =>
  tokens["access-token"] !== undefined ? "access-token" : tokens["oauth-token"] !== undefined ? "oauth-token" : "none";

/** A token that looks like one and was never issued; the same for the same seed. */
export const invalidToken = (seed: number): string =>
  `sgp_${createHash("sha1").update(`never issued ${seed}`).digest("hex")}`;

/** Most time one search may take. */
const maxSearchMs = 120_000;

/** How the last event of a stream is written, after which a short time is enough to see whether more comes. */
const doneEvent = Buffer.from("event: done\ndata: {}\n\n");

interface Searching {
  readonly client: Client;
  readonly tokens: RunTarget["tokens"];
  readonly seed: number;
  /** What is left of the time for everything. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
}

/** Sends searches one at a time; none gets more than its share of the time, and each at least a second. */
export function searchSender({ client, tokens: given, seed, leftMs, signal }: Searching): SendSearch {
  const tokens: RunTarget["tokens"] = { ...given, "invalid-token": invalidToken(seed) };
  return async ({ id, probe, credential }) => {
    const token = tokens[credential];
    const draft = await client.search({
      parameters: Object.entries(probe.parameters),
      credential,
      ...(token === undefined ? {} : { token }),
      // A target that keeps the connection open has said all it has to say.
      lingerAfter: doneEvent,
      totalTimeoutMs: Math.round(Math.min(maxSearchMs, Math.max(1000, leftMs()))),
      signal,
    });
    return { ...draft, id, probe: probe.id };
  };
}
