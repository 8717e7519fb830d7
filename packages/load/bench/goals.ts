import { clientTitles, concurrencies, perCoreSecond } from "./measurements.ts";
import type { CapacityResult, ClientName, Concurrency, LoadBenchResult } from "./measurements.ts";

/** One goal and whether this run reached it. */
export interface Goal {
  readonly name: string;
  readonly demanded: string;
  readonly measured: string;
  readonly isReached: boolean;
}

const maxErrorRatio = 0.6;
const minCapacityRatio = 1.5;
const maxPeakBytes = 100 * 2 ** 20;

/** Clients that ours is compared with; one that was not there has no goals. */
const rivals: readonly ClientName[] = ["peer", "xk6-sse"];

const shortName = (client: ClientName): string => (client === "peer" ? "the peer built here" : client);
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;

/** What this run says of each goal. */
export const goalsOf = (result: LoadBenchResult): readonly Goal[] => [
  ...rivals.flatMap((rival) => [
    ...concurrencies.flatMap((concurrency) => errorGoal(result, rival, concurrency)),
    ...capacityGoal(result, rival),
  ]),
  ...result.capacity.filter(({ client, kind }) => client === "assay" && kind === "large").map(memoryGoal),
];

function errorGoal({ accuracy }: LoadBenchResult, rival: ClientName, concurrency: Concurrency): readonly Goal[] {
  const of = (name: ClientName): number | undefined =>
    accuracy.find((found) => found.client === name && found.concurrency === concurrency)?.medianMs;
  const [ours, theirs] = [of("assay"), of(rival)];
  if (ours === undefined || theirs === undefined) {
    return [];
  }
  const ratio = ours / theirs;
  return [
    {
      name: `median error of first match against ${shortName(rival)}, ${concurrency} ${concurrency === 1 ? "stream" : "streams"} at a time`,
      demanded: `at most ${maxErrorRatio} times`,
      measured: `${ratio.toFixed(2)} times (${ours.toFixed(2)} ms to ${theirs.toFixed(2)} ms)`,
      isReached: ratio <= maxErrorRatio,
    },
  ];
}

function capacityGoal({ capacity }: LoadBenchResult, rival: ClientName): readonly Goal[] {
  const of = (name: ClientName): CapacityResult | undefined =>
    capacity.find(({ client, kind }) => client === name && kind === "small");
  const [ours, theirs] = [of("assay"), of(rival)];
  if (ours === undefined || theirs === undefined) {
    return [];
  }
  const ratio = perCoreSecond(ours) / perCoreSecond(theirs);
  return [
    {
      name: `streams of 100 small events per second and core against ${shortName(rival)}`,
      demanded: `at least ${minCapacityRatio} times`,
      measured: `${ratio.toFixed(2)} times (${perCoreSecond(ours).toFixed(0)} to ${perCoreSecond(theirs).toFixed(0)})`,
      isReached: ratio >= minCapacityRatio,
    },
  ];
}

const memoryGoal = ({ peakBytes, users }: CapacityResult): Goal => ({
  name: `peak memory of k6 with two 1 MB events a stream, ${users} streams at a time`,
  demanded: `under ${megabytes(maxPeakBytes)}`,
  measured: megabytes(peakBytes),
  isReached: peakBytes < maxPeakBytes,
});

/** One line for the terminal. */
export const goalLine = ({ name, demanded, measured, isReached }: Goal): string =>
  `${isReached ? "reached" : "MISSED "}  ${name}: ${measured} (${demanded})`;

/** How a client is called in tables. */
export const titleOf = (client: ClientName): string => clientTitles[client];
