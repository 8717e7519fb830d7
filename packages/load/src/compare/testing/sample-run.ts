import { loadSides, type LoadSide } from "@assay/contract";
import type { LoadPlan, StreamSample } from "@assay/results";
import { simulatedPlan } from "./simulate-pairs.ts";

export interface SampleRun {
  readonly pairs: number;
  readonly warmupPairs?: number;
  readonly requestsPerBlock?: number;
  readonly queries?: number;
  /** Time to first match in milliseconds. */
  readonly latencyMs?: (at: { readonly side: LoadSide; readonly pair: number; readonly request: number }) => number;
}

/** A small paired run: two queries, 20 requests in each block, and times that vary by a few percent by default. */
export const sampleRun = ({
  pairs,
  warmupPairs = 2,
  requestsPerBlock = 20,
  queries = 2,
  latencyMs = ({ pair, request }) => 100 + ((pair * 7 + request * 13) % 11) / 10,
}: SampleRun): { readonly plan: LoadPlan; readonly samples: readonly StreamSample[] } => {
  const plan = simulatedPlan({ pairs, warmupPairs, requestsPerBlock, margins: {} });
  const samples = Array.from({ length: pairs + warmupPairs }, (_pair, pair) =>
    loadSides.flatMap((side) =>
      Array.from({ length: requestsPerBlock }, (_, request): StreamSample => {
        const planMs = pair * 10_000 + request * 50;
        const firstMatchMs = planMs + latencyMs({ side, pair, request });
        return {
          kind: "stream",
          flow: "search",
          phase: "measure",
          side,
          block: 2 * pair + (side === "base" ? 0 : 1),
          pair,
          query: `q${request % queries}`,
          planMs,
          sendMs: planMs + 5,
          firstMatchMs,
          endMs: firstMatchMs + 1,
          outcome: "ok",
          events: 3,
          matches: 1,
          bytes: 10,
        };
      }),
    ),
  ).flat();
  return { plan, samples };
};
