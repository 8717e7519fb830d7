import { runMark } from "./thread.ts";

const fallback = "What does this code do?";

/** The questions of a run. Each is unique, so that an answer to another one is noticed. */
export function questionTexts(questions: readonly string[], runId: string): () => string {
  let count = 0;
  return () => {
    const text = questions[count % questions.length] ?? fallback;
    const round = Math.floor(count / Math.max(1, questions.length)) + 1;
    count += 1;
    return `${text}${round === 1 ? "" : ` (${round})`} ${runMark(runId)}`;
  };
}

/** Characters of a question that exceeds every token limit. */
const tooLong = 24_000;

export const longQuestion = (question: string): string =>
  `${"lorem ipsum dolor sit amet ".repeat(tooLong / 27)}${question}`;
