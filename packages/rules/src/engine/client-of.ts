import type { ExchangeRecord } from "@assay/evidence";
import { headerOf } from "./header-of.ts";

/** The parts of an exchange that identify its sender. */
interface Sent {
  readonly record: Pick<ExchangeRecord, "credential"> & {
    readonly request: Pick<ExchangeRecord["request"], "headers">;
  };
}

/**
 * The sender of a request: the kind of its credential. In recordings, where that is unknown, the value of its
 * `Authorization` header, or else of its cookies: equal values are one client. `unknown` alone if the recording has
 * neither.
 */
export function clientOf(sent: Sent): string {
  const { credential, request } = sent.record;
  if (credential !== "unknown") {
    return credential;
  }
  const value = headerOf(request.headers, "authorization") ?? headerOf(request.headers, "cookie") ?? "";
  return value === "" ? "unknown" : `unknown ${value}`;
}

/** Reports whether the recording identifies the sender of a request. */
export const isNamedClient = (sent: Sent): boolean => clientOf(sent) !== "unknown";
