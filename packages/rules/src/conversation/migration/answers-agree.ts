import { formatValue } from "../../engine/format-value.ts";
import { isFinishedCurrent, isFinishedLegacy, idOfLater, linkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * A finished answer has the same text in both interfaces. Whitespace is ignored, because it is unspecified how blocks
 * are joined. An answer that differs between reads of one interface fails another rule. Source: conversation-api,
 * sections 2.4 and 4.2.
 */
export const migrationAnswersAgree = defineMigrationRule({
  id: "migration/answers-agree",
  check(evidence, reportFor) {
    for (const linked of linkedConversations(evidence)) {
      for (const { index, legacy, current, isSame } of compareAnswers(linked)) {
        const report = reportFor(idOfLater(legacy, current));
        report.observation();
        if (!isSame) {
          report.violation({
            message: `the answer to question ${index + 1} of conversation ${formatValue(linked.legacyId)} differs between the two interfaces`,
            pointer: `/questions/${index}/answer`,
          });
        }
      }
    }
  },
});

interface ComparedAnswer {
  readonly index: number;
  readonly legacy: ConversationRead;
  readonly current: ConversationRead;
  readonly isSame: boolean;
}

/** The answers to one question in the reads of one interface. */
interface Answers {
  readonly texts: ReadonlySet<string>;
  readonly last: ConversationRead;
}

function answersTo(index: number, text: string, showings: readonly ConversationRead[]): Answers | undefined {
  const matching = showings.filter(({ view }) => view.questions[index]?.text === text);
  const answers = matching
    .flatMap(({ view }) => view.questions[index]?.answer ?? [])
    .map((answer) => answer.replaceAll(/\s+/g, ""));
  const last = matching.at(-1);
  const texts = new Set(answers.filter((answer) => answer !== ""));
  return last === undefined || texts.size === 0 ? undefined : { texts, last };
}

function compareAnswers({ legacy, current }: LinkedConversation): readonly ComparedAnswer[] {
  const finished = { legacy: legacy.filter(isFinishedLegacy), current: current.filter(isFinishedCurrent) };
  const questions = finished.legacy.at(-1)?.view.questions ?? [];
  return questions.flatMap(({ text = "" }, index) => {
    const ours = answersTo(index, text, finished.legacy);
    const theirs = answersTo(index, text, finished.current);
    return ours === undefined || theirs === undefined
      ? []
      : [
          {
            index,
            legacy: ours.last,
            current: theirs.last,
            isSame: [...ours.texts].some((answer) => theirs.texts.has(answer)),
          },
        ];
  });
}
