/** Names of preset limits, from the least to the most careful. */
export const conversationLimitNames = ["local", "staging", "production"] as const;
export type ConversationLimitName = (typeof conversationLimitNames)[number];

/** Limits of a run: request rates, and the number of questions. */
export interface ConversationLimits {
  readonly name: ConversationLimitName;
  /** Maximum number of questions, including follow-ups; `Infinity` for no limit, 0 for reads only. */
  readonly questions: number;
  /** Rate of all requests together: searches and calls of both interfaces; `Infinity` for no limit. */
  readonly requestsPerSecond: number;
  /** Maximum number of concurrent searches; `Infinity` for no limit. */
  readonly maxConcurrentSearches: number;
  /** Minimum time between two polls of one poller, and before its first poll. */
  readonly minPollMs: number;
  /** Maximum time between two polls, before jitter. */
  readonly maxPollMs: number;
  /** Time limit for polling a question. */
  readonly questionDeadlineMs: number;
  /** Timeout of one call. */
  readonly callTimeoutMs: number;
  /** Number of generated sequences of commands, each on a conversation of its own. */
  readonly sequences: number;
  /** Length of the question that must exceed the token limit. Default: long enough for most, and sent to local targets only. */
  readonly longQuestionTokens?: number;
  /** Maximum wait that a target may ask for with `Retry-After` or a retry time. */
  readonly maxRetryWaitMs: number;
}

export interface ConversationLimitOverrides extends Partial<Omit<ConversationLimits, "name" | "questions">> {
  /** A number, or `usual` for the default of a budget without a number (5 on production). */
  readonly questions?: number | "usual";
}

interface DefaultLimits extends Omit<ConversationLimits, "name"> {
  /** Default of a budget without a number. */
  readonly defaultQuestions: number;
}

const patientLimits = {
  minPollMs: 1000,
  maxPollMs: 10_000,
  questionDeadlineMs: 600_000,
  callTimeoutMs: 60_000,
  sequences: 0,
} as const;

const limitsByName: Readonly<Record<ConversationLimitName, DefaultLimits>> = {
  local: {
    questions: Number.POSITIVE_INFINITY,
    defaultQuestions: Number.POSITIVE_INFINITY,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    maxConcurrentSearches: Number.POSITIVE_INFINITY,
    minPollMs: 20,
    maxPollMs: 1000,
    questionDeadlineMs: 60_000,
    callTimeoutMs: 30_000,
    sequences: 0,
    maxRetryWaitMs: 60_000,
  },
  staging: {
    ...patientLimits,
    questions: 25,
    defaultQuestions: 25,
    requestsPerSecond: 10,
    maxConcurrentSearches: Number.POSITIVE_INFINITY,
    maxRetryWaitMs: 60_000,
  },
  production: {
    ...patientLimits,
    questions: 0,
    defaultQuestions: 5,
    requestsPerSecond: 2,
    maxConcurrentSearches: 1,
    maxRetryWaitMs: 60_000,
  },
};

/** Returns the named limits with overrides. On production no question is asked unless a budget is set. */
export function conversationLimits(
  name: ConversationLimitName,
  { questions, ...overrides }: ConversationLimitOverrides = {},
): ConversationLimits {
  const { defaultQuestions, ...limits } = limitsByName[name];
  const budget = questions === "usual" ? defaultQuestions : (questions ?? limits.questions);
  return { ...limits, ...overrides, name, questions: budget };
}
