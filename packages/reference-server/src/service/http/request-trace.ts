import type { IncomingMessage } from "node:http";
import { randomBytes } from "node:crypto";
import { seededHexDigits } from "../seeded-random.ts";

/** The trace of a request. */
export interface RequestTrace {
  /** 32 hex digits; value of the response header `x-trace`. */
  readonly id: string;
  /** Value of the field `trace` of progress events. */
  readonly url: string;
}

const trueValues = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const idDigits = 32;

/** Returns the scheme, address and port of the connection. Does not use the client's `Host` header. */
export const connectionOrigin = ({ socket }: IncomingMessage): string => {
  const { localAddress = "127.0.0.1", localPort = 0 } = socket;
  return `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
};

const isTraceRequested = (request: IncomingMessage, queryParameters: URLSearchParams): boolean =>
  (queryParameters.get("trace") ?? "") !== "" || trueValues.has(String(request.headers["x-sourcegraph-should-trace"]));

/**
 * Creates the trace of a request with the parameter `trace`, or with a true `X-Sourcegraph-Should-Trace` header. Equal requests to
 * servers with the same seed have the same id. The URL does not exist. Source: search-stream, section 2.2.
 */
export const createTrace = (
  request: IncomingMessage,
  queryParameters: URLSearchParams,
  seed: number | undefined,
): RequestTrace | undefined => {
  if (!isTraceRequested(request, queryParameters)) {
    return undefined;
  }
  const id =
    seed === undefined
      ? randomBytes(idDigits / 2).toString("hex")
      : seededHexDigits(seed, { label: `trace/${request.url ?? ""}`, digits: idDigits });
  return { id, url: `${connectionOrigin(request)}/-/debug/jaeger/trace/${id}` };
};
