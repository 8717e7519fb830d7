/** How careful a run is with a target. */
export const conversationLimitNames = ["local", "staging", "production"] as const;
export type ConversationLimitName = (typeof conversationLimitNames)[number];

/** What a run may ask of a target: how fast, and of its conversation interfaces how much. */
export interface ConversationLimits {
  readonly name: ConversationLimitName;
  /** Questions that may be asked, those of follow-ups included; `Infinity` for any number, 0 for reading alone. */
  readonly questions: number;
  /** Requests of any kind, searches and calls of both interfaces together; `Infinity` for no limit. */
  readonly requestsPerSecond: number;
  /** Searches on their way at the same time; `Infinity` for no limit. */
  readonly searchesAtOnce: number;
  /** Shortest time between two polls of one poller; the first poll waits as long. */
  readonly minPollMs: number;
  /** Longest time between two polls, before jitter. */
  readonly maxPollMs: number;
  /** How long a question is polled for. */
  readonly questionDeadlineMs: number;
  /** One call, from sending to its end. */
  readonly callTimeoutMs: number;
  /** Longest wait that a target may ask for with `Retry-After` or a time to retry. */
  readonly maxRetryWaitMs: number;
}

export interface ConversationLimitOverrides extends Partial<Omit<ConversationLimits, "name" | "questions">> {
  /** A number, or `usual` for what is usual where a budget was asked for without one (5 on production). */
  readonly questions?: number | "usual";
}

interface Usual extends Omit<ConversationLimits, "name"> {
  /** Questions where a budget was asked for without a number. */
  readonly usualQuestions: number;
}

const patient = { minPollMs: 1000, maxPollMs: 10_000, questionDeadlineMs: 600_000, callTimeoutMs: 60_000 } as const;

const usual: Readonly<Record<ConversationLimitName, Usual>> = {
  local: {
    questions: Number.POSITIVE_INFINITY,
    usualQuestions: Number.POSITIVE_INFINITY,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    searchesAtOnce: Number.POSITIVE_INFINITY,
    minPollMs: 20,
    maxPollMs: 1000,
    questionDeadlineMs: 60_000,
    callTimeoutMs: 30_000,
    maxRetryWaitMs: 60_000,
  },
  staging: {
    ...patient,
    questions: 25,
    usualQuestions: 25,
    requestsPerSecond: 10,
    searchesAtOnce: Number.POSITIVE_INFINITY,
    maxRetryWaitMs: 60_000,
  },
  production: {
    ...patient,
    questions: 0,
    usualQuestions: 5,
    requestsPerSecond: 2,
    searchesAtOnce: 1,
    maxRetryWaitMs: 60_000,
  },
};

/**
 * The limits of that name, with others in place of the usual ones. On production no question is asked unless a budget is
 * given.
 */
export function conversationLimits(
  name: ConversationLimitName,
  { questions, ...overrides }: ConversationLimitOverrides = {},
): ConversationLimits {
  const { usualQuestions, ...limits } = usual[name];
  const budget = questions === "usual" ? usualQuestions : (questions ?? limits.questions);
  return { ...limits, ...overrides, name, questions: budget };
}
