import type { CallSample, ConversationSample, StreamSample } from "@assay/results";
import { Counter, Trend } from "k6/metrics";

const conversationViolations = new Counter("conversation_violations");
const conversationTerminal = new Trend("conversation_terminal", true);
const callTimes = {
  create: new Trend("conversation_create", true),
  poll: new Trend("conversation_poll", true),
  delete: new Trend("conversation_delete", true),
};

function countCall({ operation, planMs, endMs, outcome, codes = {} }: CallSample): void {
  if (outcome === "ok") {
    callTimes[operation].add(endMs - planMs);
  }
  for (const [code, times] of Object.entries(codes)) {
    conversationViolations.add(times, { code });
  }
}

/** Feeds metrics about conversations by the names that the extension gives them. Their tags are those of the virtual user. */
export function countSample(sample: StreamSample | CallSample | ConversationSample): void {
  if (sample.kind === "call") {
    countCall(sample);
  } else if (sample.kind === "conversation" && sample.outcome === "ok") {
    conversationTerminal.add(sample.endMs - sample.planMs);
  }
}
