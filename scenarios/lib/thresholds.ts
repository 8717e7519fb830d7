import type { LoadFlow } from "./arrivals.ts";

/** k6's condition for the minimum share of requests that succeed. */
const okRateCondition = "rate>=0.99";

const listFlowThresholds = ({ name }: LoadFlow): Record<string, string[]> =>
  name === "conversation"
    ? { conversation_violations: ["count==0"], "conversation_fine{phase:measure}": [okRateCondition] }
    : { stream_violations: ["count==0"], "stream_ok{phase:measure}": [okRateCondition] };

/**
 * Returns the thresholds of every run: no dropped arrivals, no script errors, 99 % of arrivals less than 500 ms late,
 * no contract violations, and at most 1 % failures. A run with dropped or late arrivals is invalid, not slow.
 */
export const guards = (flows: readonly LoadFlow[]): Record<string, string[]> =>
  Object.assign(
    {
      dropped_iterations: ["count==0"],
      script_errors: ["count==0"],
      "start_lag{phase:measure}": ["p(99)<500"],
    },
    ...flows.map(listFlowThresholds),
  );
