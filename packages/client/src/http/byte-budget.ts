import type { ClientLimits } from "../limits.ts";

/** Bytes that all exchanges of a client share. */
export interface ByteBudget {
  /** Bytes that may still arrive. */
  readonly left: () => number;
  /** Why no more bytes may arrive, a clause. */
  readonly reason: () => string;
  take(bytes: number): void;
  /** Releases the memory of an exchange. Its bytes still count towards the total. */
  release(bytes: number): void;
}

/** A budget for all exchanges of a client: for those in flight, and for all together. */
export function createByteBudget({
  maxBytesAtOnce,
  maxBytesInAll,
}: Pick<ClientLimits, "maxBytesAtOnce" | "maxBytesInAll">): ByteBudget {
  let now = 0;
  let inAll = 0;
  return {
    left: () => Math.max(0, Math.min(maxBytesAtOnce - now, maxBytesInAll - inAll)),
    reason: () =>
      inAll >= maxBytesInAll
        ? `all bodies together are larger than ${maxBytesInAll} bytes`
        : `the bodies in flight are together larger than ${maxBytesAtOnce} bytes`,
    take(bytes) {
      now += bytes;
      inAll += bytes;
    },
    release(bytes) {
      now -= bytes;
    },
  };
}
