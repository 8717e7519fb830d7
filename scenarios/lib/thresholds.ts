import type { LoadFlow } from "./arrivals.ts";

/** Minimum share of requests that succeed. */
const okRate = "rate>=0.99";

const flowThresholds = ({ name }: LoadFlow): Record<string, string[]> =>
  name === "conversation"
    ? { conversation_violations: ["count==0"], "conversation_fine{phase:measure}": [okRate] }
    : { stream_violations: ["count==0"], "stream_ok{phase:measure}": [okRate] };

/**
 * The thresholds of every run: no dropped arrivals, no script errors, no late arrivals, no contract
 * violations, and at most 1 % failures. A run with dropped or late arrivals is invalid, not slow.
 */
export const guards = (flows: readonly LoadFlow[]): Record<string, string[]> =>
  Object.assign(
    {
      dropped_iterations: ["count==0"],
      script_errors: ["count==0"],
      "start_lag{phase:measure}": ["p(99)<500"],
    },
    ...flows.map(flowThresholds),
  );
