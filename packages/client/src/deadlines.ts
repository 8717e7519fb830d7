import type { FailureCode } from "@assay/evidence";
import type { ClientLimits } from "./limits.ts";

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

/** Our own deadlines; those of undici do not stop a drip of bytes or endless 1xx answers. Gives back how to clear them. What
 * has arrived when a deadline is over is read first: a process that was busy meanwhile has not seen it yet. */
export function startDeadlines({ limits, signal, hasHead, stop }: DeadlineOptions): () => void {
  let afterFirstByte: NodeJS.Immediate | undefined;
  let afterTotal: NodeJS.Immediate | undefined;
  const firstByte = setTimeout(() => {
    afterFirstByte = setImmediate(() => {
      if (!hasHead()) {
        stop("first-byte-timeout", `no complete response head within ${limits.firstByteTimeoutMs} ms`);
      }
    });
  }, limits.firstByteTimeoutMs);
  const total = setTimeout(() => {
    afterTotal = setImmediate(() => {
      stop("total-timeout", `the exchange did not end within ${limits.totalTimeoutMs} ms`);
    });
  }, limits.totalTimeoutMs);
  const onAbort = (): void => stop("aborted", "the exchange was cancelled");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) {
    onAbort();
  }
  return () => {
    clearTimeout(firstByte);
    clearTimeout(total);
    clearImmediate(afterFirstByte);
    clearImmediate(afterTotal);
    signal?.removeEventListener("abort", onAbort);
  };
}
