import type { LoadPlan, LoadShape } from "@assay/results";
import type { Scenario } from "k6/options";
import { blockArrivals } from "./blocks.ts";
import { arrivalsUntil, isSteady, type RateStretch, rateProfile, timeOfArrivals, wholeRate } from "./rate-profile.ts";
import { reservedUsers, virtualUsers } from "./virtual-users.ts";

/** What arrives: searches or conversations. */
export interface LoadFlow {
  readonly name: "search" | "conversation";
  /** Exported function that k6 calls for each arrival. */
  readonly exec: string;
  /** Behind the names of k6's scenarios, where a script has several flows. */
  readonly suffix: "" | "_conversation";
  readonly ratePerSecond: number;
  /** Longest that an iteration can take, whatever the target does. */
  readonly longestIterationMs: number;
}

/** When the arrivals of one k6 scenario are to come, in milliseconds after its start. */
export type ArrivalTimes = (index: number) => number;

/** One k6 scenario, and the times that k6 follows in it. */
export interface Arrivals {
  readonly phase: "warmup" | "measure";
  readonly name: string;
  readonly scenario: Scenario;
  readonly timeOf: ArrivalTimes;
  /** How many there are. */
  readonly count: number;
  /** Whether the plan allows no more virtual users than there are: what then cannot begin waits for the target. */
  readonly isAtLimit: boolean;
  /** Virtual users kept free beside those at work, by an executor that makes them as they are needed. */
  readonly reserved: number;
}

/** The arrival that was to come at a time, from 0: the last one that is not later. */
export function arrivalAt({ timeOf, count }: Pick<Arrivals, "timeOf" | "count">, atMs: number): number {
  let [low, high] = [0, Math.max(0, count - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (timeOf(middle) <= atMs) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** k6 counts arrivals in so many seconds, see `wholeRate`. */
const timeUnit = "1000s";

/** Between two arrivals as k6 reckons it: whole nanoseconds, cut. */
const periodMs = (rate: number): number => Math.floor(1e12 / rate) / 1e6;

const microseconds = (ms: number): string => `${Math.round(ms * 1000)}us`;

type Executor = Pick<Arrivals, "timeOf" | "count"> & {
  readonly executor:
    | { executor: "constant-arrival-rate"; rate: number; timeUnit: string; duration: string }
    | {
        executor: "ramping-arrival-rate";
        startRate: number;
        timeUnit: string;
        stages: { target: number; duration: string }[];
      };
};

/** So many arrivals at one rate. k6 begins the first at once, and would begin one more or not at the very end: it ends between two. */
const constant = (rate: number, arrivals: number): Executor => ({
  timeOf: (index) => index * periodMs(rate),
  count: arrivals,
  executor: {
    executor: "constant-arrival-rate",
    rate,
    timeUnit,
    duration: microseconds((arrivals - 0.5) * periodMs(rate)),
  },
});

/**
 * Arrivals at a rate that moves. k6 begins the first when the integral of the rate reaches one. A stretch at rate zero follows,
 * so that an arrival at the very end is not left to chance.
 */
const ramping = (profile: readonly RateStretch[]): Executor => ({
  timeOf: (index) => timeOfArrivals(profile, index + 1),
  count: Math.floor(arrivalsUntil(profile, Number.POSITIVE_INFINITY)),
  executor: {
    executor: "ramping-arrival-rate",
    startRate: profile[0]?.from ?? 0,
    timeUnit,
    stages: [
      ...profile.flatMap(({ durationMs, from, to }) => [
        { target: from, duration: "0s" },
        { target: to, duration: microseconds(durationMs) },
      ]),
      { target: 0, duration: "0s" },
      { target: 0, duration: "1s" },
    ],
  },
});

/** k6 takes no shorter time for arrivals at one rate; those at a rate that moves are followed by a second without any. */
const shortestMs = 1000;

/** So many arrivals, at least one, at one rate. */
function steady(rate: number, wanted: number): Executor {
  const arrivals = Math.max(1, wanted);
  if ((arrivals - 0.5) * periodMs(rate) >= shortestMs) {
    return constant(rate, arrivals);
  }
  // Half an arrival more than there are: times are cut to whole microseconds, and the last one must not be lost by that.
  const durationMs = ((arrivals + 0.5) * 1e6) / rate;
  return { ...ramping([{ durationMs, from: rate, to: rate }]), count: arrivals };
}

const executorOf = (shape: LoadShape, ratePerSecond: number, durationMs: number): Executor => {
  const profile = rateProfile(shape, ratePerSecond, durationMs);
  const [first] = profile;
  return first !== undefined && isSteady(profile)
    ? steady(first.from, Math.round((durationMs * first.from) / 1e6))
    : ramping(profile);
};

const atStart = (shape: LoadShape, ratePerSecond: number): number =>
  (rateProfile(shape, ratePerSecond, 1)[0]?.from ?? 0) / 1000;

/** The two phases of a flow, or with blocks the one that holds both. Warm-up arrives as the measured part begins. */
export function arrivalsOf(plan: LoadPlan, flow: LoadFlow): readonly Arrivals[] {
  const { shape, durationMs, warmupMs, maxVus, blocks } = plan;
  const { ratePerSecond, longestIterationMs, suffix } = flow;
  const phase = (name: "warmup" | "measure", startMs: number, { executor, timeOf, count }: Executor): Arrivals => {
    const vus = virtualUsers({ ratePerSecond, arrivals: count, longestIterationMs, maxVus });
    return {
      phase: name,
      name: `${name}${suffix}`,
      timeOf,
      count,
      isAtLimit: vus === maxVus,
      reserved: reservedUsers(flow, vus),
      scenario: {
        ...executor,
        exec: flow.exec,
        startTime: microseconds(startMs),
        gracefulStop: microseconds(longestIterationMs),
        preAllocatedVUs: vus,
        maxVUs: vus,
        tags: { phase: name, flow: flow.name },
      },
    };
  };
  if (blocks !== undefined) {
    return [phase("measure", 0, steady(wholeRate(ratePerSecond), blockArrivals(blocks)))];
  }
  const measured = phase("measure", warmupMs, executorOf(shape, ratePerSecond, durationMs));
  return warmupMs === 0
    ? [measured]
    : [phase("warmup", 0, executorOf("steady", atStart(shape, ratePerSecond), warmupMs)), measured];
}
