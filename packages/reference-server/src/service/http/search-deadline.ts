/** A signal that fires when the client leaves or the time is up, whichever comes first. */
export interface SearchDeadline {
  readonly signal: AbortSignal;
  /** Whether it was the time. */
  expired(): boolean;
  /** To be called when the search is over. */
  clear(): void;
}

/** Starts the time of one search. */
export const startDeadline = (clientSignal: AbortSignal, timeoutMs: number): SearchDeadline => {
  const controller = new AbortController();
  let expired = false;
  const clientLeft = (): void => controller.abort();
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, timeoutMs);
  if (clientSignal.aborted) {
    controller.abort();
  }
  clientSignal.addEventListener("abort", clientLeft, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    clear: () => {
      clearTimeout(timer);
      clientSignal.removeEventListener("abort", clientLeft);
    },
  };
};
