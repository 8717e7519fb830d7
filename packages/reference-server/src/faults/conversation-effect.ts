import type { ApiCall } from "../service/conversation/api/api-call.ts";
import type { ConversationRecord } from "../service/conversation/conversation-record.ts";
import type { ConversationPorts, ReferencePorts, Wire } from "../service/ports.ts";
import type { FaultRun } from "./fault-run.ts";

/** What a fault does at a place: it gets what would happen there and its run, and returns what happens. */
export type At<Place extends (...met: never[]) => unknown> = Place extends (...met: infer Met) => infer Happens
  ? (...met: [...Met, run: FaultRun]) => Happens
  : never;

type AtPlaces<Places, Name extends keyof Places> = {
  readonly [Each in Name]?: Places[Each] extends (...met: never[]) => unknown ? At<Places[Each]> : never;
};

/**
 * Places where a fault takes hold of conversations, named as the ports are where nothing else is said. None is called for
 * searches.
 */
export interface ConversationEffect extends AtPlaces<
  ConversationPorts,
  "hold" | "admit" | "request" | "list" | "page"
> {
  readonly layer: "conversation";
  readonly wire?: Wire;
  readonly store?: AtPlaces<ConversationPorts, "does" | "creations" | "known"> & {
    readonly visible?: (
      isVisible: boolean,
      conversation: ConversationRecord,
      context: { readonly call: ApiCall; readonly run: FaultRun },
    ) => boolean;
    /** `run` is that of the call that asked the question; after a restart its `applied` does nothing. */
    readonly processed?: At<ConversationPorts["processed"]>;
  };
  /** The answer, after variations, just before it is written. */
  readonly apply?: At<ConversationPorts["answer"]>;
  /** The OpenAPI document that is served; undefined for none. */
  readonly describe?: At<ReferencePorts["document"]>;
  /** The page of the reference, which leads to that document. */
  readonly referencePage?: At<ReferencePorts["page"]>;
}
