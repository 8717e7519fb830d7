import { cachePerObject } from "../../engine/cache-per-object.ts";
import { member, stringMember } from "@assay/reading";
import type { QuestionView } from "@assay/reading";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { conversationView } from "./conversation-view.ts";
import { findCreatedConversations } from "./created-conversations.ts";
import type { CreatedConversation } from "./created-conversations.ts";
import { progressBefore } from "./progress.ts";
import { isRefusedOrRedirected } from "./refusal.ts";
import { userOf } from "./users.ts";

const unfinishedStates: ReadonlySet<string | undefined> = new Set(["pending", "processing"]);

/**
 * Returns true if a read shows that a question ended without a cancellation, for example with an answer, and false if
 * it shows that it was cancelled. It returns undefined while the question is processing, and for a legacy error that
 * can mean either.
 */
export function hasEndedWithoutCancellation(
  evidence: ConversationEvidence,
  read: ConversationCall,
  questionId: string | undefined,
): boolean | undefined {
  const question = findQuestion(read, questionId);
  const hasAnswer = question?.facts.has("answer") === true;
  if (read.interface !== "legacy") {
    return hasCurrentEndedWithoutCancellation(conversationView(read)?.state, hasAnswer);
  }
  if (question === undefined || unfinishedStates.has(question.status)) {
    return undefined;
  }
  if (question.facts.has("error")) {
    return cancellationErrorKinds(evidence).has(readErrorKind(question)) ? false : undefined;
  }
  return hasAnswer;
}

/**
 * Does the same as `hasEndedWithoutCancellation` for the current interface, which has a separate state for cancelled
 * conversations.
 */
function hasCurrentEndedWithoutCancellation(state: string | undefined, hasAnswer: boolean): boolean | undefined {
  if (state === "canceled") {
    return false;
  }
  // A completed question without an answer was not cancelled. `current/completed-has-an-answer` reports it.
  return state === "error" || (state === "completed" && hasAnswer) ? true : undefined;
}

/**
 * Reports whether a read shows that a question was cancelled. A legacy question with neither an error nor an answer may
 * have ended in any way, so it does not.
 */
export const showsCancellation = (
  evidence: ConversationEvidence,
  read: ConversationCall,
  questionId: string | undefined,
): boolean =>
  hasEndedWithoutCancellation(evidence, read, questionId) === false &&
  (read.interface === "current" || findQuestion(read, questionId)?.facts.has("error") === true);

/** Returns the question with this id, or the last question if there is no such id. */
function findQuestion(read: ConversationCall, id: string | undefined): QuestionView | undefined {
  const questions = conversationView(read)?.questions ?? [];
  return questions.find((question) => question.id === id) ?? questions.at(-1);
}

const readErrorKind = ({ json }: QuestionView): string => stringMember(member(json, "error"), "kind") ?? "";

/** A legacy question with an error. */
interface FailedQuestion {
  readonly kind: string;
  /** The result of the cancellations by the owner of the question. */
  readonly cancellation: "accepted" | "refused" | "none";
  /** Conversation id and question id. */
  readonly key: string;
}

/**
 * Returns the error kinds that mean "cancelled" in the legacy interface. A kind does so if a question with an accepted
 * cancellation has it. It also does if at least two questions with refused cancellations have it and no question without
 * a cancellation does. Cached.
 */
const cancellationErrorKinds = cachePerObject((evidence: ConversationEvidence): ReadonlySet<string> => {
  const failedQuestions = findCreatedConversations(evidence).flatMap((conversation) =>
    findFailedQuestions(conversation),
  );
  const questionsWith = (cancellation: FailedQuestion["cancellation"]): readonly FailedQuestion[] =>
    failedQuestions.filter((question) => question.cancellation === cancellation);
  const kindsWithoutCancellation = new Set(questionsWith("none").map(({ kind }) => kind));
  const keysByKind = new Map<string, Set<string>>();
  for (const { kind, key } of questionsWith("refused")) {
    keysByKind.set(kind, (keysByKind.get(kind) ?? new Set()).add(key));
  }
  const repeatedKinds = [...keysByKind].flatMap(([kind, keys]) =>
    keys.size > 1 && !kindsWithoutCancellation.has(kind) ? [kind] : [],
  );
  return new Set([...questionsWith("accepted").map(({ kind }) => kind), ...repeatedKinds]);
});

function findFailedQuestions(conversation: CreatedConversation): readonly FailedQuestion[] {
  const { calls, user, id } = conversation;
  const legacyCalls = calls.filter((call) => call.interface === "legacy");
  const cancellations = calls.filter(({ operation }) => operation === "cancel");
  const cancellationsByOwner = legacyCalls.filter(
    ({ operation, record }) => operation === "cancel" && userOf(record.credential) === user,
  );
  const collectCancelledIds = (isIncluded: (call: ConversationCall) => boolean): ReadonlySet<string | undefined> =>
    new Set(cancellationsByOwner.filter(isIncluded).map(({ request }) => request.questionId));
  const acceptedIds = collectCancelledIds(({ response }) => response.kind === "success");
  const refusedIds = collectCancelledIds(
    (call) =>
      call.response.kind === "refused" &&
      !isRefusedOrRedirected(call) &&
      progressBefore(conversation, call) === "processing",
  );
  const findCancellation = (questionId: string | undefined): FailedQuestion["cancellation"] | undefined => {
    if (acceptedIds.has(questionId)) {
      return "accepted";
    }
    return refusedIds.has(questionId) ? "refused" : cancellations.length === 0 ? "none" : undefined;
  };
  return legacyCalls
    .filter(({ operation }) => operation === "get")
    .flatMap((call) => conversationView(call)?.questions ?? [])
    .filter(({ facts }) => facts.has("error"))
    .flatMap((question) => {
      const cancellation = findCancellation(question.id);
      return cancellation === undefined
        ? []
        : [
            {
              kind: readErrorKind(question),
              cancellation,
              key: `${id} ${question.id ?? ""}`,
            },
          ];
    });
}
