import type { LayerName } from "./layers.ts";
import type { BenchResult, LatencyResult, LayerResult, MemoryResult, SpeedResult } from "./measurements.ts";
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
  typical: 1.2,
  small: 0.9,
  big: 1.2,
  esc: 1.2,
  uni: 0.9,
};

/** Least speed of the full check, in times of the textbook way. */
const fullCheckTimesTextbook: Readonly<Record<ProfileName, number>> = {
  typical: 1.5,
  small: 1.5,
  big: 1.5,
  esc: 1.5,
  uni: 1.5,
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
const maxPeakBytes = 80 * mebibyte;
const maxCpuShare = 0.6;
const maxUsualP99Ms = 1;
const maxLargeMedianMs = 6;
const largeEventBytes = mebibyte;

const megabytes = (bytes: number, digits = 0): string => `${(bytes / mebibyte).toFixed(digits)} MB`;
const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;
const times = (value: number): string => `${value.toFixed(2)} times`;

/** What this run says of each goal. */
export const goalsOf = (result: BenchResult): readonly Goal[] => [
  ...speedGoals(result, fullCheckAgainstJsonParse, fullCheckTimesJsonParse),
  ...speedGoals(result, fullCheckAgainstTextbook, fullCheckTimesTextbook),
  ...speedGoals(result, framingAgainstStandardParser, framingTimesStandardParser),
  ...growthGoals(result.memory),
  ...result.memory.map(peakGoal),
  ...result.latency.map(latencyGoal),
];

/** A layer next to a peer that was measured in the same rounds. */
export interface PeerRatio {
  readonly name: string;
  readonly layer: LayerName;
  readonly ratio: (result: LayerResult) => number;
}

export const fullCheckAgainstJsonParse: PeerRatio = {
  name: "full check against `JSON.parse` alone",
  layer: "full-check",
  ratio: ({ timesJsonParse }) => timesJsonParse,
};

export const fullCheckAgainstTextbook: PeerRatio = {
  name: "full check against the textbook way",
  layer: "full-check",
  ratio: ({ timesTextbook }) => timesTextbook,
};

const framingAgainstStandardParser: PeerRatio = {
  name: "framing against `eventsource-parser`",
  layer: "framing",
  ratio: ({ timesStandardParser }) => timesStandardParser,
};

/** The ratio in the result of one profile. NaN if its layer was not measured. */
export function ratioIn({ layers }: SpeedResult, { layer, ratio }: PeerRatio): number {
  const found = layers.find(({ name }) => name === layer);
  return found === undefined ? Number.NaN : ratio(found);
}

const speedGoals = (
  { speed }: BenchResult,
  peerRatio: PeerRatio,
  least: Readonly<Record<ProfileName, number>>,
): readonly Goal[] =>
  speed.map((result) => {
    const ratio = ratioIn(result, peerRatio);
    const leastRatio = least[result.profile];
    return {
      name: `${peerRatio.name}, ${result.profile}`,
      demanded: `at least ${times(leastRatio)}`,
      measured: times(ratio),
      isReached: ratio >= leastRatio,
    };
  });

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
  return {
    name: `peak memory over idle, ${profile}, ${megabytes(bytes)} with events up to ${megabytes(largestEventBytes, 1)}`,
    demanded: `at most ${megabytes(maxPeakBytes)}`,
    measured: megabytes(peakBytes - idleBytes),
    isReached: peakBytes - idleBytes <= maxPeakBytes,
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
