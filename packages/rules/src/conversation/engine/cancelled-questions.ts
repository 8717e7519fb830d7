import { member } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import { conversationView } from "./conversation-view.ts";
import { progressBefore, progressIn } from "./progress.ts";
import type { Thread } from "./threads.ts";

/**
 * Questions of a conversation that the run may have cancelled. `ids` lists them. `exceptTexts` is set if the whole
 * conversation was cancelled; it lists the texts of questions that had already finished. Source: conversation-api,
 * section 1.
 */
type CancelledOfConversation = { readonly ids: ReadonlySet<string> } | { readonly exceptTexts: ReadonlySet<string> };

/** Questions that the run may have cancelled, by conversation and by text. */
export interface CancelledQuestions {
  readonly byConversation: ReadonlyMap<string, CancelledOfConversation>;
  /** Texts of possibly cancelled questions in conversations cancelled as a whole. */
  readonly texts: ReadonlySet<string>;
  /**
   * Cancellations sent after the conversation had finished. They must have no effect, so a later change is still a
   * violation.
   */
  readonly tooLate: ReadonlySet<ConversationCall>;
}

type Threads = (interfaceName: ConversationInterface) => readonly Thread[];

const cache = new WeakMap<Threads, CancelledQuestions>();

/**
 * Returns the questions that the run may have cancelled. Cached. Conversations with the same id in both interfaces are
 * treated as one, because both show the unspecified effect of a cancellation. A conversation's current name may not
 * contain its legacy number, so questions are also matched by text.
 */
export function findCancelledQuestions(threads: Threads): CancelledQuestions {
  const cancelledQuestions = cache.get(threads) ?? collectCancelled(threads);
  cache.set(threads, cancelledQuestions);
  return cancelledQuestions;
}

function collectCancelled(threads: Threads): CancelledQuestions {
  const [legacy, current] = [findCancellations(threads, "legacy"), findCancellations(threads, "current")];
  const legacyInTime = legacy.filter(({ inTime }) => inTime.length > 0);
  const cancelledConversations = current
    .filter(({ inTime }) => inTime.length > 0)
    .map(({ thread, inTime }) => ({ thread, exceptTexts: collectFinishedTexts(thread, inTime) }));
  return {
    byConversation: new Map<string, CancelledOfConversation>([
      ...legacyInTime.map(({ thread, inTime }) => [thread.id, { ids: collectQuestionIds(inTime) }] as const),
      ...cancelledConversations.map(({ thread, exceptTexts }) => [thread.id, { exceptTexts }] as const),
    ]),
    texts: new Set(
      cancelledConversations.flatMap(({ thread, exceptTexts }) =>
        thread.calls.flatMap(collectTexts).filter((text) => !exceptTexts.has(text)),
      ),
    ),
    tooLate: new Set([...legacy, ...current].flatMap(({ tooLate }) => tooLate)),
  };
}

const collectQuestionIds = (calls: readonly ConversationCall[]): ReadonlySet<string> =>
  new Set(calls.flatMap(({ request }) => request.questionId ?? []));

/** Texts of the questions that had finished in a response before the first cancellation was sent. */
function collectFinishedTexts({ calls }: Thread, cancellations: readonly ConversationCall[]): ReadonlySet<string> {
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
  readonly thread: Thread;
  readonly inTime: readonly ConversationCall[];
  readonly tooLate: readonly ConversationCall[];
}

function findCancellations(threads: Threads, interfaceName: ConversationInterface): readonly Cancellations[] {
  const threadsOfOtherInterface = new Map(
    threads(interfaceName === "legacy" ? "current" : "legacy").map((thread) => [thread.id, thread] as const),
  );
  return threads(interfaceName).flatMap((thread) => {
    const cancellations = thread.calls.filter((call) => call.operation === "cancel" && mayHaveTakenEffect(call));
    const tooLate = cancellations.filter((call) => isTooLate(call, thread, threadsOfOtherInterface.get(thread.id)));
    return cancellations.length === 0
      ? []
      : [{ thread, inTime: cancellations.filter((call) => !tooLate.includes(call)), tooLate }];
  });
}

/**
 * Reports whether a response of the same interface showed that the conversation had finished before the cancellation
 * was sent, and no later request through either interface could have changed it. If so, the conversation must not
 * change. A cancellation without a response may take effect at any later time, so it is never too late. Source:
 * conversation-api, sections 3.2 and 4.1.
 */
function isTooLate(call: ConversationCall, { calls }: Thread, threadOfOtherInterface: Thread | undefined): boolean {
  const writes = (threadOfOtherInterface?.calls ?? []).filter(({ operation }) => operation !== "get");
  const sortedCalls = [...calls, ...writes].toSorted(
    (left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros,
  );
  return call.response.kind === "success" && progressBefore({ calls: sortedCalls }, call) === "finished";
}

/** Texts of the questions that a call sends or returns. */
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
  const cancelledOfConversation = conversationId === undefined ? undefined : byConversation.get(conversationId);
  const { text } = question;
  return (
    (cancelledOfConversation !== undefined && matchesCancelled(question, cancelledOfConversation)) ||
    (text !== undefined && texts.has(text))
  );
}

const matchesCancelled = (
  { id, text }: Pick<QuestionView, "id" | "text">,
  cancelled: CancelledOfConversation,
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
 * Legacy questions that a read stops returning after they are cancelled. The effect of a cancellation is unspecified,
 * so the conversation may drop the question. Source: conversation-api, section 3.1.
 */
export function findDroppedQuestions(threads: Threads): readonly DroppedQuestion[] {
  const { byConversation, tooLate } = findCancelledQuestions(threads);
  const cancellations = [...threads("legacy"), ...threads("current")].flatMap(({ id: conversationId, calls }) =>
    calls.filter((call) => call.operation === "cancel" && !tooLate.has(call)).map((call) => ({ conversationId, call })),
  );
  return threads("legacy").flatMap(({ id: conversationId, calls }) => {
    const cancelledOfConversation = byConversation.get(conversationId) ?? { ids: new Set<string>() };
    const questions = calls.flatMap((call) => conversationView(call)?.questions ?? []);
    const candidateIds =
      "ids" in cancelledOfConversation
        ? cancelledOfConversation.ids
        : new Set(
            questions
              .filter((question) => matchesCancelled(question, cancelledOfConversation))
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
