import type { FaultChoice, IssuedTokens } from "@assay/reference-server";

/** What a client is told to do. */
export type TrialTask = "search" | "ask" | "cancel";

/** The interface a trial is about: searches have one, conversations two. */
export type TrialInterface = "stream" | "legacy" | "current";

/**
 * What a good client comes to. `complete`: the whole result. `cut-off`: a part of one. `refused`: none. `put-off`: the whole
 * result, or none for a client that does not try again. `alert`: no result, and the reason. `cancelled`: nothing in particular.
 */
export type TrialEnding = "complete" | "cut-off" | "refused" | "put-off" | "alert" | "cancelled";

/** A check by which a trial tells that its result was read to the end. */
export type ReadingCheckId =
  | "user/success-is-told"
  | "reading/any-chunks"
  | "reading/large-events"
  | "reading/late-matches"
  | "reading/new-fields"
  | "reading/any-form";

/** One trial: what the server does, and what is expected of the client. */
export interface Trial {
  readonly name: string;
  /** What the server does, one clause. */
  readonly title: string;
  /** What a good client does, one clause. */
  readonly expects: string;
  readonly task: TrialTask;
  readonly interface: TrialInterface;
  readonly ending: TrialEnding;
  /** Which check says that the result was read to the end; for `complete` only. */
  readonly reading?: ReadingCheckId;
  /** Instead of the ordinary query or question. */
  readonly asks?: string;
  /** Text of an alert that the user has to hear of. */
  readonly alert?: string;
  /** Whose token the client gets; `invalid` is one that nobody issued. */
  readonly token: keyof IssuedTokens | "invalid";
  readonly server: {
    readonly fault?: FaultChoice;
    /** Makes use of every freedom that the specifications leave. */
    readonly variations?: true;
    readonly access: "private" | "public";
    readonly latencyFactor?: number;
  };
  /** What `Retry-After` says, where the server puts a request off. */
  readonly retryAfterSeconds?: number;
  /** Whether the client may be busy long after the last byte was sent; it is then watched until its deadline. */
  readonly takesReading?: true;
  /** Whether searches are sent to another host. */
  readonly redirects?: true;
}
