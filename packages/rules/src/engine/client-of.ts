import type { ExchangeRecord } from "@assay/evidence";

/** What the sender of a request is known by. */
interface Sent {
  readonly record: Pick<ExchangeRecord, "credential"> & {
    readonly request: Pick<ExchangeRecord["request"], "headers">;
  };
}

const headerOf = ({ record }: Sent, wanted: string): string | undefined =>
  record.request.headers.findLast(([name]) => name.toLowerCase() === wanted)?.[1];

/**
 * Who sent a request: the kind of its credential, and in recordings, where that is unknown, the value of its `Authorization` header,
 * or else of its cookies. Equal values are one client, different ones are not. `unknown` alone: the recording holds neither.
 */
export function clientOf(sent: Sent): string {
  const { credential } = sent.record;
  if (credential !== "unknown") {
    return credential;
  }
  const value = headerOf(sent, "authorization") ?? headerOf(sent, "cookie") ?? "";
  return value === "" ? "unknown" : `unknown ${value}`;
}

/** Whether the recording shows who sent a request. */
export const isNamedClient = (sent: Sent): boolean => clientOf(sent) !== "unknown";
