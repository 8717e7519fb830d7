import type { LoadFlow } from "./arrivals.ts";

/** Share of what is sent that has to go well. */
const okRate = "rate>=0.99";

/** What has to hold of a flow; `eyes` says whether streams are read by the extension or by stock k6. */
function flowThresholds({ name }: LoadFlow, eyes: "extension" | "stock"): Record<string, string[]> {
  if (name === "conversation") {
    return { conversation_violations: ["count==0"], "conversation_fine{phase:measure}": [okRate] };
  }
  return eyes === "stock"
    ? { "first_byte_ok{phase:measure}": [okRate] }
    : { stream_violations: ["count==0"], "stream_ok{phase:measure}": [okRate] };
}

/**
 * What has to hold in every run, whatever its figures: no arrival was dropped, no script failed, arrivals came when they were
 * planned, the contract held, and nearly all went well. A run with drops or late arrivals is invalid, not slow.
 */
export const guards = (flows: readonly LoadFlow[], eyes: "extension" | "stock"): Record<string, string[]> =>
  Object.assign(
    {
      dropped_iterations: ["count==0"],
      script_errors: ["count==0"],
      "start_lag{phase:measure}": ["p(99)<500"],
    },
    ...flows.map((flow) => flowThresholds(flow, eyes)),
  );
