import type { FailureCode } from "@assay/evidence";
import type { ClientLimits } from "../limits.ts";

/** Ends an exchange for a reason on the client's side. */
export type Stop = (code: FailureCode, clause: string) => void;

export interface DeadlineOptions {
  readonly limits: ClientLimits;
  /** Aborting ends the exchange with the code `aborted`. */
  readonly signal: AbortSignal | undefined;
  /** Reports whether the head of the response is complete. */
  readonly hasHead: () => boolean;
  readonly stop: Stop;
}

const formatSeconds = (ms: number): string => `${Number((ms / 1000).toFixed(ms < 1000 ? 3 : 1))} s`;

/** Calls `action` after a time, once everything that has arrived by then was read. Returns a function that cancels it. */
export function runAfter(ms: number, action: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // Timers fire before sockets are read, so a busy process may not have read everything that arrived.
    immediate = setImmediate(action);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Starts Assay's own deadlines, because undici's do not stop slow bytes or endless 1xx responses. Returns a function that clears them. */
export function startDeadlines({ limits, signal, hasHead, stop }: DeadlineOptions): () => void {
  const clearFirstByte = runAfter(limits.firstByteTimeoutMs, () => {
    if (!hasHead()) {
      stop("first-byte-timeout", `no response within ${formatSeconds(limits.firstByteTimeoutMs)}`);
    }
  });
  const clearTotal = runAfter(limits.totalTimeoutMs, () => {
    const subject = hasHead() ? "the response did not end" : "no response";
    stop("total-timeout", `${subject} within ${formatSeconds(limits.totalTimeoutMs)}`);
  });
  const onAbort = (): void => stop("aborted", "the exchange was cancelled");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) {
    onAbort();
  }
  return () => {
    clearFirstByte();
    clearTotal();
    signal?.removeEventListener("abort", onAbort);
  };
}
