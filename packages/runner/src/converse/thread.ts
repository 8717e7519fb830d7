import type { CredentialKind } from "@assay/evidence";
import type { DrivenConversation } from "./driven-conversation.ts";

/** A conversation of the run, as far as driving knows it. */
export interface Thread {
  readonly id: string;
  readonly credential: CredentialKind;
  /** Of its entry in the ledger. */
  readonly key: string;
  /** What the target showed last. */
  view: DrivenConversation;
  /** Whether an answer showed it with the mark of the run: nothing else is written to or deleted. */
  isOurs: boolean;
  /** Whether its last question was seen to have ended. */
  isFinished: boolean;
  /** Whether a cancellation was sent: then it is left open how it ends. */
  wasCancelled?: true;
  /** Whether polling ever saw it processing. */
  wasProcessing?: true;
  /** How many questions were accepted. */
  questions: number;
}

const markStart = "[assay run=";

/** How the text of each question of a run ends. Conversations are found again by it. */
export const markOf = (runId: string): string => `${markStart}${runId}]`;

/** Whether a conversation carries the mark of a run. */
export const isMarked = ({ texts }: DrivenConversation, runId: string): boolean =>
  texts.some((text) => text.includes(markOf(runId)));

/** Whether a conversation carries the mark of any run. */
export const isAnyMarked = ({ texts }: DrivenConversation): boolean => texts.some((text) => text.includes(markStart));

/** What tells a conversation from others in both interfaces. */
export const lastPart = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** Whether a view is of this conversation: names may tell the same user in different words, so only their last part counts. */
export const isSameConversation = ({ id }: DrivenConversation, thread: Pick<Thread, "id">): boolean =>
  id !== undefined && lastPart(id) === lastPart(thread.id);
