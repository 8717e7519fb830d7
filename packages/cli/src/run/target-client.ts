import { type Client, type ClientCertificate, createClient, type RunClock } from "@assay/client";
import { type HeaderField, type HttpVersion, httpVersions } from "@assay/evidence";
import { type Flag, choiceFlag, withDefault } from "../flag.ts";
import { tool } from "../version.ts";

/** `--http`: the HTTP version of requests to a target. */
export const httpFlag: Flag<HttpVersion> = withDefault(
  "1.1",
  choiceFlag("<VERSION>", httpVersions, "HTTP version; 2 requires https"),
);

/** Connection settings of a target. */
export interface TargetAccess {
  readonly target: {
    readonly url: string;
    readonly embedded: boolean;
    /** Sent if the target requests one. */
    readonly clientCertificate?: ClientCertificate | undefined;
    /** Default: 1.1. */
    readonly http?: HttpVersion | undefined;
  };
  readonly env: NodeJS.ProcessEnv;
  /** Sent with every request to a target that was not started for the run. */
  readonly extraHeaders: readonly HeaderField[];
}

/** Bodies are kept in memory until they are recorded, so an endless response must not fill memory or disk. */
const runByteLimits = { maxBytesInFlight: 64 * 1024 * 1024, maxTotalBytes: 2 * 1024 * 1024 * 1024 } as const;

/** Creates a client for the target. */
export const createTargetClient = ({ target, env, extraHeaders }: TargetAccess, clock: RunClock): Client =>
  createClient({
    baseUrl: target.url,
    clock,
    userAgent: `${tool.name}/${tool.version}`,
    limits: runByteLimits,
    // Requests to a server that was started for the run use no proxy.
    env: target.embedded ? {} : env,
    extraHeaders: target.embedded ? [] : extraHeaders,
    clientCertificate: target.clientCertificate,
    http: target.http,
  });
