import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

/** Selects calls for a mutation. */
export interface Calls {
  readonly interface: ConversationInterface;
  readonly credentials: readonly CredentialKind[];
  /** [all] */
  readonly operations?: readonly ConversationOperation[];
  /** [any] */
  readonly isAbout?: (call: CallText) => boolean;
}

const everyOperation: readonly ConversationOperation[] = ["get", "list", "create", "follow-up", "cancel", "delete"];

export const callsBy = (
  { calls }: ProofEvidence,
  { interface: name, credentials, operations = everyOperation, isAbout = () => true }: Calls,
): readonly CallText[] =>
  calls.filter(
    (candidate) =>
      candidate.call.interface === name &&
      credentials.includes(candidate.call.record.credential) &&
      operations.includes(candidate.call.operation) &&
      isAbout(candidate),
  );

export const isAccepted = ({ call }: CallText): boolean => call.response.kind === "success";
export const isRefused = ({ call }: CallText): boolean => call.response.kind === "refused";
