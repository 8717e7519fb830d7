/** A signal that fires when the client disconnects or the time is up. */
export interface SearchDeadline {
  readonly signal: AbortSignal;
  /** Reports whether the time is up. */
  isExpired(): boolean;
  /** Call it at the end of the search. */
  clear(): void;
}

export const startDeadline = (clientSignal: AbortSignal, timeoutMs: number): SearchDeadline => {
  const controller = new AbortController();
  let expired = false;
  const abortSearch = (): void => controller.abort();
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, timeoutMs);
  if (clientSignal.aborted) {
    controller.abort();
  }
  clientSignal.addEventListener("abort", abortSearch, { once: true });
  return {
    signal: controller.signal,
    isExpired: () => expired,
    clear: () => {
      clearTimeout(timer);
      clientSignal.removeEventListener("abort", abortSearch);
    },
  };
};
