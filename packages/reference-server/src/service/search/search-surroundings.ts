import type { ProcessPool } from "../ripgrep/process-pool.ts";

/** What every step of one search shares. */
export interface SearchSurroundings {
  readonly pool: ProcessPool;
  /** Fires when the client has left or the time is up. */
  readonly signal: AbortSignal;
}
