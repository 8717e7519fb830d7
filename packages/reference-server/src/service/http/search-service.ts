import type { AccessMode } from "../access.ts";
import type { Vocabulary } from "../conversation/api/timestamp.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LatencySettings } from "../latency.ts";
import type { ServerPorts } from "../ports.ts";
import type { Repository } from "../repositories/repository.ts";
import type { ProcessPool } from "../ripgrep/process-pool.ts";
import type { IssuedTokens } from "../tokens.ts";

/** State shared by all requests to one server. */
export interface SearchService extends LatencySettings {
  readonly repositories: readonly Repository[];
  readonly tokens: IssuedTokens;
  readonly access: AccessMode;
  readonly vocabulary: Vocabulary;
  readonly seed: number | undefined;
  /** Hooks that faults and variations can override. */
  readonly ports: ServerPorts;
  readonly pool: ProcessPool;
  readonly journal: Journal;
  /** Fires when the server closes. */
  readonly closingSignal: AbortSignal;
}
