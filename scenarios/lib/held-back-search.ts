import type { StreamSample } from "@assay/results";
import type { Task } from "./iteration.ts";

/** Returns the sample of a search that is not sent because its target is overloaded. */
export const heldBackSearch = ({ iteration }: Task): StreamSample => ({
  kind: "stream",
  ...iteration,
  sendMs: iteration.planMs,
  endMs: iteration.planMs,
  outcome: "held-back",
  events: 0,
  matches: 0,
  bytes: 0,
});
