import { member } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface } from "./conversation-operation.ts";
import { conversationView } from "./conversation-view.ts";
import { progressBefore, progressIn } from "./progress.ts";
import type { Thread } from "./threads.ts";

/**
 * Questions of a conversation that the run may have cancelled. `ids` lists them. `allBut` is set if the whole
 * conversation was cancelled, and lists the texts of the questions that had finished before. Source: conversation-api,
 * section 1.
 */
type Cancelled = { readonly ids: ReadonlySet<string> } | { readonly allBut: ReadonlySet<string> };

/** Questions that the run may have cancelled, by conversation and by text. */
export interface CancelledQuestions {
  readonly byConversation: ReadonlyMap<string, Cancelled>;
  /** Texts of such questions in conversations that were cancelled as a whole. */
  readonly texts: ReadonlySet<string>;
  /** Cancellations sent after the end. They must have no effect, and do not excuse a change. */
  readonly tooLate: ReadonlySet<ConversationCall>;
}

type Threads = (name: ConversationInterface) => readonly Thread[];

const known = new WeakMap<Threads, CancelledQuestions>();

/**
 * Questions that the run may have cancelled; computed once. Conversations with the same id in both interfaces are
 * treated as one, because the unspecified effect of a cancellation is visible in both. The name of a conversation need
 * not contain its legacy number, so a question is also identified by its text.
 */
export function cancelledQuestions(threads: Threads): CancelledQuestions {
  const cancelled = known.get(threads) ?? collect(threads);
  known.set(threads, cancelled);
  return cancelled;
}

function collect(threads: Threads): CancelledQuestions {
  const [legacy, current] = [cancellationsIn(threads, "legacy"), cancellationsIn(threads, "current")];
  const questions = legacy.filter(({ inTime }) => inTime.length > 0);
  const wholes = current
    .filter(({ inTime }) => inTime.length > 0)
    .map(({ thread, inTime }) => ({ thread, allBut: finishedBefore(thread, inTime) }));
  return {
    byConversation: new Map<string, Cancelled>([
      ...questions.map(({ thread, inTime }) => [thread.conversation, { ids: questionsOf(inTime) }] as const),
      ...wholes.map(({ thread, allBut }) => [thread.conversation, { allBut }] as const),
    ]),
    texts: new Set(
      wholes.flatMap(({ thread, allBut }) => thread.calls.flatMap(textsOf).filter((text) => !allBut.has(text))),
    ),
    tooLate: new Set([...legacy, ...current].flatMap(({ tooLate }) => tooLate)),
  };
}

const questionsOf = (calls: readonly ConversationCall[]): ReadonlySet<string> =>
  new Set(calls.flatMap(({ asked }) => asked.questionId ?? []));

/** Texts of the questions that had finished in a response before the first cancellation was sent. */
function finishedBefore({ calls }: Thread, cancellations: readonly ConversationCall[]): ReadonlySet<string> {
  const sentAtMicros = Math.min(...cancellations.map(({ record }) => record.times.sentAtMicros));
  const finished = calls.filter(
    (call) => call.record.times.endedAtMicros <= sentAtMicros && progressIn(call) === "finished",
  );
  return new Set(finished.flatMap((call) => conversationView(call)?.questions.flatMap(({ text }) => text ?? []) ?? []));
}

/** The cancellations of a conversation that were not refused. */
interface Cancellations {
  readonly thread: Thread;
  readonly inTime: readonly ConversationCall[];
  readonly tooLate: readonly ConversationCall[];
}

function cancellationsIn(threads: Threads, name: ConversationInterface): readonly Cancellations[] {
  const others = new Map(
    threads(name === "legacy" ? "current" : "legacy").map((thread) => [thread.conversation, thread] as const),
  );
  return threads(name).flatMap((thread) => {
    const all = thread.calls.filter((call) => call.operation === "cancel" && mayHaveTakenEffect(call));
    const tooLate = all.filter((call) => isTooLate(call, thread, others.get(thread.conversation)));
    return all.length === 0 ? [] : [{ thread, inTime: all.filter((call) => !tooLate.includes(call)), tooLate }];
  });
}

/**
 * Reports whether a response of the same interface showed the end before the cancellation, and no later request through
 * either interface could have changed it. The conversation must not change then. A cancellation without a response may
 * take effect at any later time, so it is never too late. Source: conversation-api, sections 3.2 and 4.1.
 */
function isTooLate(call: ConversationCall, { calls }: Thread, other: Thread | undefined): boolean {
  const writes = (other?.calls ?? []).filter(({ operation }) => operation !== "get");
  const all = [...calls, ...writes].toSorted(
    (left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros,
  );
  return call.answer.kind === "success" && progressBefore({ calls: all }, call) === "finished";
}

/** Texts of the questions that a call sends or returns. */
const textsOf = (call: ConversationCall): readonly string[] => [
  ...(call.asked.question === undefined ? [] : [call.asked.question]),
  ...(conversationView(call)?.questions ?? []).flatMap(({ text }) => text ?? []),
];

/** Reports whether the run may have cancelled a question of a conversation. */
export function isCancelled(
  question: Pick<QuestionView, "id" | "text">,
  conversation: string | undefined,
  { byConversation, texts }: CancelledQuestions,
): boolean {
  const cancelled = conversation === undefined ? undefined : byConversation.get(conversation);
  const { text } = question;
  return (cancelled !== undefined && isAmong(question, cancelled)) || (text !== undefined && texts.has(text));
}

const isAmong = ({ id, text }: Pick<QuestionView, "id" | "text">, cancelled: Cancelled): boolean =>
  "ids" in cancelled ? id !== undefined && cancelled.ids.has(id) : text === undefined || !cancelled.allBut.has(text);

/** A cancelled question and the first read that no longer returns it. */
export interface DroppedQuestion {
  readonly conversation: string;
  readonly id: string;
  readonly call: ConversationCall;
}

/**
 * Legacy questions that a read no longer returns after their cancellation. The effect of a cancellation is unspecified,
 * so the conversation may drop the question. Source: conversation-api, section 3.1.
 */
export function droppedQuestions(threads: Threads): readonly DroppedQuestion[] {
  const { byConversation, tooLate } = cancelledQuestions(threads);
  const cancellations = [...threads("legacy"), ...threads("current")].flatMap(({ conversation, calls }) =>
    calls.filter((call) => call.operation === "cancel" && !tooLate.has(call)).map((call) => ({ conversation, call })),
  );
  return threads("legacy").flatMap(({ conversation, calls }) => {
    const cancelled = byConversation.get(conversation) ?? { ids: new Set<string>() };
    const views = calls.flatMap((call) => conversationView(call)?.questions ?? []);
    const shown =
      "ids" in cancelled
        ? cancelled.ids
        : new Set(views.filter((question) => isAmong(question, cancelled)).flatMap(({ id }) => id ?? []));
    const first = cancellations.find((cancellation) => cancellation.conversation === conversation)?.call.record.times
      .sentAtMicros;
    return [...shown].flatMap((id) => {
      const call = calls.find(
        (read) =>
          read.operation === "get" &&
          read.record.times.sentAtMicros > (first ?? Number.POSITIVE_INFINITY) &&
          lacksQuestion(conversationView(read), id),
      );
      return call === undefined ? [] : [{ conversation, id, call }];
    });
  });
}

const lacksQuestion = (view: ConversationView | undefined, id: string): boolean =>
  view !== undefined &&
  Array.isArray(member(view.json, "questions")) &&
  // A question without an id could be any question.
  view.questions.every((question) => question.id !== undefined && question.id !== id);
