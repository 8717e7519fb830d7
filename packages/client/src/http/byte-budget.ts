import type { ClientLimits } from "../limits.ts";

/** The byte budget that all exchanges of a client share. */
export interface ByteBudget {
  /** The number of bytes that may still arrive. */
  readonly left: () => number;
  /** Returns the reason why no more bytes may arrive, as a clause. */
  readonly reason: () => string;
  take(bytes: number): void;
  /** Releases the memory of an exchange. Its bytes remain part of the total. */
  release(bytes: number): void;
}

/** Creates a budget for all exchanges of a client: for those in flight, and in total. */
export function createByteBudget({
  maxBytesAtOnce,
  maxBytesInAll,
}: Pick<ClientLimits, "maxBytesAtOnce" | "maxBytesInAll">): ByteBudget {
  let inFlight = 0;
  let inAll = 0;
  return {
    left: () => Math.max(0, Math.min(maxBytesAtOnce - inFlight, maxBytesInAll - inAll)),
    reason: () =>
      inAll >= maxBytesInAll
        ? `all bodies exceed ${maxBytesInAll} bytes in total`
        : `the bodies in flight exceed ${maxBytesAtOnce} bytes in total`,
    take(bytes) {
      inFlight += bytes;
      inAll += bytes;
    },
    release(bytes) {
      inFlight -= bytes;
    },
  };
}
