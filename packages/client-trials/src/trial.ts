import type { FaultChoice, IssuedTokens } from "@assay/reference-server";

/** The task of a client. */
export type TrialTask = "search" | "ask" | "cancel";

/** The interface of a trial: one for searches, two for conversations. */
export type TrialInterface = "stream" | "legacy" | "current";

/**
 * The result for a correct client. `complete`: the complete result. `cut-off`: part of it. `refused`: none. `put-off`: the complete result,
 * or none if it does not retry. `alert`: no result, and the reason. `cancelled`: any result.
 */
export type TrialEnding = "complete" | "cut-off" | "refused" | "put-off" | "alert" | "cancelled";

/** Checks that a result was read to the end. */
export type ReadingCheckId =
  | "user/success-is-told"
  | "reading/any-chunks"
  | "reading/large-events"
  | "reading/late-matches"
  | "reading/new-fields"
  | "reading/any-form";

/** One trial: the behaviour of the server, and the expected behaviour of the client. */
export interface Trial {
  readonly name: string;
  /** Behaviour of the server, as a clause. */
  readonly title: string;
  /** Behaviour of a correct client, as a clause. */
  readonly expects: string;
  readonly task: TrialTask;
  readonly interface: TrialInterface;
  readonly ending: TrialEnding;
  /** The check that the result was read to the end. Only for `complete`. */
  readonly readingCheck?: ReadingCheckId;
  /** Replaces the ordinary query or question. */
  readonly asks?: string;
  /** Text of an alert that the client must show. */
  readonly alert?: string;
  /** The client's token. `invalid` is a token that was never issued. */
  readonly token: keyof IssuedTokens | "invalid";
  readonly server: {
    readonly fault?: FaultChoice;
    /** Varies answers within the specifications. */
    readonly variations?: true;
    readonly access: "private" | "public";
    readonly latencyFactor?: number;
  };
  /** Value of `Retry-After`, if the server refuses a request temporarily. */
  readonly retryAfterSeconds?: number;
  /** Whether the client may need much time to read after the last byte. It is then observed until its deadline. */
  readonly needsReadingTime?: true;
  /** Whether searches are redirected to another host. */
  readonly redirects?: true;
}
