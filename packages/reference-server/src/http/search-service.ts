import type { AccessMode } from "../access.ts";
import type { ActiveFault } from "../faults/fault-registry.ts";
import type { Journal } from "../journal.ts";
import type { Slowness } from "../latency.ts";
import type { Repository } from "../repositories/repository.ts";
import type { ProcessPool } from "../ripgrep/process-pool.ts";
import type { IssuedTokens } from "../tokens.ts";
import type { VariationRandoms } from "../variations/varied-stream.ts";

/** What all requests to one server share. */
export interface SearchService extends Slowness {
  readonly repositories: readonly Repository[];
  readonly tokens: IssuedTokens;
  readonly access: AccessMode;
  readonly vocabulary: "field" | "observed";
  readonly seed: number | undefined;
  readonly active: ActiveFault | undefined;
  /** Sources of random numbers for the next answer to a URL, when streams are to be varied. */
  readonly variationFor: ((url: string) => VariationRandoms) | undefined;
  /** The next number, from 0: counts whatever a fault wants to count over all requests. */
  readonly ticket: () => number;
  readonly pool: ProcessPool;
  readonly journal: Journal;
  /** Fires when the server closes. */
  readonly closing: AbortSignal;
}
