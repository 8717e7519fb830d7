import type { Clock } from "../../../service/conversation/clock.ts";
import type { QuestionOutcome, QuestionRecord } from "../../../service/conversation/conversation-record.ts";
import { findImmediateFailure } from "../../../service/conversation/jobs/immediate-failure.ts";
import type { OutcomeChange, QuestionJobs } from "../../../service/conversation/jobs/question-jobs.ts";
import type { ConversationStore } from "../../../service/conversation/store/conversation-store.ts";

const answered = ({ id, text }: QuestionRecord): QuestionOutcome => ({
  kind: "completed",
  title: text.slice(0, 40),
  answer: `The answer to question ${id} is in [a.ts](/r/-/blob/a.ts), and nowhere else.`,
  sources: [
    { type: "Repository", link: "/r", label: "r" },
    { type: "File", link: "/r/-/blob/a.ts", label: "a.ts" },
  ],
  followups: ["What calls it?"],
  stats: { timeMs: 12, toolCalls: 2, inputTokens: 30, promptTokens: 20, completionTokens: 10, credits: 1 },
});

/** Jobs that answer questions on demand, without searching. */
export const createHeldJobs = (
  store: ConversationStore,
  clock: Pick<Clock, "now">,
): { readonly jobs: QuestionJobs; readonly finish: () => void } => {
  const held = new Map<number, { readonly question: QuestionRecord; readonly change: OutcomeChange }>();
  const finish = (): void => {
    held.forEach(({ change, question }, id) => {
      const ended = change(findImmediateFailure(question, clock.now()) ?? answered(question), question);
      if (ended !== "never") {
        store.finish(id, ended, clock.now());
      }
    });
    held.clear();
  };
  return {
    finish,
    jobs: {
      start: (question, change) => void held.set(question.id, { question, change }),
      stop: (id) => void held.delete(id),
      countRunning: () => held.size,
      close: async () => held.clear(),
    },
  };
};
