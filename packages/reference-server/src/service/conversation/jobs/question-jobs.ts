import { startDeadline } from "../../http/search-deadline.ts";
import type { LatencySettings } from "../../latency.ts";
import type { Repository } from "../../repositories/repository.ts";
import type { ProcessPool } from "../../ripgrep/process-pool.ts";
import { answerQuestion } from "../agent/answer-question.ts";
import { createTitle } from "../agent/write-answer.ts";
import type { Clock } from "../clock.ts";
import { noWork, type QuestionOutcome, type QuestionRecord } from "../conversation-record.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { findImmediateFailure } from "./immediate-failure.ts";
import { drawThinkingTimeMs } from "./thinking-time.ts";

/** Changes the outcome of a question. If it returns `never`, the question remains in progress. */
export type OutcomeChange = (outcome: QuestionOutcome, question: QuestionRecord) => QuestionOutcome | "never";

/** Jobs that answer questions. */
export interface QuestionJobs {
  /** Starts to answer a question in progress. */
  start(question: QuestionRecord, change: OutcomeChange): void;
  /** Stops the work on a question and its processes. Does not store an outcome. */
  stop(questionId: number): void;
  /** Returns the number of running jobs. */
  countRunning(): number;
  /** Stops all jobs and waits until none is running. Their questions remain in progress. */
  close(): Promise<void>;
}

export interface JobContext extends LatencySettings {
  readonly store: ConversationStore;
  readonly repositories: readonly Repository[];
  readonly pool: ProcessPool;
  readonly clock: Clock;
  readonly seed: number | undefined;
}

/** Time limit for one question. */
const maxWorkMs = 60_000;

const internalError = ({ text }: QuestionRecord): QuestionOutcome => ({
  kind: "failed",
  title: createTitle(text),
  code: "ERROR_INTERNAL",
  message: "The question could not be answered because of an internal server failure.",
  stats: noWork,
});

const answerOrFail = async (
  context: JobContext,
  question: QuestionRecord,
  signal: AbortSignal,
): Promise<QuestionOutcome> => {
  const { clock, pool, repositories, seed } = context;
  const thinkingMs = drawThinkingTimeMs(context, question.text, seed);
  const failure = findImmediateFailure(question, clock.now());
  if (failure !== undefined) {
    await clock.wait(thinkingMs, signal);
    return failure;
  }
  return answerQuestion({ question: question.text, repositories, clock, thinkingMs, pool, signal });
};

/** Creates the jobs for the questions of a store. */
export const createQuestionJobs = (context: JobContext): QuestionJobs => {
  const { clock, store } = context;
  const jobs = new Map<number, { readonly controller: AbortController; readonly done: Promise<void> }>();
  const run = async (question: QuestionRecord, change: OutcomeChange, stopSignal: AbortSignal): Promise<void> => {
    const deadline = startDeadline(stopSignal, maxWorkMs);
    try {
      const outcome = await answerOrFail(context, question, deadline.signal).catch(() => internalError(question));
      const finalOutcome = stopSignal.aborted ? "never" : change(outcome, question);
      if (finalOutcome !== "never") {
        store.finish(question.id, finalOutcome, clock.now());
      }
    } finally {
      deadline.clear();
      jobs.delete(question.id);
    }
  };
  return {
    start: (question, change) => {
      const controller = new AbortController();
      // The job must be in the map before it can end.
      const done = Promise.resolve()
        .then(() => run(question, change, controller.signal))
        // The database did not store the outcome. The question remains in progress, as after a server stop.
        .catch(() => undefined);
      jobs.set(question.id, { controller, done });
    },
    stop: (questionId) => jobs.get(questionId)?.controller.abort(),
    countRunning: () => jobs.size,
    close: async () => {
      jobs.forEach(({ controller }) => controller.abort());
      await Promise.all([...jobs.values()].map(({ done }) => done));
    },
  };
};
