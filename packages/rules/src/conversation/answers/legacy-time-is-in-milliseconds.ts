import { member } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { reportBlocked, operationsReturningConversation } from "../engine/define-conversation-check.ts";
import { collectQuestions } from "../engine/define-question-check.ts";

/** A year. Larger values are timestamps or in a different unit. */
const maxMillis = 366 * 86_400_000;
/**
 * Factor, and number of milliseconds, by which the time may exceed the age of the question. A value in a wrong unit
 * exceeds both limits.
 */
const maxAgeFactor = 100;
const minExcessMillis = 600_000;

/**
 * The processing time of a question cannot exceed its age. If it does, it is not in milliseconds. A small excess is
 * ignored, because the specification does not define the measured time. Source: conversation-api, section 2.3.
 */
export const legacyTimeIsInMilliseconds = defineConversationRule({
  id: "legacy/time-is-in-milliseconds",
  check(evidence, reportFor) {
    const questions = collectQuestions(evidence, "legacy");
    const askingCalls = new Map(
      questions.flatMap(({ isNew, question, call }) =>
        isNew && question.id !== undefined ? [[question.id, call]] : [],
      ),
    );
    for (const { question, call } of questions) {
      const millis = member(member(question.json, "stats"), "time_millis");
      // `legacy/stats-are-counts` and `legacy/stats-are-zero-while-processing` check the value itself.
      if (!Number.isSafeInteger(millis) || Number(millis) <= 0) {
        continue;
      }
      const report = reportFor(call.record.id);
      report.observation();
      const ageMs = findAgeMs(call, askingCalls.get(question.id ?? ""));
      if (Number(millis) > maxMillis || (ageMs !== undefined && isInWrongUnit(Number(millis), ageMs))) {
        const ageClause =
          ageMs === undefined ? "" : `, and the question was asked only ${Math.ceil(ageMs)} ms before this response`;
        report.violation({
          message: `\`time_millis\` is ${String(millis)}, which is not in milliseconds${ageClause}`,
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

const isInWrongUnit = (millis: number, ageMs: number): boolean =>
  millis > ageMs * maxAgeFactor && millis > ageMs + minExcessMillis;

/**
 * Returns the milliseconds from the request of a question to the end of a later response that shows it. It returns
 * undefined if their order is unknown.
 */
function findAgeMs(laterCall: ConversationCall, askingCall: ConversationCall | undefined): number | undefined {
  return askingCall === undefined || askingCall.record.times.endedAtMicros > laterCall.record.times.sentAtMicros
    ? undefined
    : (laterCall.record.times.endedAtMicros - askingCall.record.times.sentAtMicros) / 1000;
}
