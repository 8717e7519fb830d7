import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

/** Selects calls for a mutation. */
export interface CallSelection {
  readonly interface: ConversationInterface;
  readonly credentials: readonly CredentialKind[];
  /** Operations of the calls. Default: all. */
  readonly operations?: readonly ConversationOperation[];
  /** Reports whether to select a call. Default: every call. */
  readonly appliesTo?: (call: EditableCall) => boolean;
}

const everyOperation: readonly ConversationOperation[] = ["get", "list", "create", "follow-up", "cancel", "delete"];

/** Returns the selected calls, sorted by sending time. */
export const findCalls = (
  { calls }: ProofEvidence,
  { interface: interfaceName, credentials, operations = everyOperation, appliesTo = () => true }: CallSelection,
): readonly EditableCall[] =>
  calls.filter(
    (candidate) =>
      candidate.call.interface === interfaceName &&
      credentials.includes(candidate.call.record.credential) &&
      operations.includes(candidate.call.operation) &&
      appliesTo(candidate),
  );

export const isAccepted = ({ call }: EditableCall): boolean => call.response.kind === "success";
export const isRefused = ({ call }: EditableCall): boolean => call.response.kind === "refused";
