import type { ExchangeRecord } from "@assay/evidence";
import { headerOf } from "./header-of.ts";

/** What the sender of a request is known by. */
interface Sent {
  readonly record: Pick<ExchangeRecord, "credential"> & {
    readonly request: Pick<ExchangeRecord["request"], "headers">;
  };
}

/**
 * Who sent a request: the kind of its credential, and in recordings, where that is unknown, the value of its `Authorization` header,
 * or else of its cookies. Equal values are one client, different ones are not. `unknown` alone: the recording holds neither.
 */
export function clientOf(sent: Sent): string {
  const { credential, request } = sent.record;
  if (credential !== "unknown") {
    return credential;
  }
  const value = headerOf(request.headers, "authorization") ?? headerOf(request.headers, "cookie") ?? "";
  return value === "" ? "unknown" : `unknown ${value}`;
}

/** Whether the recording shows who sent a request. */
export const isNamedClient = (sent: Sent): boolean => clientOf(sent) !== "unknown";
