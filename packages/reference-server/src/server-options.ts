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
  /** The way to misbehave, or several, of which each has the last word over those before it. */
  readonly fault?: FaultId | FaultChoice | readonly (FaultId | FaultChoice)[];
  /**
   * Makes tokens, delays and the cutting of streams into events repeat: equal searches of equal repositories then give equal
   * bytes, apart from `durationMs`. A whole number.
   */
  readonly seed?: number;
  /** How slow the server pretends to be; `instant` by default. */
  readonly latency?: LatencyName;
  /** Multiplies every delay of the latency and of answering questions: 1.2 is a fifth slower. Above 0, at most 100; 1 by default. */
  readonly latencyFactor?: number;
  /** Whether a search needs a token (conversations always do); what the fault needs to be seen by default, otherwise `private`. */
  readonly access?: AccessMode;
  /**
   * `field`, the default, sends filter kinds, skipped reasons, diffs (as matches of type `commit`) and the text of chunks
   * (as `content`) as instances in the field do; `observed` keeps to the values that the document lists, diffs have their
   * own type `diff`, and the text of a chunk is its `context`. Conversations of the current interface are written in
   * lowerCamelCase with answers in blocks by `field`, in snake_case with answers as text by `observed`. `both` is `observed` where
   * clients can read it: the text of a chunk stands in both members, and a diff is a match of type `commit`.
   */
  readonly vocabulary?: Vocabulary;
  /**
   * Whether each stream makes use, at random, of the freedom that the document leaves: order, cutting, further members,
   * optional ones, new values, forms of events and JSON. Nothing it sends breaks a rule. With a seed the first, second and
   * every further answer to one URL repeats; without, none does. A fault has the last word over it.
   */
  readonly variations?: boolean;
  /** Whether a read token opens conversations of other users; true by default. */
  readonly sharing?: boolean;
  /**
   * File of the database of conversations, made if it does not exist. By default they are kept in memory and end with the
   * server.
   */
  readonly database?: string;
  /**
   * What searches found before, and what git said of the repositories, which do not change while any server that shares the
   * memory runs: neither is asked for again. By default every start and every search reads anew.
   */
  readonly outputs?: OutputMemory;
  /** Time as conversations see it; that of this machine by default. */
  readonly clock?: Clock;
}

export interface RunningServer {
  /** Base URL without a slash at the end. */
  readonly url: string;
  /** The access token; the same as `tokens.access`. */
  readonly token: string;
  /**
   * Every token by kind: `access` and `oauth` may do everything, `read` only read conversations of the current interface,
   * `noScope` nothing but use the legacy one, all of one user; `other`, `quota` and `entitlement` belong to one more user each.
   */
  readonly tokens: Readonly<Record<string, string>> & IssuedTokens;
  readonly access: AccessMode;
  /** Whether a read token opens conversations of other users. */
  readonly sharing: boolean;
  /** Names of the searched repositories. */
  readonly repositories: readonly string[];
  /** The newest 10,000 requests, oldest first. */
  journal(): readonly JournalEntry[];
  /** Process ids of the searches that run now, those for questions included. */
  searchProcesses(): readonly number[];
  /** How many conversations exist now. */
  conversationCount(): number;
  /** How many questions are being answered now. */
  questionsInProgress(): number;
  /** Puts a star on a conversation or takes it away, which no interface can do; false when there is no such conversation. */
  star(conversationId: number, starred?: boolean): boolean;
  /** Cuts open streams off, ends searches and work on questions, and frees the port. May be called again. */
  close(): Promise<void>;
}
