import type { LoadPlan, LoadShape } from "@assay/results";
import type { Scenario } from "k6/options";
import { blockArrivals } from "./blocks.ts";
import { arrivalsUntil, isSteady, type RateStretch, rateProfile, timeOfArrivals, wholeRate } from "./rate-profile.ts";
import { reservedUsers, virtualUsers } from "./virtual-users.ts";

/** The searches or the conversations of a script. */
export interface LoadFlow {
  readonly name: "search" | "conversation";
  /** Exported function that k6 calls for each arrival. */
  readonly exec: string;
  /** Appended to the names of k6's scenarios, so that a script can have several flows. */
  readonly suffix: "" | "_conversation";
  readonly ratePerSecond: number;
  /** Upper bound on the duration of one iteration, regardless of the target. */
  readonly maxIterationMs: number;
}

/** The planned time of each arrival of one k6 scenario, in milliseconds after its start. */
export type ArrivalTimes = (index: number) => number;

/** One k6 scenario and its planned times. */
export interface Arrivals {
  readonly phase: "warmup" | "measure";
  readonly name: string;
  readonly scenario: Scenario;
  readonly timeOf: ArrivalTimes;
  readonly count: number;
  /** True if the plan's `maxVus` limits the number of virtual users. An arrival that cannot begin then waits for the target. */
  readonly isAtLimit: boolean;
  /** Virtual users kept free by an executor that makes users as they are needed. */
  readonly reserved: number;
}

/** Index of the last arrival that is planned at or before `atMs`, from 0. */
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

/** The time unit of k6's rates, see `wholeRate`. */
const timeUnit = "1000s";

/** Time between two arrivals. k6 truncates it to whole nanoseconds. */
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

/**
 * A fixed number of arrivals at one rate. k6 begins the first one immediately. The executor ends half a period after the
 * last one, since k6 may or may not begin one more at the very end.
 */
const constantRate = (rate: number, arrivals: number): Executor => ({
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
 * Arrivals at a changing rate. k6 begins the first when the integral of the rate reaches one. A stretch at rate zero
 * follows, so that an arrival at the very end always begins.
 */
const rampingRate = (profile: readonly RateStretch[]): Executor => ({
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

/** The shortest duration that k6 accepts at one rate. Arrivals at a changing rate are followed by a second without any. */
const minConstantMs = 1000;

/** Arrivals at one rate, at least one. */
function steadyRate(rate: number, count: number): Executor {
  const arrivals = Math.max(1, count);
  if ((arrivals - 0.5) * periodMs(rate) >= minConstantMs) {
    return constantRate(rate, arrivals);
  }
  // Half an arrival longer, since k6 truncates times to whole microseconds and could lose the last one.
  const durationMs = ((arrivals + 0.5) * 1e6) / rate;
  return { ...rampingRate([{ durationMs, from: rate, to: rate }]), count: arrivals };
}

const createExecutor = (shape: LoadShape, ratePerSecond: number, durationMs: number): Executor => {
  const profile = rateProfile(shape, ratePerSecond, durationMs);
  const [first] = profile;
  return first !== undefined && isSteady(profile)
    ? steadyRate(first.from, Math.round((durationMs * first.from) / 1e6))
    : rampingRate(profile);
};

const startRate = (shape: LoadShape, ratePerSecond: number): number =>
  (rateProfile(shape, ratePerSecond, 1)[0]?.from ?? 0) / 1000;

/**
 * The k6 scenarios of a flow: warm-up and measured phase, or one for both with blocks. The warm-up has the rate at
 * which the measured phase begins.
 */
export function arrivalsOf(plan: LoadPlan, flow: LoadFlow): readonly Arrivals[] {
  const { shape, durationMs, warmupMs, maxVus, blocks } = plan;
  const { ratePerSecond, maxIterationMs, suffix } = flow;
  const phase = (name: "warmup" | "measure", startMs: number, { executor, timeOf, count }: Executor): Arrivals => {
    const vus = virtualUsers({ ratePerSecond, arrivals: count, maxIterationMs, maxVus });
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
        gracefulStop: microseconds(maxIterationMs),
        preAllocatedVUs: vus,
        maxVUs: vus,
        tags: { phase: name, flow: flow.name },
      },
    };
  };
  if (blocks !== undefined) {
    return [phase("measure", 0, steadyRate(wholeRate(ratePerSecond), blockArrivals(blocks)))];
  }
  const measured = phase("measure", warmupMs, createExecutor(shape, ratePerSecond, durationMs));
  return warmupMs === 0
    ? [measured]
    : [phase("warmup", 0, createExecutor("steady", startRate(shape, ratePerSecond), warmupMs)), measured];
}
