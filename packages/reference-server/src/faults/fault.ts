import type { AccessDecision, AccessMode } from "../access.ts";
import type { ResponseHead } from "../http/response-head.ts";
import type { CheckedParameters } from "../http/search-parameters.ts";
import type { Frame } from "../stream/frame.ts";
import type { AccessRequest, CannedAnswer, StreamChunk } from "../ports.ts";
import type { Repository } from "../repositories/repository.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { ConversationEffect } from "./conversation-effect.ts";
import type { FaultRun } from "./fault-run.ts";

/** Where a fault takes hold, and what it does there. Of all layers but `conversation` only searches take notice. */
export type FaultEffect =
  | {
      readonly layer: "access";
      readonly apply: (decision: AccessDecision, request: AccessRequest, run: FaultRun) => AccessDecision;
    }
  | {
      readonly layer: "parameters";
      readonly apply: (checked: CheckedParameters, run: FaultRun) => CheckedParameters;
    }
  | {
      readonly layer: "index";
      /** The repositories as this search meets them. */
      readonly apply: (repositories: readonly Repository[], run: FaultRun) => readonly Repository[];
    }
  | { readonly layer: "answer"; readonly apply: (run: FaultRun) => CannedAnswer | "reset" }
  | {
      readonly layer: "events";
      readonly apply: (events: AsyncIterable<SearchEvent>, run: FaultRun) => AsyncIterable<SearchEvent>;
    }
  | { readonly layer: "frames"; readonly apply: (frames: AsyncIterable<Frame>, run: FaultRun) => AsyncIterable<Frame> }
  | {
      readonly layer: "bytes";
      readonly apply: (chunks: AsyncIterable<Buffer>, run: FaultRun) => AsyncIterable<StreamChunk>;
      /** Another head for the stream; with a `content-encoding` of its own the bytes go out as they are. */
      readonly head?: (head: ResponseHead, run: FaultRun) => ResponseHead;
    }
  | ConversationEffect;

/** A setting of a fault. A number is a whole number from 0; a text with choices takes only these. */
export type FaultParameter =
  | { readonly title: string; readonly default: number }
  | { readonly title: string; readonly default: string; readonly choices: readonly string[] };

interface FaultRecord {
  readonly id: string;
  readonly title: string;
  /** What the server then does, one sentence. */
  readonly description: string;
  /**
   * `violation` breaks a rule; `observation` does what a rule permits and takes note of, such as to send a value nobody saw
   * before; `transport` breaks the exchange below the stream; `legal` only looks odd and must not make any rule speak.
   */
  readonly kind: "violation" | "observation" | "transport" | "legal";
  /** Id of the one rule that should speak; absent for `transport` and `legal`. */
  readonly attacks?: string;
  readonly parameters?: Readonly<Record<string, FaultParameter>>;
  /** The access mode in which the fault can be seen; the server takes it unless told otherwise. */
  readonly access?: AccessMode;
}

/**
 * A way for the server to misbehave: a record and an effect at one layer. What cannot be done at one layer alone has further
 * effects at others.
 */
export type Fault = FaultRecord & FaultEffect & { readonly also?: readonly FaultEffect[] };

/** The effect of a fault at a layer, if it has one there. */
export const effectAt = <Layer extends FaultEffect["layer"]>(
  fault: Fault | undefined,
  layer: Layer,
): Extract<FaultEffect, { layer: Layer }> | undefined => {
  const isThere = (effect: FaultEffect): effect is Extract<FaultEffect, { layer: Layer }> => effect.layer === layer;
  return fault === undefined ? undefined : [fault, ...(fault.also ?? [])].find(isThere);
};
