import type { ProcessPool } from "../ripgrep/process-pool.ts";

/** State shared by all steps of one search. */
export interface SearchContext {
  readonly pool: ProcessPool;
  /** Fires when the client disconnects or the time is up. */
  readonly signal: AbortSignal;
}
