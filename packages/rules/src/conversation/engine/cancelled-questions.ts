import { cachePerObject } from "../../engine/cache-per-object.ts";
import { member } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import { conversationView } from "./conversation-view.ts";
import { progressBefore, progressIn } from "./progress.ts";
import type { RecordedConversation } from "./recorded-conversations.ts";

/**
 * Possibly cancelled questions of one conversation. `ids` lists them. `exceptTexts` is set if the whole conversation
 * was cancelled. It lists the texts of questions that had already finished. Source: conversation-api, section 1.
 */
type CancelledInConversation = { readonly ids: ReadonlySet<string> } | { readonly exceptTexts: ReadonlySet<string> };

/** Questions that the run may have cancelled, by conversation and by text. */
export interface CancelledQuestions {
  readonly byConversation: ReadonlyMap<string, CancelledInConversation>;
  /** Texts of possibly cancelled questions in conversations cancelled as a whole. */
  readonly texts: ReadonlySet<string>;
  /**
   * Cancellations sent after the conversation had finished. They must have no effect, so a later change is still a
   * violation.
   */
  readonly lateCancellations: ReadonlySet<ConversationCall>;
}

type ConversationsOf = (interfaceName: ConversationInterface) => readonly RecordedConversation[];

/**
 * Returns the questions that the run may have cancelled. Cached. Conversations with the same id in both interfaces are
 * treated as one, because a cancellation through either may affect both; its effect is unspecified. A conversation's
 * current name may not contain its legacy number, so questions are also matched by text.
 */
export const findCancelledQuestions = cachePerObject((conversationsOf: ConversationsOf): CancelledQuestions => {
  const [legacyCancellations, currentCancellations] = [
    findCancellations(conversationsOf, "legacy"),
    findCancellations(conversationsOf, "current"),
  ];
  const timelyLegacy = legacyCancellations.filter(({ timelyCancellations }) => timelyCancellations.length > 0);
  const cancelledConversations = currentCancellations
    .filter(({ timelyCancellations }) => timelyCancellations.length > 0)
    .map(({ recordedConversation, timelyCancellations }) => ({
      recordedConversation,
      exceptTexts: collectFinishedTexts(recordedConversation, timelyCancellations),
    }));
  return {
    byConversation: new Map<string, CancelledInConversation>([
      ...timelyLegacy.map(
        ({ recordedConversation, timelyCancellations }) =>
          [recordedConversation.id, { ids: collectQuestionIds(timelyCancellations) }] as const,
      ),
      ...cancelledConversations.map(
        ({ recordedConversation, exceptTexts }) => [recordedConversation.id, { exceptTexts }] as const,
      ),
    ]),
    texts: new Set(
      cancelledConversations.flatMap(({ recordedConversation, exceptTexts }) =>
        recordedConversation.calls.flatMap(collectTexts).filter((text) => !exceptTexts.has(text)),
      ),
    ),
    lateCancellations: new Set(
      [...legacyCancellations, ...currentCancellations].flatMap(({ lateCancellations }) => lateCancellations),
    ),
  };
});

const collectQuestionIds = (calls: readonly ConversationCall[]): ReadonlySet<string> =>
  new Set(calls.flatMap(({ request }) => request.questionId ?? []));

/** Returns the texts of the questions that had finished in a response before the first cancellation was sent. */
function collectFinishedTexts(
  { calls }: RecordedConversation,
  cancellations: readonly ConversationCall[],
): ReadonlySet<string> {
  const sentAtMicros = Math.min(...cancellations.map(({ record }) => record.times.sentAtMicros));
  const finishedCalls = calls.filter(
    (call) => call.record.times.endedAtMicros <= sentAtMicros && progressIn(call) === "finished",
  );
  return new Set(
    finishedCalls.flatMap((call) => conversationView(call)?.questions.flatMap(({ text }) => text ?? []) ?? []),
  );
}

/** The cancellations of a conversation that were not refused. */
interface Cancellations {
  readonly recordedConversation: RecordedConversation;
  readonly timelyCancellations: readonly ConversationCall[];
  readonly lateCancellations: readonly ConversationCall[];
}

function findCancellations(
  conversationsOf: ConversationsOf,
  interfaceName: ConversationInterface,
): readonly Cancellations[] {
  const conversationsOfOtherInterface = new Map(
    conversationsOf(interfaceName === "legacy" ? "current" : "legacy").map(
      (recordedConversation) => [recordedConversation.id, recordedConversation] as const,
    ),
  );
  return conversationsOf(interfaceName).flatMap((recordedConversation) => {
    const cancellations = recordedConversation.calls.filter(
      (call) => call.operation === "cancel" && mayHaveTakenEffect(call),
    );
    const lateCancellations = cancellations.filter((call) =>
      isTooLate(call, recordedConversation, conversationsOfOtherInterface.get(recordedConversation.id)),
    );
    return cancellations.length === 0
      ? []
      : [
          {
            recordedConversation,
            timelyCancellations: cancellations.filter((call) => !lateCancellations.includes(call)),
            lateCancellations,
          },
        ];
  });
}

/**
 * Reports whether a response of the same interface showed that the conversation had finished before the cancellation
 * was sent, and no later request through either interface could have changed it. If so, the conversation must not
 * change. A cancellation without a response may take effect at any later time, so it is never too late. Source:
 * conversation-api, sections 3.2 and 4.1.
 */
function isTooLate(
  call: ConversationCall,
  { calls }: RecordedConversation,
  conversationOfOtherInterface: RecordedConversation | undefined,
): boolean {
  const writes = (conversationOfOtherInterface?.calls ?? []).filter(({ operation }) => operation !== "get");
  const sortedCalls = [...calls, ...writes].toSorted(
    (left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros,
  );
  return call.response.kind === "success" && progressBefore({ calls: sortedCalls }, call) === "finished";
}

/** Returns the texts of the questions that a call sends or returns. */
const collectTexts = (call: ConversationCall): readonly string[] => [
  ...(call.request.question === undefined ? [] : [call.request.question]),
  ...(conversationView(call)?.questions ?? []).flatMap(({ text }) => text ?? []),
];

/** Reports whether the run may have cancelled a question of a conversation. */
export function isCancelled(
  question: Pick<QuestionView, "id" | "text">,
  conversationId: string | undefined,
  { byConversation, texts }: CancelledQuestions,
): boolean {
  const cancelledInConversation = conversationId === undefined ? undefined : byConversation.get(conversationId);
  const { text } = question;
  return (
    (cancelledInConversation !== undefined && matchesCancelled(question, cancelledInConversation)) ||
    (text !== undefined && texts.has(text))
  );
}

const matchesCancelled = (
  { id, text }: Pick<QuestionView, "id" | "text">,
  cancelled: CancelledInConversation,
): boolean =>
  "ids" in cancelled
    ? id !== undefined && cancelled.ids.has(id)
    : text === undefined || !cancelled.exceptTexts.has(text);

/** A cancelled question and the first read that no longer returns it. */
export interface DroppedQuestion {
  readonly conversationId: string;
  readonly questionId: string;
  readonly call: ConversationCall;
}

/**
 * Finds legacy questions that reads stop returning after a cancellation. The effect of a cancellation is unspecified,
 * so the conversation may drop the question. Source: conversation-api, section 3.1.
 */
export function findDroppedQuestions(conversationsOf: ConversationsOf): readonly DroppedQuestion[] {
  const { byConversation, lateCancellations } = findCancelledQuestions(conversationsOf);
  const cancellations = [...conversationsOf("legacy"), ...conversationsOf("current")].flatMap(
    ({ id: conversationId, calls }) =>
      calls
        .filter((call) => call.operation === "cancel" && !lateCancellations.has(call))
        .map((call) => ({ conversationId, call })),
  );
  return conversationsOf("legacy").flatMap(({ id: conversationId, calls }) => {
    const cancelledInConversation = byConversation.get(conversationId) ?? { ids: new Set<string>() };
    const questions = calls.flatMap((call) => conversationView(call)?.questions ?? []);
    const candidateIds =
      "ids" in cancelledInConversation
        ? cancelledInConversation.ids
        : new Set(
            questions
              .filter((question) => matchesCancelled(question, cancelledInConversation))
              .flatMap(({ id }) => id ?? []),
          );
    const firstCancellation = cancellations.find(
      (cancellation) => cancellation.conversationId === conversationId,
    )?.call;
    const cancelledAtMicros = firstCancellation?.record.times.sentAtMicros ?? Number.POSITIVE_INFINITY;
    return [...candidateIds].flatMap((questionId) => {
      const call = calls.find(
        (read) =>
          read.operation === "get" &&
          read.record.times.sentAtMicros > cancelledAtMicros &&
          lacksQuestion(conversationView(read), questionId),
      );
      return call === undefined ? [] : [{ conversationId, questionId, call }];
    });
  });
}

const lacksQuestion = (view: ConversationView | undefined, id: string): boolean =>
  view !== undefined &&
  Array.isArray(member(view.json, "questions")) &&
  // A question without an id could be any question.
  view.questions.every((question) => question.id !== undefined && question.id !== id);
