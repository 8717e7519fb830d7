import { setTimeout as wait } from "node:timers/promises";
import { HarnessError, closestName } from "@assay/contract";
import type { Random } from "./seeded-random.ts";
import type { SearchEvent } from "./stream/search-event.ts";

interface DelayDistribution {
  readonly medianMs: number;
  /** Standard deviation of the logarithm: 0.5 puts the 99th percentile at about three times the median. */
  readonly sigma: number;
}

interface LatencyProfile {
  readonly beforeFirstEvent: DelayDistribution;
  readonly betweenFlushes: DelayDistribution;
}

const maxDelayMs = 10_000;

const latencyProfiles = {
  instant: { beforeFirstEvent: { medianMs: 0, sigma: 0 }, betweenFlushes: { medianMs: 0, sigma: 0 } },
  laptop: { beforeFirstEvent: { medianMs: 5, sigma: 0.3 }, betweenFlushes: { medianMs: 1, sigma: 0.3 } },
  staging: { beforeFirstEvent: { medianMs: 50, sigma: 0.5 }, betweenFlushes: { medianMs: 10, sigma: 0.5 } },
  overloaded: { beforeFirstEvent: { medianMs: 1000, sigma: 0.7 }, betweenFlushes: { medianMs: 200, sigma: 0.7 } },
} as const satisfies Record<string, LatencyProfile>;

/** Simulated latencies by name. `instant` adds no delay. */
export type LatencyName = keyof typeof latencyProfiles;

function isLatencyName(name: string): name is LatencyName {
  return Object.hasOwn(latencyProfiles, name);
}

/** All latency names, fastest first. */
export const latencyNames: readonly LatencyName[] = Object.keys(latencyProfiles).filter(isLatencyName);

/** Validates a latency name. Throws `unknown-latency`. */
export const validateLatency = (name: string): LatencyName => {
  if (!isLatencyName(name)) {
    throw new HarnessError(
      "unknown-latency",
      `there is no latency profile ${JSON.stringify(name)}; the nearest is "${closestName(name, latencyNames) ?? ""}", ` +
        `choose one of ${latencyNames.join(", ")}.`,
    );
  }
  return name;
};

/** Returns a log-normal delay in milliseconds, at most 10 s. The Box-Muller transform uses two random numbers. */
export const drawDelayMs = ({ medianMs, sigma }: DelayDistribution, random: Random): number => {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const standardNormal = radius * Math.cos(2 * Math.PI * random());
  return Math.min(maxDelayMs, medianMs * Math.exp(sigma * standardNormal));
};

/** The simulated latency of a server. */
export interface LatencySettings {
  readonly latency: LatencyName;
  /** Multiplies every delay. */
  readonly latencyFactor: number;
}

const maxFactor = 100;

/** Validates a latency factor. Throws `invalid-latency-factor`. */
export const validateLatencyFactor = (factor: number): number => {
  if (!(factor > 0 && factor <= maxFactor)) {
    throw new HarnessError(
      "invalid-latency-factor",
      `delays cannot be multiplied by ${factor}; use a number above 0 and up to ${maxFactor}, such as 1.2.`,
    );
  }
  return factor;
};

export const scaleDelay = ({ medianMs, sigma }: DelayDistribution, factor: number): DelayDistribution => ({
  medianMs: medianMs * factor,
  sigma,
});

export interface SlowDownOptions extends LatencySettings {
  readonly random: Random;
  readonly signal: AbortSignal;
}

/**
 * Delays the first event, and the event after each non-final `progress`, which ends a flush. Stops without an error when the signal
 * fires.
 */
export async function* slowDown(
  events: AsyncIterable<SearchEvent>,
  options: SlowDownOptions,
): AsyncGenerator<SearchEvent> {
  const { latency, latencyFactor, random, signal } = options;
  const profile: LatencyProfile = latencyProfiles[latency];
  let next: DelayDistribution | undefined = profile.beforeFirstEvent;
  for await (const event of events) {
    if (next !== undefined && next.medianMs > 0) {
      await wait(drawDelayMs(scaleDelay(next, latencyFactor), random), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
    if (signal.aborted) {
      return;
    }
    yield event;
    next = event.name === "progress" ? profile.betweenFlushes : undefined;
  }
}
