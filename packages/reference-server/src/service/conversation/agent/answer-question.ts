import type { Repository } from "../../repositories/repository.ts";
import type { SearchContext } from "../../search/search-context.ts";
import type { Clock } from "../clock.ts";
import type { QuestionOutcome, WorkStats } from "../conversation-record.ts";
import { type InvestigationResult, investigate } from "./investigate.ts";
import { type WrittenAnswer, writeAnswer } from "./write-answer.ts";

export interface AnswerInput extends SearchContext {
  readonly question: string;
  readonly repositories: readonly Repository[];
  readonly clock: Clock;
  /** Simulated thinking time, in addition to the actual work. */
  readonly thinkingMs: number;
}

const turnCount = 3;
const bytesPerToken = 4;
const tokensPerCredit = 3000;
/** Maximum length of an answer. Longer answers are cut and end in an error, as when a model reaches its limit. */
const maxAnswerCharacters = 40_000;

const estimateTokens = (length: number): number => Math.ceil(length / bytesPerToken);

const createStats = (
  question: string,
  { bytes, toolCalls }: InvestigationResult,
  answer: string,
): Omit<WorkStats, "timeMs"> => {
  const [inputTokens, promptTokens, completionTokens] = [bytes, question.length, answer.length].map(estimateTokens);
  const parts = {
    inputTokens: inputTokens ?? 0,
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  };
  const total = parts.inputTokens + parts.promptTokens + parts.completionTokens;
  return { ...parts, toolCalls, credits: Math.max(1, Math.ceil(total / tokensPerCredit)) };
};

const createOutcome = (writtenAnswer: WrittenAnswer, stats: WorkStats): QuestionOutcome =>
  writtenAnswer.answer.length <= maxAnswerCharacters
    ? { kind: "completed", ...writtenAnswer, stats }
    : {
        kind: "failed",
        title: writtenAnswer.title,
        code: "ERROR_INTERNAL",
        message: 'This answer exceeds the length limit. Ask a follow-up question such as "continue" to see more.',
        answer: writtenAnswer.answer.slice(0, maxAnswerCharacters).replace(/[\uD800-\uDBFF]$/u, ""),
        stats,
      };

/**
 * Answers a question by searching, without a model. The same question about the same commits yields the same answer, except for
 * durations. Rejects when the signal fires.
 */
export const answerQuestion = async (input: AnswerInput): Promise<QuestionOutcome> => {
  const { clock, question, signal, thinkingMs } = input;
  const startedAtMs = clock.now();
  const findings = await investigate({
    ...input,
    beforeTurn: async () => {
      await clock.wait(thinkingMs / turnCount, signal);
      signal.throwIfAborted();
    },
  });
  const writtenAnswer = writeAnswer(question, findings);
  const timeMs = Math.max(0, Math.round(clock.now() - startedAtMs));
  return createOutcome(writtenAnswer, { timeMs, ...createStats(question, findings, writtenAnswer.answer) });
};
