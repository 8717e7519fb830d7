import type { FailureCode } from "@assay/evidence";
import type { ClientLimits } from "../limits.ts";

/** Ends an exchange for a reason of ours. */
export type Stop = (code: FailureCode, clause: string) => void;

export interface DeadlineOptions {
  readonly limits: ClientLimits;
  /** Ends the exchange with the code `aborted`. */
  readonly signal: AbortSignal | undefined;
  /** Whether the complete head of the response has arrived. */
  readonly hasHead: () => boolean;
  readonly stop: Stop;
}

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(ms < 1000 ? 3 : 1))} s`;

/** Acts when a time is over and what has arrived by then was read; gives back how to call it off. */
export function after(ms: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // Timers come before sockets: a process that was busy meanwhile has not seen what is there.
    immediate = setImmediate(act);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Our own deadlines; those of undici do not stop a drip of bytes or endless 1xx answers. Gives back how to clear them. */
export function startDeadlines({ limits, signal, hasHead, stop }: DeadlineOptions): () => void {
  const clearFirstByte = after(limits.firstByteTimeoutMs, () => {
    if (!hasHead()) {
      stop("first-byte-timeout", `no response within ${seconds(limits.firstByteTimeoutMs)}`);
    }
  });
  const clearTotal = after(limits.totalTimeoutMs, () => {
    const what = hasHead() ? "the response did not end" : "no response";
    stop("total-timeout", `${what} within ${seconds(limits.totalTimeoutMs)}`);
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
