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

/** Our own deadlines; those of undici do not stop a drip of bytes or endless 1xx answers. Gives back how to clear them. */
export function startDeadlines({ limits, signal, hasHead, stop }: DeadlineOptions): () => void {
  const firstByte = setTimeout(() => {
    if (!hasHead()) {
      stop("first-byte-timeout", `no complete response head within ${limits.firstByteTimeoutMs} ms`);
    }
  }, limits.firstByteTimeoutMs);
  const total = setTimeout(() => {
    stop("total-timeout", `the exchange did not end within ${limits.totalTimeoutMs} ms`);
  }, limits.totalTimeoutMs);
  const onAbort = (): void => stop("aborted", "the exchange was cancelled");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) {
    onAbort();
  }
  return () => {
    clearTimeout(firstByte);
    clearTimeout(total);
    signal?.removeEventListener("abort", onAbort);
  };
}
