import type { CredentialKind } from "@assay/evidence";
import type { DrivenConversation } from "./driven-conversation.ts";

/** A conversation of the run. */
export interface RunConversation {
  readonly id: string;
  readonly credential: CredentialKind;
  /** Key of its ledger entry. */
  readonly key: string;
  /** Its last state on the target. */
  view: DrivenConversation;
  /** True if an answer showed it with the mark of the run. Others are never written to or deleted. */
  hasRunMark: boolean;
  /** True if its last question has ended. */
  isFinished: boolean;
  /** Present if a cancellation was sent. Its end is then unspecified. */
  wasCancelled?: true;
  /** Present if polling ever saw it processing. */
  wasProcessing?: true;
  /** Its id in the other interface, if that showed it. */
  otherId?: string | undefined;
  /** Number of accepted questions. */
  questionCount: number;
}

const markStart = "[assay run=";

/** Returns the suffix of every question in a run, which identifies the run's conversations. */
export const createRunMark = (runId: string): string => `${markStart}${runId}]`;

/** Reports whether a conversation has the mark of this run. */
export const isMarked = ({ texts }: DrivenConversation, runId: string): boolean =>
  texts.some((text) => text.includes(createRunMark(runId)));

/** Reports whether a conversation has the mark of any run. */
export const hasAnyRunMark = ({ texts }: DrivenConversation): boolean => texts.some((text) => text.includes(markStart));

/** Returns the part of an id that identifies a conversation in both interfaces. */
export const readLastPart = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** Reports whether a view shows this conversation. Compares only the last part, since names may write the same user differently. */
export const isSameConversation = ({ id }: DrivenConversation, conversation: Pick<RunConversation, "id">): boolean =>
  id !== undefined && readLastPart(id) === readLastPart(conversation.id);
