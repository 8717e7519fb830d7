import { clientTitles, concurrencies, perCoreSecond, streamKinds } from "./measurements.ts";
import type {
  AccuracyResult,
  CapacityResult,
  ClientName,
  Concurrency,
  LoadBenchResult,
  StreamKind,
} from "./measurements.ts";
import { quantile } from "./quantile.ts";

/**
 * What a run says of a goal. It is undecided where rounds of the same client differ more among themselves than the two that are
 * compared.
 */
export type GoalOutcome = "reached" | "missed" | "undecided";

/** One goal and whether this run reached it. */
export interface Goal {
  readonly name: string;
  readonly demanded: string;
  readonly measured: string;
  readonly outcome: GoalOutcome;
}

const reachedIf = (isReached: boolean): GoalOutcome => (isReached ? "reached" : "missed");

const maxErrorRatio = 0.6;
const minCapacityRatio = 1.5;
const maxPeakBytes = 100 * 2 ** 20;
/** What keeping everything may cost of any figure. */
const maxKeepingShare = 0.05;

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
  ...concurrencies.flatMap((concurrency) => keepingErrorGoal(result, concurrency)),
  ...streamKinds.flatMap((kind) => keepingCapacityGoal(result, kind)),
  ...result.capacity.filter(({ client, kind }) => client.startsWith("assay") && kind.endsWith("large")).map(memoryGoal),
];

/** The ratios of two clients, round by round: what slows a whole round down is not the difference between them. */
function roundRatios(ours: readonly number[], theirs: readonly number[]): readonly number[] {
  return ours.slice(0, theirs.length).map((value, round) => value / (theirs[round] ?? Number.NaN));
}

const spanText = (values: readonly number[]): string =>
  `from ${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

const ratioText = (ratios: readonly number[]): string =>
  `${quantile(ratios, 0.5).toFixed(2)} times (median of ${ratios.length} rounds ${spanText(ratios)})`;

function keepingErrorGoal({ accuracy }: LoadBenchResult, concurrency: Concurrency): readonly Goal[] {
  const of = (name: ClientName): AccuracyResult | undefined =>
    accuracy.find((found) => found.client === name && found.concurrency === concurrency);
  const [kept, plain] = [of("assay-kept"), of("assay")];
  if (kept === undefined || plain === undefined) {
    return [];
  }
  const ratios = roundRatios(kept.rounds, plain.rounds);
  const ratio = quantile(ratios, 0.5);
  const isWithinNoise = ratio <= Math.max(...plain.rounds) / Math.min(...plain.rounds);
  return [
    {
      name: `median error of first match with every stream kept against without, ${atATime(concurrency)}`,
      demanded: `at most ${1 + maxKeepingShare} times`,
      measured: `${ratioText(ratios)}; ${kept.medianMs.toFixed(2)} ms to ${plain.medianMs.toFixed(2)} ms, of which rounds went ${spanText(plain.rounds)}`,
      outcome: ratio > 1 + maxKeepingShare && isWithinNoise ? "undecided" : reachedIf(ratio <= 1 + maxKeepingShare),
    },
  ];
}

function keepingCapacityGoal({ capacity }: LoadBenchResult, wanted: StreamKind): readonly Goal[] {
  const of = (name: ClientName): CapacityResult | undefined =>
    capacity.find(({ client, kind }) => client === name && kind === wanted);
  const [kept, plain] = [of("assay-kept"), of("assay")];
  if (kept === undefined || plain === undefined) {
    return [];
  }
  const ratios = roundRatios(kept.rounds, plain.rounds);
  return [
    {
      name: `streams per second and core with streams kept against without, ${kindTitles[wanted]}`,
      demanded: `at least ${1 - maxKeepingShare} times`,
      measured: ratioText(ratios),
      outcome: reachedIf(quantile(ratios, 0.5) >= 1 - maxKeepingShare),
    },
  ];
}

const atATime = (concurrency: Concurrency): string =>
  `${concurrency} ${concurrency === 1 ? "stream" : "streams"} at a time`;

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
      name: `median error of first match against ${shortName(rival)}, ${atATime(concurrency)}`,
      demanded: `at most ${maxErrorRatio} times`,
      measured: `${ratio.toFixed(2)} times (${ours.toFixed(2)} ms to ${theirs.toFixed(2)} ms)`,
      outcome: reachedIf(ratio <= maxErrorRatio),
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
      outcome: reachedIf(ratio >= minCapacityRatio),
    },
  ];
}

const memoryGoal = ({ client, kind, peakBytes, users }: CapacityResult): Goal => ({
  name: `peak memory of k6 with ${kindTitles[kind]}, ${users} streams at a time${client === "assay-kept" ? ", every stream kept" : ""}`,
  demanded: `under ${megabytes(maxPeakBytes)}`,
  measured: megabytes(peakBytes),
  outcome: reachedIf(peakBytes < maxPeakBytes),
});

/** One line for the terminal. */
export const goalLine = ({ name, demanded, measured, outcome }: Goal): string =>
  `${outcomeTitles[outcome].padEnd(9)}  ${name}: ${measured} (${demanded})`;

/** How outcomes are called. */
export const outcomeTitles: Readonly<Record<GoalOutcome, string>> = {
  reached: "reached",
  missed: "MISSED",
  undecided: "undecided",
};

/** How a client is called in tables. */
export const titleOf = (client: ClientName): string => clientTitles[client];

/** How streams are called in tables. */
export const kindTitles: Readonly<Record<CapacityResult["kind"], string>> = {
  small: "100 small events",
  "new-small": "100 small events, each new",
  large: "2 events of 1 MB",
  "new-large": "2 events of 1 MB, each match new",
  poll: "one poll (`http.get`)",
};
