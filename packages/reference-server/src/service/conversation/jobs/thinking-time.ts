import { drawDelayMs, type LatencyName, type LatencySettings, scaleDelay } from "../../latency.ts";
import { type Random, seededRandom } from "../../seeded-random.ts";

/** Distributions of the simulated time for answering a question. */
const thinkingTimes = {
  instant: { medianMs: 120, sigma: 0 },
  laptop: { medianMs: 600, sigma: 0.3 },
  staging: { medianMs: 3000, sigma: 0.4 },
  overloaded: { medianMs: 8000, sigma: 0.2 },
} as const satisfies Record<LatencyName, { readonly medianMs: number; readonly sigma: number }>;

/** Returns a simulated thinking time of at most 10 s. With a seed, the same question always yields the same time. */
export const drawThinkingTimeMs = (
  { latency, latencyFactor }: LatencySettings,
  question: string,
  seed: number | undefined,
): number => {
  const random: Random = seed === undefined ? Math.random : seededRandom(seed, `thinking/${question}`);
  return drawDelayMs(scaleDelay(thinkingTimes[latency], latencyFactor), random);
};
