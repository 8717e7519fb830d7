import { currentMachine } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import { findCancelledQuestions, isCancelled as isCancelledIn } from "../engine/cancelled-questions.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { RecordedConversation } from "../engine/recorded-conversations.ts";
import { findIdentifiedConversations } from "./identified-conversations.ts";

/** One read of a conversation. */
export interface ConversationRead {
  readonly call: ConversationCall;
  readonly view: ConversationView;
}

/** One conversation, seen through both interfaces. */
export interface LinkedConversation {
  /** Its id in the legacy interface. */
  readonly legacyId: string;
  /** Its ids in both interfaces. */
  readonly ids: ReadonlySet<string>;
  /** Reads of the conversation, sorted by sending time. */
  readonly legacyReads: readonly ConversationRead[];
  readonly currentReads: readonly ConversationRead[];
  /** Reports whether the run may have cancelled the last question of a read. */
  readonly isCancelled: (read: ConversationRead) => boolean;
}

/**
 * Finds conversations that exist in both interfaces. A conversation of the run is identified by its first question if
 * no other creation asked it, regardless of its name. Any other pair must have the same id in both interfaces. It must
 * also have the same first question, or have been created by the run while the other interface shows no other
 * conversation of the run under that id.
 */
export function findLinkedConversations(evidence: ConversationEvidence): readonly LinkedConversation[] {
  const cancelledQuestions = findCancelledQuestions(evidence.conversationsOf);
  const ownConversations = findIdentifiedConversations(evidence);
  const ownQuestions = new Set(ownConversations.map(({ question }) => question));
  const ownIds = new Set(ownConversations.map(({ id }) => id));
  const findPartner = createPartnerFinder(evidence, ownQuestions);
  return evidence.conversationsOf("legacy").flatMap((recordedConversation) => {
    const { id } = recordedConversation;
    const legacyReads = collectReads(recordedConversation);
    const legacyText = findFirstText(legacyReads);
    const partner = findPartner(id, legacyText);
    const currentText = findFirstText(partner?.reads ?? []);
    const isOwnUnderSameId =
      ownIds.has(id) && !(ownQuestions.has(legacyText ?? "") && ownQuestions.has(currentText ?? ""));
    if (
      partner === undefined ||
      legacyText === undefined ||
      currentText === undefined ||
      !(legacyText === currentText || isOwnUnderSameId)
    ) {
      return [];
    }
    const ids = new Set([id, partner.id]);
    const isCancelled = ({ view }: ConversationRead): boolean => {
      const lastQuestion = view.questions.at(-1) ?? {};
      return [...ids].some((conversationId) => isCancelledIn(lastQuestion, conversationId, cancelledQuestions));
    };
    return [{ legacyId: id, ids, legacyReads, currentReads: partner.reads, isCancelled }];
  });
}

interface CurrentConversation {
  readonly id: string;
  readonly reads: readonly ConversationRead[];
}

/** Returns a function that finds the current conversation for a legacy one: by its question, or otherwise by its id. */
function createPartnerFinder(
  evidence: ConversationEvidence,
  ownQuestions: ReadonlySet<string>,
): (id: string, question: string | undefined) => CurrentConversation | undefined {
  const currentConversations = evidence
    .conversationsOf("current")
    .map((recordedConversation) => ({ id: recordedConversation.id, reads: collectReads(recordedConversation) }));
  const byId = new Map(currentConversations.map((conversation) => [conversation.id, conversation] as const));
  const byText = new Map(
    currentConversations.toReversed().map((conversation) => [findFirstText(conversation.reads), conversation] as const),
  );
  return (id, question) => {
    const conversationWithSameId = byId.get(id);
    const isIdentified = question !== undefined && ownQuestions.has(question);
    return isIdentified && findFirstText(conversationWithSameId?.reads ?? []) !== question
      ? (byText.get(question) ?? conversationWithSameId)
      : conversationWithSameId;
  };
}

const findFirstText = (reads: readonly ConversationRead[]): string | undefined =>
  reads.flatMap(({ view }) => view.questions[0]?.text ?? [])[0];

const collectReads = ({ calls, id }: RecordedConversation): readonly ConversationRead[] =>
  calls.flatMap((call) => {
    const view = call.operation === "get" ? conversationView(call) : undefined;
    return view?.id === id ? [{ call, view }] : [];
  });

/** Reports whether all questions of a legacy conversation are completed. */
export const isFinishedLegacy = ({ view: { questions } }: ConversationRead): boolean =>
  questions.length > 0 && questions.every(({ status }) => status === "completed");

/** Reports whether a conversation of the current interface is in a terminal state. */
export const isFinishedCurrent = ({ view: { state, questions } }: ConversationRead): boolean =>
  questions.length > 0 && state !== undefined && currentMachine.terminal.includes(state);

/** Returns the id of the later of two exchanges. */
export const idOfLater = (left: ConversationRead, right: ConversationRead): string =>
  left.call.record.times.sentAtMicros > right.call.record.times.sentAtMicros
    ? left.call.record.id
    : right.call.record.id;
