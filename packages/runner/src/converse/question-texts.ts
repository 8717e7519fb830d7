import { createRunMark } from "./run-conversation.ts";

const fallbackQuestion = "What does this code do?";

/** Returns a function that creates the questions of a run. Each question is unique, so that an answer to the wrong question is noticed. */
export function createQuestionTexts(questions: readonly string[], runId: string): () => string {
  let count = 0;
  return () => {
    const text = questions[count % questions.length] ?? fallbackQuestion;
    const round = Math.floor(count / Math.max(1, questions.length)) + 1;
    count += 1;
    return `${text}${round === 1 ? "" : ` (${round})`} ${createRunMark(runId)}`;
  };
}

/** Length of a question that exceeds most token limits. */
const defaultLongQuestionTokens = 6_000;
/** A token of English text has about this many characters. */
const charactersPerToken = 4;

const fillerText = "lorem ipsum dolor sit amet ";

export const createLongQuestion = (question: string, tokens = defaultLongQuestionTokens): string =>
  `${fillerText.repeat(Math.ceil((tokens * charactersPerToken) / fillerText.length))}${question}`;
