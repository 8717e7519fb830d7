import type { AccessMode } from "./service/access.ts";
import type { Vocabulary } from "./service/conversation/api/timestamp.ts";
import type { Clock } from "./service/conversation/clock.ts";
import type { FaultChoice, FaultId } from "./faults/fault-registry.ts";
import type { JournalEntry } from "./journal/journal.ts";
import type { LatencyName } from "./service/latency.ts";
import type { OutputMemory } from "./service/ripgrep/output-memory.ts";
import type { IssuedTokens } from "./service/tokens.ts";

export interface ServerOptions {
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Port to listen on; 0, the default, takes a free one. */
  readonly port?: number;
  /** Folders inside the git work trees to search; at least one. */
  readonly repos: readonly string[];
  /** One fault or several; each is applied after those before it. */
  readonly fault?: FaultId | FaultChoice | readonly (FaultId | FaultChoice)[];
  /**
   * Makes tokens, delays and the cutting into events repeatable: the same search of the same repositories returns the same bytes,
   * apart from `durationMs`. A whole number.
   */
  readonly seed?: number;
  /** How slow the server pretends to be; `instant` by default. */
  readonly latency?: LatencyName;
  /** Multiplies every delay of the latency and of answering questions; 1.2 is 20 % slower. Above 0, at most 100; 1 by default. */
  readonly latencyFactor?: number;
  /**
   * Whether a search needs a token (conversations always do). Defaults to the mode in which the fault shows, otherwise to
   * `private`.
   */
  readonly access?: AccessMode;
  /**
   * `field`, the default, sends filter kinds, skipped reasons, diffs (as matches of type `commit`) and the text of chunks (as
   * `content`) as real instances do. `observed` uses only values that the specification lists: diffs have their own type `diff`,
   * and the text of a chunk is `context`. Current conversations use lowerCamelCase and content blocks in `field`, snake_case and
   * plain text in `observed`. `both` is `observed` with additions for clients of either: chunks have both members, and a diff is a
   * match of type `commit`.
   */
  readonly vocabulary?: Vocabulary;
  /**
   * Varies each stream at random within the specification: order, cutting, added and optional members, new values, forms of events
   * and JSON. No rule fails on it. With a seed the first, second and every further answer to the same URL repeats; without one
   * nothing repeats. Faults are applied after variations.
   */
  readonly variations?: boolean;
  /** Whether a read token opens conversations of other users; true by default. */
  readonly sharing?: boolean;
  /** Database file for conversations, created if absent. By default conversations live in memory and end with the server. */
  readonly database?: string;
  /**
   * Caches outputs of searches and of git. Use it only while the repositories do not change; several servers may share it. By
   * default every start and every search reads the files.
   */
  readonly outputs?: OutputMemory;
  /** Clock of conversations; the system clock by default. */
  readonly clock?: Clock;
}

export interface RunningServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** The access token; the same as `tokens.access`. */
  readonly token: string;
  /**
   * Every token by kind. One user owns `access` and `oauth` (all scopes), `read` (only reads current conversations) and `noScope`
   * (only uses the legacy interface). `other`, `quota` and `entitlement` belong to one more user each.
   */
  readonly tokens: Readonly<Record<string, string>> & IssuedTokens;
  readonly access: AccessMode;
  readonly sharing: boolean;
  /** Names of the searched repositories. */
  readonly repositories: readonly string[];
  /** The newest 10,000 requests, oldest first. */
  journal(): readonly JournalEntry[];
  /** Process ids of all running searches, including those for questions. */
  searchProcesses(): readonly number[];
  /** Number of conversations. */
  conversationCount(): number;
  /** Number of questions in progress. */
  questionsInProgress(): number;
  /** Stars a conversation or removes its star, which no interface can do. Returns false if the conversation does not exist. */
  star(conversationId: number, starred?: boolean): boolean;
  /** Cuts open streams, stops searches and questions, and frees the port. May be called again. */
  close(): Promise<void>;
}
