import type { AccessMode } from "./service/access.ts";
import type { Vocabulary } from "./service/conversation/api/timestamp.ts";
import type { Clock } from "./service/conversation/clock.ts";
import type { FaultChoice, FaultId } from "./faults/fault-registry.ts";
import type { JournalEntry } from "./journal/journal.ts";
import type { LatencyName } from "./service/latency.ts";
import type { OutputCache } from "./service/ripgrep/output-cache.ts";
import type { IssuedTokens } from "./service/tokens.ts";

export interface ServerOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on, or 0 for a free port. Default: 0. */
  readonly port?: number;
  /** Folders inside the git work trees to search. At least one. */
  readonly repos: readonly string[];
  /** One or more faults, applied in order. */
  readonly fault?: FaultId | FaultChoice | readonly (FaultId | FaultChoice)[];
  /**
   * A whole number. Makes tokens, delays and the division into events reproducible: the same search of the same repositories returns the
   * same bytes, except for `durationMs`.
   */
  readonly seed?: number;
  /** Simulated latency. Default: `instant`. */
  readonly latency?: LatencyName;
  /**
   * Factor for delays of the latency and of answering questions, above 0 and at most 100. 1.2 is 20% slower. Default:
   * 1.
   */
  readonly latencyFactor?: number;
  /**
   * Whether a search needs a token. Conversations always do. Defaults to the mode in which the fault has an effect, otherwise to
   * `private`.
   */
  readonly access?: AccessMode;
  /**
   * `field`, the default, sends filter kinds, skipped reasons, diffs (as matches of type `commit`) and the text of chunks (as `content`)
   * like real instances. `observed` uses only values that the specification lists: diffs have their own type `diff`, and the text of a
   * chunk is `context`. Current conversations use lowerCamelCase and content blocks in `field`, snake_case and plain text in `observed`.
   * `both` is `observed` with additions for clients of either: chunks have both members, and a diff is a match of type `commit`.
   */
  readonly vocabulary?: Vocabulary;
  /**
   * Varies each stream at random within the specification: order, chunking, added and optional members, new values, forms of events and
   * JSON. No rule fails on variations. With a seed, the nth response to the same URL is reproducible. Without a seed no response is. Faults
   * are applied after variations.
   */
  readonly variations?: boolean;
  /** Whether users can read other users' conversations with a read token. Default: true. */
  readonly sharing?: boolean;
  /** Database file for conversations, created if absent. Default: in memory. */
  readonly database?: string;
  /**
   * Caches outputs of searches and of git. Use it only if the repositories do not change. Several servers may share it. By default every
   * start and every search reads the files.
   */
  readonly outputs?: OutputCache;
  /** Clock of conversations. Default: the system clock. */
  readonly clock?: Clock;
}

export interface RunningServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** The access token, equal to `tokens.access`. */
  readonly token: string;
  /**
   * All tokens by kind. One user owns `access` and `oauth` (all scopes), `read` (can only read current conversations) and `noScope` (can
   * only use the legacy interface). `other`, `quota` and `entitlement` each belong to a separate user.
   */
  readonly tokens: Readonly<Record<string, string>> & IssuedTokens;
  readonly access: AccessMode;
  readonly sharing: boolean;
  /** Names of the searched repositories. */
  readonly repositories: readonly string[];
  /** Returns the newest 10,000 requests, oldest first. */
  journal(): readonly JournalEntry[];
  /** Returns the process ids of all running searches, including those for questions. */
  searchProcesses(): readonly number[];
  /** Returns the number of conversations. */
  conversationCount(): number;
  /** Returns the number of questions in progress. */
  questionsInProgress(): number;
  /** Stars or unstars a conversation, which the API cannot do. Returns false if the conversation does not exist. */
  star(conversationId: number, starred?: boolean): boolean;
  /** Cuts open streams, stops searches and questions, and frees the port. May be called repeatedly. */
  close(): Promise<void>;
}
