import type { ConversationSample, StreamSample } from "@assay/results";
import type { LoadFlow } from "./arrivals.ts";
import type { Task } from "./iteration.ts";

/** Returns the sample of an arrival that could not begin because all virtual users of the plan were busy. */
export function notBegun({ name }: LoadFlow, { iteration }: Task): StreamSample | ConversationSample {
  const { planMs } = iteration;
  const sample = { ...iteration, sendMs: planMs, endMs: planMs, outcome: "not-begun" } as const;
  return name === "search"
    ? { kind: "stream", ...sample, events: 0, matches: 0, bytes: 0 }
    : { kind: "conversation", ...sample, polls: 0 };
}
