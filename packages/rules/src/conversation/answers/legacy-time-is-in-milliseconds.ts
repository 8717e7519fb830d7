import { member } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { reportBlocked, operationsReturningConversation } from "../engine/define-conversation-check.ts";
import { collectQuestions } from "../engine/define-question-check.ts";
import type { SeenQuestion } from "../engine/define-question-check.ts";

/** One year. Larger values are timestamps or in a different unit. */
const maxMillis = 366 * 86_400_000;
/** Factor by which the time may exceed the age of the question. A value in a wrong unit exceeds both limits. */
const maxFactor = 100;
const minExcessMillis = 600_000;

/**
 * The processing time of a question cannot exceed its age. If it does, it is not in milliseconds. A small excess is
 * ignored, because the specification does not define the measured time. Source: conversation-api, section 2.3.
 */
export const legacyTimeIsInMilliseconds = defineConversationRule({
  id: "legacy/time-is-in-milliseconds",
  check(evidence, reportFor) {
    const questions = collectQuestions(evidence, "legacy");
    const askedBy = new Map(
      questions.flatMap(({ isNew, question, call }) =>
        isNew && question.id !== undefined ? [[question.id, call]] : [],
      ),
    );
    for (const { question, call } of questions) {
      const millis = member(member(question.json, "stats"), "time_millis");
      // Other rules check that the value is a count, and that it is 0 while the question is processing.
      if (!Number.isSafeInteger(millis) || Number(millis) <= 0) {
        continue;
      }
      const report = reportFor(call.record.id);
      report.observation();
      const age = ageMillis(call, askedBy.get(question.id ?? ""));
      if (Number(millis) > maxMillis || (age !== undefined && isInWrongUnit(Number(millis), age))) {
        const since =
          age === undefined ? "" : `, and the question was asked only ${Math.ceil(age)} ms before this response`;
        report.violation({
          message: `\`time_millis\` is ${String(millis)}, which is not in milliseconds${since}`,
          pointer: `${question.pointer}/stats/time_millis`,
        });
      }
    }
    reportBlocked(
      evidence.calls.filter(
        (call) => call.interface === "legacy" && operationsReturningConversation.includes(call.operation),
      ),
      reportFor,
    );
  },
});

const isInWrongUnit = (millis: number, age: number): boolean =>
  millis > age * maxFactor && millis > age + minExcessMillis;

/**
 * The milliseconds from the request of a question to the end of a later response that shows it. Undefined if their
 * order is unknown.
 */
function ageMillis(shown: ConversationCall, asked: SeenQuestion["call"] | undefined): number | undefined {
  return asked === undefined || asked.record.times.endedAtMicros > shown.record.times.sentAtMicros
    ? undefined
    : (shown.record.times.endedAtMicros - asked.record.times.sentAtMicros) / 1000;
}
