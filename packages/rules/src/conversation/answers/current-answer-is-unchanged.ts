import { eachQuestion } from "../engine/each-question.ts";
import { isRecord, member } from "@assay/contract";
import { shownValue } from "../../engine/shown-value.ts";

/** An answer is text, whole or in blocks; blocks of other sorts than markdown may come. Source: conversation-api, section 2.4. */
export const currentAnswerIsUnchanged = eachQuestion({
  id: "current/answer-is-unchanged",
  interface: "current",
  check({ question }, report) {
    const answer = member(question.json, "answer");
    if (answer === undefined || answer === null) {
      return;
    }
    const place = { pointer: `${question.pointer}/answer` };
    report.opportunity();
    const departure = departureOf(answer);
    if (departure !== undefined) {
      report.violation({ message: departure, code: Array.isArray(answer) ? "no-block" : "no-answer", ...place });
      return;
    }
    const form = typeof answer === "string" ? "a text" : "an array of content blocks";
    report.note({ code: "current/answer-form", message: `an answer is ${form}`, ...place });
  },
});

/** How an answer departs from both forms, or nothing. */
function departureOf(answer: unknown): string | undefined {
  if (typeof answer === "string") {
    return undefined;
  }
  if (!Array.isArray(answer)) {
    return `an answer is neither a text nor blocks: \`${shownValue(answer)}\``;
  }
  const blocks: readonly unknown[] = answer;
  const index = blocks.findIndex((block) => !isBlock(block));
  return index === -1 ? undefined : `block ${index + 1} of an answer is no content block`;
}

const isBlock = (block: unknown): boolean =>
  isRecord(block) &&
  (!Object.hasOwn(block, "markdown") || typeof member(member(block, "markdown"), "text") === "string");
