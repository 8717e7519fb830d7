import { conversationProbes } from "@assay/contract";
import type { ConversationProbeId } from "@assay/contract";
import type { ConversationInterface } from "./dialect.ts";

/** A probe of conversations. Rules judge its answers later. */
export interface ConversationProbe {
  readonly id: ConversationProbeId;
  readonly interface: ConversationInterface | "reference";
  readonly title: string;
}

export const createConversationProbe = (
  id: ConversationProbeId,
  name: ConversationProbe["interface"],
): ConversationProbe => ({
  id,
  interface: name,
  title: name === "reference" ? conversationProbes[id] : `${conversationProbes[id]} (${name})`,
});
