import type { ClientLimits } from "../limits.ts";

/** Bytes that the exchanges of one client share. */
export interface ByteBudget {
  /** How many bytes may still come. */
  readonly left: () => number;
  /** Why no more may come, a clause. */
  readonly why: () => string;
  take(bytes: number): void;
  /** What an exchange has taken is no longer in memory; it still counts among all bytes. */
  giveBack(bytes: number): void;
}

/** A budget for all exchanges of a client: for those on their way, and for all there ever are. */
export function createByteBudget({
  maxBytesAtOnce,
  maxBytesInAll,
}: Pick<ClientLimits, "maxBytesAtOnce" | "maxBytesInAll">): ByteBudget {
  let now = 0;
  let inAll = 0;
  return {
    left: () => Math.max(0, Math.min(maxBytesAtOnce - now, maxBytesInAll - inAll)),
    why: () =>
      inAll >= maxBytesInAll
        ? `all bodies together are larger than ${maxBytesInAll} bytes`
        : `the bodies that came at the same time are larger than ${maxBytesAtOnce} bytes`,
    take(bytes) {
      now += bytes;
      inAll += bytes;
    },
    giveBack(bytes) {
      now -= bytes;
    },
  };
}
