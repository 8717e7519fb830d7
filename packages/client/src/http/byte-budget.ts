import type { ClientLimits } from "../limits.ts";

/** The byte budget that all exchanges of a client share. */
export interface ByteBudget {
  /** The number of bytes that may still arrive. */
  readonly remainingBytes: () => number;
  /** Returns the reason why no more bytes may arrive, as a clause. */
  readonly describeExhaustion: () => string;
  consume(bytes: number): void;
  /** Releases the memory of an exchange. Its bytes remain part of the total. */
  release(bytes: number): void;
}

/** Creates a budget for all exchanges of a client: for those in flight, and in total. */
export function createByteBudget({
  maxBytesInFlight,
  maxTotalBytes,
}: Pick<ClientLimits, "maxBytesInFlight" | "maxTotalBytes">): ByteBudget {
  let bytesInFlight = 0;
  let totalBytes = 0;
  return {
    remainingBytes: () => Math.max(0, Math.min(maxBytesInFlight - bytesInFlight, maxTotalBytes - totalBytes)),
    describeExhaustion: () =>
      totalBytes >= maxTotalBytes
        ? `all bodies exceed ${maxTotalBytes} bytes in total`
        : `the bodies in flight exceed ${maxBytesInFlight} bytes in total`,
    consume(bytes) {
      bytesInFlight += bytes;
      totalBytes += bytes;
    },
    release(bytes) {
      bytesInFlight -= bytes;
    },
  };
}
