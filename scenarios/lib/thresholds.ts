import type { LoadMetricName } from "@assay/results";
import type { LoadFlow } from "./arrivals.ts";

/** Timings of a stock k6, by the names of its metrics. */
export const stockTimings = {
  first_byte: "headers",
  last_byte: "stream",
  conversation_create: "create",
  conversation_poll: "poll",
  conversation_delete: "delete",
  conversation_terminal: "terminal-upper",
} as const satisfies Record<string, LoadMetricName>;

/** k6 only tells the measured phase apart for metrics that have a threshold on it; this one always holds. */
const toldApart = (names: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(names.map((name) => [`${name}{phase:measure}`, ["max>=0"]]));

const timingsOf = ({ name }: LoadFlow): readonly string[] =>
  Object.keys(stockTimings).filter((metric) => metric.startsWith("conversation_") === (name === "conversation"));

/** Share of what is sent that has to go well. */
const okRate = "rate>=0.99";

/** What has to hold of a flow; `reader` says whether streams are read by the extension or by stock k6. */
function flowThresholds({ name }: LoadFlow, reader: "extension" | "stock"): Record<string, string[]> {
  if (name === "conversation") {
    return { conversation_violations: ["count==0"], "conversation_fine{phase:measure}": [okRate] };
  }
  return reader === "stock"
    ? { "first_byte_ok{phase:measure}": [okRate] }
    : { stream_violations: ["count==0"], "stream_ok{phase:measure}": [okRate] };
}

/**
 * What has to hold in every run, whatever its figures: no arrival was dropped, no script failed, arrivals came when they were
 * planned, the contract held, and nearly all went well. A run with drops or late arrivals is invalid, not slow.
 */
export const guards = (flows: readonly LoadFlow[], reader: "extension" | "stock"): Record<string, string[]> =>
  Object.assign(
    {
      dropped_iterations: ["count==0"],
      script_errors: ["count==0"],
      "start_lag{phase:measure}": ["p(99)<500"],
    },
    ...flows.map((flow) => flowThresholds(flow, reader)),
    ...flows.map((flow) => (reader === "stock" ? toldApart(timingsOf(flow)) : {})),
  );
