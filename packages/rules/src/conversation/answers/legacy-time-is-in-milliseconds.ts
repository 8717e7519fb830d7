import { member } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { reportObstacles, showingOperations } from "../engine/each-conversation.ts";
import { seenQuestions } from "../engine/each-question.ts";
import type { SeenQuestion } from "../engine/each-question.ts";

/** A year: what took longer is a point in time, or counted in another unit. */
const maxMillis = 366 * 86_400_000;
/** How much longer a question may say that it took than it was asked ago: only another unit of time is beyond both. */
const maxFactor = 100;
const minExcessMillis = 600_000;

/**
 * A question did not take longer than since it was asked: beyond that, the number is no number of milliseconds. A small excess says
 * nothing, since it is not documented what the time counts. Source: conversation-api, section 2.3.
 */
export const legacyTimeIsInMilliseconds = defineConversationRule({
  id: "legacy/time-is-in-milliseconds",
  check(evidence, reportFor) {
    const seen = seenQuestions(evidence, "legacy");
    const askedBy = new Map(
      seen.flatMap(({ isNew, question, call }) => (isNew && question.id !== undefined ? [[question.id, call]] : [])),
    );
    for (const { question, call } of seen) {
      const millis = member(member(question.json, "stats"), "time_millis");
      // What is no count has a rule of its own, and so has a question that is not 0 while it is processing.
      if (!Number.isSafeInteger(millis) || Number(millis) <= 0) {
        continue;
      }
      const report = reportFor(call.record.id);
      report.observation();
      const age = ageMillis(call, askedBy.get(question.id ?? ""));
      if (Number(millis) > maxMillis || (age !== undefined && isOtherUnit(Number(millis), age))) {
        const since =
          age === undefined ? "" : `, and the question was asked ${Math.ceil(age)} ms before this was answered`;
        report.violation({
          message: `\`time_millis\` is ${String(millis)}, which is no number of milliseconds${since}`,
          pointer: `${question.pointer}/stats/time_millis`,
        });
      }
    }
    reportObstacles(
      evidence.calls.filter((call) => call.interface === "legacy" && showingOperations.includes(call.operation)),
      reportFor,
    );
  },
});

const isOtherUnit = (millis: number, age: number): boolean =>
  millis > age * maxFactor && millis > age + minExcessMillis;

/** Milliseconds from the request that asked a question to the end of a later answer that shows it; nothing where no such order is known. */
function ageMillis(shown: ConversationCall, asked: SeenQuestion["call"] | undefined): number | undefined {
  return asked === undefined || asked.record.times.endedAtMicros > shown.record.times.sentAtMicros
    ? undefined
    : (shown.record.times.endedAtMicros - asked.record.times.sentAtMicros) / 1000;
}
