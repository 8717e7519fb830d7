import { defineQuestionCheck } from "../engine/define-question-check.ts";
import { isRecord, member } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";

/**
 * An answer is a string, as in the legacy interface. A null answer is treated as absent. Source: conversation-api,
 * sections 2.2 and 2.4.
 */
export const currentAnswerIsUnchanged = defineQuestionCheck({
  id: "current/answer-is-unchanged",
  interface: "current",
  check({ question }, report) {
    const answer = member(question.json, "answer");
    if (answer === undefined || answer === null) {
      return;
    }
    report.observation();
    if (typeof answer !== "string") {
      report.violation({ ...describeWrongAnswer(answer), pointer: `${question.pointer}/answer` });
    }
  },
});

/** Describes the wrong type of an answer. Known instances send content blocks, so these have a separate code. */
function describeWrongAnswer(answer: unknown): { readonly code: string; readonly message: string } {
  if (!Array.isArray(answer)) {
    return { code: "no-answer", message: `an answer is not a string: \`${formatValue(answer)}\`` };
  }
  const blocks: readonly unknown[] = answer;
  const index = blocks.findIndex((block) => !isBlock(block));
  return index === -1
    ? { code: "blocks", message: "an answer is an array of content blocks, not a string" }
    : {
        code: "no-block",
        message: `an answer is an array, not a string, and element ${index + 1} is not a content block`,
      };
}

const isBlock = (block: unknown): boolean =>
  isRecord(block) &&
  (!Object.hasOwn(block, "markdown") || typeof member(member(block, "markdown"), "text") === "string");
