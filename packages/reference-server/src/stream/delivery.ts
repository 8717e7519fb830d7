import type { ContextLines } from "../ripgrep/context-lines.ts";
import { firstItems, itemCount, type SearchResult } from "../search/search-result.ts";
import { estimatedBytes, type WireOptions, wireMatch } from "./wire-match.ts";

export interface DeliveryOptions extends WireOptions {
  /** Number of results that are delivered; absent means all. */
  readonly display?: number;
  /** Lines around matches, which stay when a result is cut. */
  readonly context: ContextLines;
}

/** Matches on their way to the client. */
export interface Delivery {
  /** Puts a result into the queue, or as much of it as `display` still allows. */
  readonly add: (result: SearchResult) => void;
  /** About how many bytes of matches wait. */
  readonly waitingBytes: () => number;
  /** Empties the queue. */
  readonly takeWaiting: () => readonly object[];
}

/** An empty queue for one search. */
export const createDelivery = (options: DeliveryOptions): Delivery => {
  const { context, display } = options;
  let waiting: object[] = [];
  let waitingBytes = 0;
  let delivered = 0;
  return {
    add: (result) => {
      const shown = display === undefined ? result : firstItems(result, display - delivered, context.after);
      if (shown !== undefined) {
        delivered += itemCount(shown);
        waiting.push(wireMatch(shown, options));
        waitingBytes += estimatedBytes(shown);
      }
    },
    waitingBytes: () => waitingBytes,
    takeWaiting: () => {
      const taken = waiting;
      waiting = [];
      waitingBytes = 0;
      return taken;
    },
  };
};
