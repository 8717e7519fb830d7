import type { ApiCall } from "../service/conversation/api/api-call.ts";
import type { ConversationRecord } from "../service/conversation/conversation-record.ts";
import type { ConversationPorts, ReferencePorts, Wire } from "../service/ports.ts";
import type { FaultRun } from "./fault-run.ts";

/** The function of a fault at one port. It receives the original value and the run, and returns the replacement. */
export type At<Port extends (...args: never[]) => unknown> = Port extends (...args: infer Arguments) => infer Result
  ? (...args: [...Arguments, run: FaultRun]) => Result
  : never;

type AtPorts<Ports, Name extends keyof Ports> = {
  readonly [Port in Name]?: Ports[Port] extends (...args: never[]) => unknown ? At<Ports[Port]> : never;
};

/** Effects of a fault on conversations. Unless noted, they are named after the ports. They are not called for searches. */
export interface ConversationEffect extends AtPorts<
  ConversationPorts,
  "delay" | "admit" | "request" | "list" | "page"
> {
  readonly layer: "conversation";
  readonly wire?: Wire;
  readonly store?: AtPorts<ConversationPorts, "shouldPerform" | "creationCount" | "newId" | "immediateOutcome"> & {
    readonly isVisible?: (
      isVisible: boolean,
      conversation: ConversationRecord,
      context: { readonly call: ApiCall; readonly run: FaultRun },
    ) => boolean;
    /** `run` belongs to the call that asked the question. After a restart its `recordChange` has no effect. */
    readonly finalOutcome?: At<ConversationPorts["finalOutcome"]>;
  };
  /** Changes the response after variations are applied and before it is written. */
  readonly apply?: At<ConversationPorts["answer"]>;
  /** Replaces the served OpenAPI document. If it returns undefined, no document is served. */
  readonly describe?: At<ReferencePorts["document"]>;
  /** Replaces the page that links to that document. */
  readonly referencePage?: At<ReferencePorts["page"]>;
}
