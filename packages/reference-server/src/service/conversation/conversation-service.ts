import { randomUUID } from "node:crypto";
import type { ConversationAct } from "../ports.ts";
import { seededHexDigits } from "../seeded-random.ts";
import type { Clock } from "./clock.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "./conversation-record.ts";
import type { OutcomeChange, QuestionJobs } from "./jobs/question-jobs.ts";
import { quotaResetMs } from "./jobs/immediate-failure.ts";
import { type ConversationStore, formatMonth } from "./store/conversation-store.ts";
import type { ListedPage, ListQuery } from "./store/list-query.ts";

/** The ports of one call. */
export interface CallHooks {
  readonly isVisible: (isVisible: boolean, conversation: ConversationRecord) => boolean;
  readonly shouldPerform: (act: ConversationAct) => boolean;
  readonly creationCount: (count: number) => number;
  /** Returns undefined for the next free id. */
  readonly newId: () => number | undefined;
  readonly list: (query: ListQuery) => ListQuery;
  readonly page: (page: ListedPage) => ListedPage;
  /** Returns an outcome to end a new question immediately. */
  readonly immediateOutcome: (question: QuestionRecord) => QuestionOutcome | undefined;
  readonly finalOutcome: OutcomeChange;
}

/** Usage of a user's quota. */
export interface QuotaUsage {
  /** Questions asked this month. */
  readonly used: number;
  /** Start of the next month. */
  readonly resetAtMs: number;
}

/** Operations of both interfaces on conversations. Callers check access first. */
export interface ConversationService {
  create(userId: number, text: string, hooks: CallHooks): ConversationRecord;
  /** Returns `undefined` if it does not exist or belongs to another user. */
  find(id: number, userId: number, hooks: CallHooks): ConversationRecord | undefined;
  list(query: ListQuery, hooks: CallHooks): ListedPage;
  /** Adds a question. Returns undefined if a question is still in progress. */
  followUp(conversation: ConversationRecord, text: string, hooks: CallHooks): ConversationRecord | undefined;
  /** Cancels a question. Returns undefined if it is not in progress. */
  cancel(question: QuestionRecord, hooks: CallHooks): ConversationRecord | undefined;
  remove(conversation: ConversationRecord, hooks: CallHooks): void;
  quotaUsage(userId: number): QuotaUsage;
  now(): number;
}

/** Dependencies of the service. */
export interface ConversationDependencies {
  readonly store: ConversationStore;
  readonly jobs: QuestionJobs;
  readonly clock: Clock;
  readonly seed: number | undefined;
}

const createSeededUuid = (seed: number, id: number): string => {
  const digits = seededHexDigits(seed, { label: `conversation/${id}`, digits: 32 });
  // Version 4, variant 10xx.
  const uuidDigits = `${digits.slice(0, 12)}4${digits.slice(13, 16)}a${digits.slice(17)}`;
  return uuidDigits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
};

export const isInProgress = ({ outcome }: QuestionRecord): boolean => outcome === undefined;

type ConversationReader = Pick<ConversationService, "find" | "list" | "quotaUsage" | "now">;

const createReader = ({ clock, store }: ConversationDependencies): ConversationReader => ({
  find: (id, userId, hooks) => {
    const conversation = store.find(id);
    return conversation !== undefined && hooks.isVisible(conversation.userId === userId, conversation)
      ? conversation
      : undefined;
  },
  list: (query, hooks) => hooks.page(store.list(hooks.list(query))),
  quotaUsage: (userId) => {
    const nowMs = clock.now();
    return { used: store.countAskedQuestions(userId, formatMonth(nowMs)), resetAtMs: quotaResetMs(nowMs) };
  },
  now: () => clock.now(),
});

/** Creates the service from a store and the jobs that answer questions. */
export const createConversationService = (parts: ConversationDependencies): ConversationService => {
  const { clock, jobs, seed, store } = parts;
  const readToken = (id: number): string => (seed === undefined ? randomUUID() : createSeededUuid(seed, id));
  /** Starts or immediately ends the last question, and returns the conversation. */
  const startLastQuestion = (
    conversation: ConversationRecord,
    { immediateOutcome, finalOutcome }: CallHooks,
  ): ConversationRecord => {
    const last = conversation.questions.at(-1);
    if (last === undefined || !isInProgress(last)) {
      return conversation;
    }
    const outcome = immediateOutcome(last);
    if (outcome === undefined) {
      jobs.start(last, finalOutcome);
      return conversation;
    }
    store.finish(last.id, outcome, clock.now());
    return store.find(conversation.id) ?? conversation;
  };
  return {
    ...createReader(parts),
    create: (userId, text, hooks) => {
      const createOne = (): ConversationRecord =>
        startLastQuestion(store.create({ userId, text, nowMs: clock.now(), id: hooks.newId() }, readToken), hooks);
      const first = createOne();
      for (let count = 1; count < hooks.creationCount(1); count += 1) {
        createOne();
      }
      return first;
    },
    followUp: ({ id, questions, userId }, text, hooks) => {
      if (questions.some(isInProgress)) {
        return undefined;
      }
      if (!hooks.shouldPerform("follow-up")) {
        return store.find(id);
      }
      store.ask(id, { userId, text, nowMs: clock.now() });
      const conversation = store.find(id);
      return conversation === undefined ? undefined : startLastQuestion(conversation, hooks);
    },
    cancel: ({ conversationId, id }, hooks) => {
      if (!hooks.shouldPerform("cancel")) {
        return store.find(conversationId);
      }
      const isCanceled = store.finish(id, { kind: "canceled" }, clock.now());
      jobs.stop(id);
      return isCanceled ? store.find(conversationId) : undefined;
    },
    remove: ({ id, questions }, hooks) => {
      if (hooks.shouldPerform("delete")) {
        questions.forEach((question) => jobs.stop(question.id));
        store.delete(id);
      }
    },
  };
};
