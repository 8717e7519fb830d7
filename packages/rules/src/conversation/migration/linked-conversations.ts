import { currentMachine } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import { cancelledQuestions, isCancelled as isCancelledIn } from "../engine/cancelled-questions.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { Thread } from "../engine/threads.ts";
import { createdConversations } from "./created-conversations.ts";

/** One read of a conversation. */
export interface ConversationRead {
  readonly call: ConversationCall;
  readonly view: ConversationView;
}

/** One conversation in both interfaces. */
export interface LinkedConversation {
  /** Its id in the legacy interface. */
  readonly conversation: string;
  /** Its ids in both interfaces. */
  readonly ids: ReadonlySet<string>;
  /** Reads of the conversation, in order of sending. */
  readonly legacy: readonly ConversationRead[];
  readonly current: readonly ConversationRead[];
  /** Whether the run may have cancelled the last question of a read. */
  readonly isCancelled: (read: ConversationRead) => boolean;
}

/**
 * Conversations in both interfaces. A conversation of the run is identified by its first question, which no other
 * creation asked, whatever its name. Others must have the same id in both interfaces, and the same first question, or
 * be created by the run while the other interface shows no other conversation of the run for them.
 */
export function linkedConversations(evidence: ConversationEvidence): readonly LinkedConversation[] {
  const cancelled = cancelledQuestions(evidence.threads);
  const created = createdConversations(evidence);
  const ownQuestions = new Set(created.map(({ question }) => question));
  const ownIds = new Set(created.map(({ conversation }) => conversation));
  const partnerOf = partners(evidence, ownQuestions);
  return evidence.threads("legacy").flatMap((thread) => {
    const { conversation } = thread;
    const legacy = showings(thread);
    const one = firstText(legacy);
    const partner = partnerOf(conversation, one);
    const other = firstText(partner?.showings ?? []);
    const isOurs = ownIds.has(conversation) && !(ownQuestions.has(one ?? "") && ownQuestions.has(other ?? ""));
    if (partner === undefined || one === undefined || other === undefined || !(one === other || isOurs)) {
      return [];
    }
    const ids = new Set([conversation, partner.id]);
    const isCancelled = ({ view }: ConversationRead): boolean => {
      const last = view.questions.at(-1) ?? {};
      return [...ids].some((id) => isCancelledIn(last, id, cancelled));
    };
    return [{ conversation, ids, legacy, current: partner.showings, isCancelled }];
  });
}

interface ShownConversation {
  readonly id: string;
  readonly showings: readonly ConversationRead[];
}

/** The current conversation that corresponds to a legacy one: by its question, or else by its id. */
function partners(
  evidence: ConversationEvidence,
  ownQuestions: ReadonlySet<string>,
): (id: string, question: string | undefined) => ShownConversation | undefined {
  const shown = evidence.threads("current").map((thread) => ({ id: thread.conversation, showings: showings(thread) }));
  const byId = new Map(shown.map((one) => [one.id, one] as const));
  const byText = new Map(shown.toReversed().map((one) => [firstText(one.showings), one] as const));
  return (id, question) => {
    const same = byId.get(id);
    const isIdentified = question !== undefined && ownQuestions.has(question);
    return isIdentified && firstText(same?.showings ?? []) !== question ? (byText.get(question) ?? same) : same;
  };
}

const firstText = (showings: readonly ConversationRead[]): string | undefined =>
  showings.flatMap(({ view }) => view.questions[0]?.text ?? [])[0];

const showings = ({ calls, conversation }: Thread): readonly ConversationRead[] =>
  calls.flatMap((call) => {
    const view = call.operation === "get" ? conversationView(call) : undefined;
    return view?.id === conversation ? [{ call, view }] : [];
  });

/** Whether all questions of a legacy conversation are completed. */
export const isFinishedLegacy = ({ view: { questions } }: ConversationRead): boolean =>
  questions.length > 0 && questions.every(({ status }) => status === "completed");

/** Whether a conversation of the current interface is in a terminal state. */
export const isFinishedCurrent = ({ view: { state, questions } }: ConversationRead): boolean =>
  questions.length > 0 && state !== undefined && currentMachine.terminal.includes(state);

/** Id of the later of two exchanges. */
export const laterOf = (one: ConversationRead, other: ConversationRead): string =>
  one.call.record.times.sentAtMicros > other.call.record.times.sentAtMicros ? one.call.record.id : other.call.record.id;
