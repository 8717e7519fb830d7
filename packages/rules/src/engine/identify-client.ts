import type { ExchangeRecord } from "@assay/evidence";
import { headerOf } from "./header-of.ts";

/** The parts of an exchange that identify its client. */
interface SentRequest {
  readonly record: Pick<ExchangeRecord, "credential"> & {
    readonly request: Pick<ExchangeRecord["request"], "headers">;
  };
}

/**
 * Identifies the client of a request by the kind of its credential. In recordings, where the credential is unknown, the
 * value of the `Authorization` header is used, or otherwise the cookies: equal values mean the same client. Returns
 * `unknown` if the recording contains neither.
 */
export function identifyClient(exchange: SentRequest): string {
  const { credential, request } = exchange.record;
  if (credential !== "unknown") {
    return credential;
  }
  const value = headerOf(request.headers, "authorization") ?? headerOf(request.headers, "cookie") ?? "";
  return value === "" ? "unknown" : `unknown ${value}`;
}

/** Reports whether the recording identifies the client of a request. */
export const hasKnownClient = (sent: SentRequest): boolean => identifyClient(sent) !== "unknown";
