import type { ConversationSample, StreamSample } from "@assay/results";
import type { LoadFlow } from "./arrivals.ts";
import type { Task } from "./iteration.ts";

/** An arrival that could not begin, because all virtual users that the plan allows were at work. */
export function notBegun({ name }: LoadFlow, { iteration }: Task): StreamSample | ConversationSample {
  const { planMs } = iteration;
  const sample = { ...iteration, sendMs: planMs, endMs: planMs, outcome: "not-begun" } as const;
  return name === "search"
    ? { kind: "stream", ...sample, events: 0, matches: 0, bytes: 0 }
    : { kind: "conversation", ...sample, polls: 0 };
}
