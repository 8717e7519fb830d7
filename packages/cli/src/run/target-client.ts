import { type Client, type ClientCertificate, createClient, type RunClock } from "@assay/client";
import { type HeaderField, type HttpVersion, httpVersions } from "@assay/evidence";
import { type Flag, choice, withDefault } from "../flag.ts";
import { tool } from "../version.ts";

/** `--http`: the HTTP version of requests to a target. */
export const httpFlag: Flag<HttpVersion> = withDefault(
  "1.1",
  choice("<VERSION>", httpVersions, "HTTP version; 2 needs https"),
);

/** How to reach a target. */
export interface TargetAccess {
  readonly target: {
    readonly url: string;
    readonly embedded: boolean;
    /** Sent if the target asks for one. */
    readonly clientCertificate?: ClientCertificate | undefined;
    /** HTTP version [1.1]. */
    readonly http?: HttpVersion | undefined;
  };
  readonly env: NodeJS.ProcessEnv;
  /** Sent with every request to a target that was not started for the run. */
  readonly extraHeaders: readonly HeaderField[];
}

/** Bodies are kept in memory until they are recorded. An endless response must not fill memory or disk. */
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
    clientCertificate: target.clientCertificate,
    http: target.http,
  });
