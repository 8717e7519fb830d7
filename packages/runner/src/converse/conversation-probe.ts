import { conversationProbes } from "@assay/contract";
import type { ConversationProbeId } from "@assay/contract";
import type { ConversationInterface } from "./dialect.ts";

/** Calls that are sent to see what comes back; they decide nothing. */
export interface ConversationProbe {
  readonly id: ConversationProbeId;
  readonly interface: ConversationInterface | "reference";
  readonly title: string;
}

/** A probe of an interface. */
export const conversationProbe = (
  id: ConversationProbeId,
  name: ConversationProbe["interface"],
): ConversationProbe => ({
  id,
  interface: name,
  title: name === "reference" ? conversationProbes[id] : `${conversationProbes[id]} (${name})`,
});
