import { formatValue } from "../../engine/format-value.ts";
import { isFinishedCurrent, isFinishedLegacy, idOfLater, findLinkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * A finished answer has the same text in both interfaces. Whitespace is ignored, because it is unspecified how blocks
 * are joined. `finished-answer-is-stable` reports an answer that differs between reads of one interface. Source:
 * conversation-api, sections 2.4 and 4.2.
 */
export const migrationAnswersAgree = defineMigrationRule({
  id: "migration/answers-agree",
  check(evidence, reportFor) {
    for (const conversation of findLinkedConversations(evidence)) {
      for (const { index, legacyRead, currentRead, isSame } of compareAnswers(conversation)) {
        const report = reportFor(idOfLater(legacyRead, currentRead));
        report.observation();
        if (!isSame) {
          report.violation({
            message: `the answer to question ${index + 1} of conversation ${formatValue(conversation.legacyId)} differs between the two interfaces`,
            pointer: `/questions/${index}/answer`,
          });
        }
      }
    }
  },
});

interface ComparedAnswer {
  readonly index: number;
  readonly legacyRead: ConversationRead;
  readonly currentRead: ConversationRead;
  readonly isSame: boolean;
}

/** The answers to one question in the reads of one interface. */
interface Answers {
  readonly texts: ReadonlySet<string>;
  readonly lastRead: ConversationRead;
}

function collectAnswers(index: number, text: string, reads: readonly ConversationRead[]): Answers | undefined {
  const matchingReads = reads.filter(({ view }) => view.questions[index]?.text === text);
  const answers = matchingReads
    .flatMap(({ view }) => view.questions[index]?.answer ?? [])
    .map((answer) => answer.replaceAll(/\s+/g, ""));
  const lastRead = matchingReads.at(-1);
  const texts = new Set(answers.filter((answer) => answer !== ""));
  return lastRead === undefined || texts.size === 0 ? undefined : { texts, lastRead };
}

function compareAnswers(conversation: LinkedConversation): readonly ComparedAnswer[] {
  const legacyReads = conversation.legacyReads.filter(isFinishedLegacy);
  const currentReads = conversation.currentReads.filter(isFinishedCurrent);
  const questions = legacyReads.at(-1)?.view.questions ?? [];
  return questions.flatMap(({ text = "" }, index) => {
    const legacyAnswers = collectAnswers(index, text, legacyReads);
    const currentAnswers = collectAnswers(index, text, currentReads);
    return legacyAnswers === undefined || currentAnswers === undefined
      ? []
      : [
          {
            index,
            legacyRead: legacyAnswers.lastRead,
            currentRead: currentAnswers.lastRead,
            isSame: [...legacyAnswers.texts].some((answer) => currentAnswers.texts.has(answer)),
          },
        ];
  });
}
