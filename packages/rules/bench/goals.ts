import type { LayerName } from "./layers.ts";
import type { BenchResult, LatencyResult, MemoryResult } from "./measurements.ts";
import { mebibyte } from "./stream-profiles.ts";
import type { ProfileName } from "./stream-profiles.ts";

/** One goal and whether this run reached it. */
export interface Goal {
  readonly name: string;
  readonly demanded: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** Least speed of the full check, in times of `JSON.parse` alone. */
const fullCheckTimesJsonParse: Readonly<Record<ProfileName, number>> = {
  typical: 0.65,
  small: 0.5,
  big: 0.65,
  esc: 0.65,
  uni: 0.5,
};

/** Least speed of framing, in times of `eventsource-parser` with its decoder. */
const framingTimesStandardParser: Readonly<Record<ProfileName, number>> = {
  typical: 2.5,
  small: 1.5,
  big: 2.5,
  esc: 2.5,
  uni: 2.5,
};

const maxGrowthBytes = 32 * mebibyte;
const maxCpuShare = 0.6;
const maxUsualP99Ms = 1;
const maxLargeMedianMs = 10;
const largeEventBytes = mebibyte;

const megabytes = (bytes: number, digits = 0): string => `${(bytes / mebibyte).toFixed(digits)} MB`;
const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;
const times = (value: number): string => `${value.toFixed(2)} times`;

/** What this run says of each goal. */
export const goalsOf = (result: BenchResult): readonly Goal[] => [
  ...speedGoals(result, "full-check", fullCheckTimesJsonParse),
  ...speedGoals(result, "framing", framingTimesStandardParser),
  ...growthGoals(result.memory),
  ...result.memory.map(peakGoal),
  ...result.latency.map(latencyGoal),
];

function speedGoals(
  { speed }: BenchResult,
  layer: LayerName,
  least: Readonly<Record<ProfileName, number>>,
): readonly Goal[] {
  const isFullCheck = layer === "full-check";
  const what = isFullCheck ? "full check against `JSON.parse` alone" : "framing against `eventsource-parser`";
  return speed.map(({ profile, layers }) => {
    const found = layers.find(({ name }) => name === layer);
    const ratio = (isFullCheck ? found?.timesJsonParse : found?.timesStandardParser) ?? Number.NaN;
    return {
      name: `${what}, ${profile}`,
      demanded: `at least ${times(least[profile])}`,
      measured: times(ratio),
      isReached: ratio >= least[profile],
    };
  });
}

/** The longest stream of the profile that was run with two lengths, against the shortest. */
function growthGoals(memory: readonly MemoryResult[]): readonly Goal[] {
  const ofOneProfile = memory.filter(({ profile }) => profile === memory[0]?.profile);
  const [shortest, longest] = [ofOneProfile[0], ofOneProfile.at(-1)];
  if (shortest === undefined || longest === undefined) {
    return [];
  }
  const growthBytes = longest.peakBytes - shortest.peakBytes;
  return [
    {
      name: `peak memory of ${megabytes(longest.bytes)} minus that of ${megabytes(shortest.bytes)}`,
      demanded: `at most ${megabytes(maxGrowthBytes)}`,
      measured: megabytes(growthBytes, 1),
      isReached: growthBytes <= maxGrowthBytes,
    },
  ];
}

function peakGoal({ profile, bytes, idleBytes, peakBytes, largestEventBytes }: MemoryResult): Goal {
  const most = 100 * mebibyte + 3 * largestEventBytes;
  return {
    name: `peak memory over idle, ${profile}, ${megabytes(bytes)} with events up to ${megabytes(largestEventBytes, 1)}`,
    demanded: `at most ${megabytes(most)}`,
    measured: megabytes(peakBytes - idleBytes),
    isReached: peakBytes - idleBytes <= most,
  };
}

function latencyGoal({ eventBytes, medianMs, p99Ms, undisturbedP99Ms, cpuShare }: LatencyResult): Goal {
  const cpu = `${(cpuShare * 100).toFixed(0)} % processor time`;
  if (eventBytes >= largeEventBytes) {
    return {
      name: `last bytes to verdict, median, event of ${megabytes(eventBytes)}`,
      demanded: `at most ${milliseconds(maxLargeMedianMs)}`,
      measured: `${milliseconds(medianMs)} at ${cpu}`,
      isReached: medianMs <= maxLargeMedianMs,
    };
  }
  return {
    name: `last bytes to verdict, 99th percentile, event of ${(eventBytes / 1024).toFixed(0)} KB`,
    demanded: `at most ${milliseconds(maxUsualP99Ms)} at no more than ${maxCpuShare * 100} % processor time`,
    measured: `${milliseconds(p99Ms)} (undisturbed ${undisturbedP99Ms === undefined ? "none" : milliseconds(undisturbedP99Ms)}) at ${cpu}`,
    isReached: p99Ms <= maxUsualP99Ms && cpuShare <= maxCpuShare,
  };
}
