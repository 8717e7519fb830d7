import { smallEvents, smallMatches } from "./canned-stream.ts";
import type { Client } from "./clients.ts";
import { withEmitter } from "./emitter-process.ts";
import { startK6 } from "./k6-process.ts";
import { measuredStretch } from "./measured-stretch.ts";
import type { Stretch } from "./measured-stretch.ts";
import type { AccuracyResult, Concurrency } from "./measurements.ts";
import { quantile } from "./quantile.ts";

/** One run of one client. */
export interface AccuracyRound {
  /** Error of each stream, in milliseconds. */
  readonly errorsMs: readonly number[];
  /** What the emitter really did. */
  readonly delaysMs: readonly number[];
  readonly stretch: Stretch;
  /** Streams that were not begun, because all users were still at work. */
  readonly dropped: number;
}

interface AccuracyLoad {
  readonly seconds: number;
  /** Streams at the beginning that do not count. */
  readonly skipped: number;
  /** Between two matches. */
  readonly gapMs: number;
}

/** How each number of streams at a time is kept up. A single stream has short missingData, so that there are enough of them. */
const loads: Readonly<Record<Concurrency, AccuracyLoad>> = {
  1: { seconds: 9, skipped: 3, gapMs: 2 },
  12: { seconds: 8, skipped: 12, gapMs: 10 },
  100: { seconds: 8, skipped: 150, gapMs: 10 },
};

const streamSeconds = ({ gapMs }: AccuracyLoad): number => (50 + (smallMatches - 1) * gapMs) / 1000;

function optionsOf(concurrency: Concurrency): object {
  const load = loads[concurrency];
  const common = { duration: `${load.seconds}s`, gracefulStop: "5s" };
  const closed = { executor: "constant-vus", vus: 1, ...common };
  const open = {
    executor: "constant-arrival-rate",
    rate: Math.round((concurrency / streamSeconds(load)) * 60),
    timeUnit: "60s",
    // A client that needs more is so late that its figures say enough.
    preAllocatedVUs: concurrency * 2,
    ...common,
  };
  return { scenarios: { streams: concurrency === 1 ? closed : open } };
}

/** Reads paced streams and compares the times to first match with the stamps of the emitter. */
export const accuracyRound = async (client: Client, concurrency: Concurrency): Promise<AccuracyRound> =>
  await withEmitter(async (emitter) => {
    const { seconds, skipped, gapMs } = loads[concurrency];
    const run = startK6({
      k6: client.k6,
      script: client.script,
      url: `${emitter.url}/paced?gap=${gapMs}`,
      events: smallEvents,
      options: optionsOf(concurrency),
      isEachWanted: true,
      keeps: client.keeps,
    });
    const { stretch, outcome } = await measuredStretch(emitter, run, {
      settleMs: 1000,
      lengthMs: (seconds - 4) * 1000,
    });
    const { firstMatches, dropped } = outcome;
    const stamps = await emitter.stamps();
    const counted = [...firstMatches].filter(([id]) => Number(id) >= skipped);
    if (!counted.every(([id]) => stamps.has(id))) {
      throw new Error(`${client.name} read streams that the emitter knows nothing of`);
    }
    return {
      errorsMs: counted.map(([id, firstMatchMs]) => firstMatchMs - (stamps.get(id) ?? Number.NaN)),
      delaysMs: counted.map(([id]) => stamps.get(id) ?? Number.NaN),
      stretch,
      dropped,
    };
  });

/** All rounds of one client at one load together. */
export function accuracyResult(
  client: Client["name"],
  concurrency: Concurrency,
  rounds: readonly AccuracyRound[],
): AccuracyResult {
  const errors = rounds.flatMap(({ errorsMs }) => errorsMs);
  const sum = (of: (round: AccuracyRound) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  return {
    client,
    concurrency,
    streams: errors.length,
    medianMs: quantile(errors, 0.5),
    p90Ms: quantile(errors, 0.9),
    p99Ms: quantile(errors, 0.99),
    cpuMsPerStream: (sum(({ stretch }) => stretch.cpuSeconds) * 1000) / sum(({ stretch }) => stretch.streams),
    dropped: sum(({ dropped }) => dropped),
    emitterMedianMs: quantile(
      rounds.flatMap(({ delaysMs }) => delaysMs),
      0.5,
    ),
    rounds: rounds.map(({ errorsMs }) => quantile(errorsMs, 0.5)),
  };
}
