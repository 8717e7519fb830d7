import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

/** Selects calls for a mutation. */
export interface CallSelection {
  readonly interface: ConversationInterface;
  readonly credentials: readonly CredentialKind[];
  /** Operations of the calls. Default: all. */
  readonly operations?: readonly ConversationOperation[];
  /** Reports whether to select a call. Default: every call. */
  readonly appliesTo?: (call: CallText) => boolean;
}

const everyOperation: readonly ConversationOperation[] = ["get", "list", "create", "follow-up", "cancel", "delete"];

export const findCalls = (
  { calls }: ProofEvidence,
  { interface: interfaceName, credentials, operations = everyOperation, appliesTo = () => true }: CallSelection,
): readonly CallText[] =>
  calls.filter(
    (candidate) =>
      candidate.call.interface === interfaceName &&
      credentials.includes(candidate.call.record.credential) &&
      operations.includes(candidate.call.operation) &&
      appliesTo(candidate),
  );

export const isAccepted = ({ call }: CallText): boolean => call.response.kind === "success";
export const isRefused = ({ call }: CallText): boolean => call.response.kind === "refused";
