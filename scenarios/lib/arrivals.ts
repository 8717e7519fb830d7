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
  /** Number of virtual users that an executor which creates users on demand keeps free. */
  readonly reserved: number;
}

/** Returns the index, from 0, of the last arrival planned at or before `atMs`. */
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

/** Returns the time between two arrivals. k6 truncates it to whole nanoseconds. */
const computePeriodMs = (rate: number): number => Math.floor(1e12 / rate) / 1e6;

const formatMicroseconds = (ms: number): string => `${Math.round(ms * 1000)}us`;

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
 * Creates an executor for a fixed number of arrivals at one rate. k6 begins the first one immediately. The executor ends
 * half a period after the last one, since k6 may or may not begin another at the very end.
 */
const createConstantRate = (rate: number, arrivals: number): Executor => ({
  timeOf: (index) => index * computePeriodMs(rate),
  count: arrivals,
  executor: {
    executor: "constant-arrival-rate",
    rate,
    timeUnit,
    duration: formatMicroseconds((arrivals - 0.5) * computePeriodMs(rate)),
  },
});

/**
 * Creates an executor for arrivals at a changing rate. k6 begins the first when the integral of the rate reaches one. A
 * stretch at rate zero follows, so that an arrival at the very end always begins.
 */
const createRampingRate = (profile: readonly RateStretch[]): Executor => ({
  timeOf: (index) => timeOfArrivals(profile, index + 1),
  count: Math.floor(arrivalsUntil(profile, Number.POSITIVE_INFINITY)),
  executor: {
    executor: "ramping-arrival-rate",
    startRate: profile[0]?.from ?? 0,
    timeUnit,
    stages: [
      ...profile.flatMap(({ durationMs, from, to }) => [
        { target: from, duration: "0s" },
        { target: to, duration: formatMicroseconds(durationMs) },
      ]),
      { target: 0, duration: "0s" },
      { target: 0, duration: "1s" },
    ],
  },
});

/** The shortest duration that k6 accepts for a constant rate. A changing rate ends with a second without arrivals, so it is never shorter. */
const minConstantMs = 1000;

/** Creates an executor for arrivals at one rate, at least one. */
function createSteadyRate(rate: number, count: number): Executor {
  const arrivals = Math.max(1, count);
  if ((arrivals - 0.5) * computePeriodMs(rate) >= minConstantMs) {
    return createConstantRate(rate, arrivals);
  }
  // Half an arrival longer, since k6 truncates times to whole microseconds and could lose the last one.
  const durationMs = ((arrivals + 0.5) * 1e6) / rate;
  return { ...createRampingRate([{ durationMs, from: rate, to: rate }]), count: arrivals };
}

const createExecutor = (shape: LoadShape, ratePerSecond: number, durationMs: number): Executor => {
  const profile = rateProfile(shape, ratePerSecond, durationMs);
  const [firstStretch] = profile;
  return firstStretch !== undefined && isSteady(profile)
    ? createSteadyRate(firstStretch.from, Math.round((durationMs * firstStretch.from) / 1e6))
    : createRampingRate(profile);
};

const findStartRate = (shape: LoadShape, ratePerSecond: number): number =>
  (rateProfile(shape, ratePerSecond, 1)[0]?.from ?? 0) / 1000;

/**
 * Returns the k6 scenarios of a flow: one for the warm-up and one for the measured phase, or a single one for blocks. The
 * warm-up has the rate at which the measured phase begins.
 */
export function arrivalsOf(plan: LoadPlan, flow: LoadFlow): readonly Arrivals[] {
  const { shape, durationMs, warmupMs, maxVus, blocks } = plan;
  const { ratePerSecond, maxIterationMs, suffix } = flow;
  const createArrivals = (
    name: "warmup" | "measure",
    startMs: number,
    { executor, timeOf, count }: Executor,
  ): Arrivals => {
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
        startTime: formatMicroseconds(startMs),
        gracefulStop: formatMicroseconds(maxIterationMs),
        preAllocatedVUs: vus,
        maxVUs: vus,
        tags: { phase: name, flow: flow.name },
      },
    };
  };
  if (blocks !== undefined) {
    return [createArrivals("measure", 0, createSteadyRate(wholeRate(ratePerSecond), blockArrivals(blocks)))];
  }
  const measuredArrivals = createArrivals("measure", warmupMs, createExecutor(shape, ratePerSecond, durationMs));
  return warmupMs === 0
    ? [measuredArrivals]
    : [
        createArrivals("warmup", 0, createExecutor("steady", findStartRate(shape, ratePerSecond), warmupMs)),
        measuredArrivals,
      ];
}
