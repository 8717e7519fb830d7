import type { OperationName } from "@assay/contract";

/** Operations of the conversation API. */
export type ConversationOperation = Exclude<OperationName, "search" | "describe">;

/** The two interfaces of the conversation API. */
export type ConversationInterface = "legacy" | "current";

/** Reports whether an operation belongs to the conversation API. */
export const isConversationOperation = (operation: OperationName): operation is ConversationOperation =>
  operation !== "search" && operation !== "describe";

/** Reports whether an interface belongs to the conversation API. */
export const isConversationInterface = (name: string): name is ConversationInterface =>
  name === "legacy" || name === "current";
