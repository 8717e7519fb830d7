import { type Client, type ClientCertificate, createClient, type RunClock } from "@assay/client";
import { type HeaderField, type HttpVersion, httpVersions } from "@assay/evidence";
import { type Flag, choice, withDefault } from "../flag.ts";
import { tool } from "../version.ts";

/** `--http`: the HTTP version of requests to a target. */
export const httpFlag: Flag<HttpVersion> = withDefault(
  "1.1",
  choice("<VERSION>", httpVersions, "HTTP version; 2 needs https"),
);

/** What reaches a target. */
export interface TargetAccess {
  readonly target: {
    readonly url: string;
    readonly embedded: boolean;
    /** Given to it where it asks for one. */
    readonly clientCertificate?: ClientCertificate | undefined;
    /** What is spoken with it [1.1]. */
    readonly http?: HttpVersion | undefined;
  };
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
    clientCertificate: target.clientCertificate,
    http: target.http,
  });
