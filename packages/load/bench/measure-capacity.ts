import { largeEvents, smallEvents } from "./canned-stream.ts";
import type { Client } from "./clients.ts";
import { withEmitter } from "./emitter-process.ts";
import { startK6 } from "./k6-process.ts";
import type { K6Outcome } from "./k6-process.ts";
import { measuredStretch } from "./measured-stretch.ts";
import type { Stretch } from "./measured-stretch.ts";
import { perCoreSecond } from "./measurements.ts";
import type { CapacityResult, PacedPolling } from "./measurements.ts";

type Kind = CapacityResult["kind"];

const users = 20;
const settleMs = 1500;
const lengthMs = 4500;
/** The stretch, what comes before it, and the start of k6. */
const duration = `${(settleMs + lengthMs) / 1000 + 1}s`;
const eventsOf: Readonly<Record<Kind, number>> = {
  small: smallEvents,
  "new-small": smallEvents,
  large: largeEvents,
  "new-large": largeEvents,
  poll: 1,
};

interface Measured {
  readonly stretch: Stretch;
  readonly outcome: K6Outcome;
}

const measure = async (client: Client, kind: Kind, scenario: object): Promise<Measured> =>
  await withEmitter(async (emitter) => {
    const run = startK6({
      k6: client.k6,
      script: client.script,
      url: `${emitter.url}/${kind}?kind=${kind}`,
      events: eventsOf[kind],
      options: { scenarios: { load: { gracefulStop: "5s", duration, ...scenario } } },
      isEachWanted: false,
      keeps: client.keeps,
    });
    return measuredStretch(emitter, run, { settleMs, lengthMs });
  });

/** As many streams (or polls) as one core of k6 can do, in a closed loop of 20 users. */
export async function capacityOf(client: Client, kind: Kind): Promise<CapacityResult> {
  const { stretch, outcome } = await measure(client, kind, { executor: "constant-vus", vus: users });
  const { peakBytes, exchanges } = outcome;
  const result = { client: client.name, kind, users, ...stretch, peakBytes, rounds: [perCoreSecond(stretch)] };
  return exchanges === undefined ? result : { ...result, exchanges };
}

/** The same client and kind in several rounds: counts and times added, the highest peak. */
export function capacitySum(rounds: readonly [CapacityResult, ...CapacityResult[]]): CapacityResult {
  const sum = (of: (round: CapacityResult) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  return {
    ...rounds[0],
    streams: sum(({ streams }) => streams),
    wallSeconds: sum(({ wallSeconds }) => wallSeconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    emitterCpuSeconds: sum(({ emitterCpuSeconds }) => emitterCpuSeconds),
    peakBytes: Math.max(...rounds.map(({ peakBytes }) => peakBytes)),
    rounds: rounds.flatMap((round) => round.rounds),
    ...exchangesOf(rounds),
  };
}

function exchangesOf(rounds: readonly CapacityResult[]): Pick<CapacityResult, "exchanges"> {
  const counts = rounds.flatMap(({ exchanges }) => exchanges ?? []);
  const sum = (member: "sent" | "kept" | "lost"): number => counts.reduce((total, count) => total + count[member], 0);
  return counts.length === 0 ? {} : { exchanges: { sent: sum("sent"), kept: sum("kept"), lost: sum("lost") } };
}

/** Polls at a fixed rate, which leaves the core idle in between. */
export async function pacedPolling(client: Client, ratePerSecond: number): Promise<PacedPolling> {
  const { stretch } = await measure(client, "poll", {
    executor: "constant-arrival-rate",
    rate: ratePerSecond,
    timeUnit: "1s",
    preAllocatedVUs: users * 2,
  });
  return {
    ratePerSecond,
    polls: stretch.streams,
    wallSeconds: stretch.wallSeconds,
    cpuSeconds: stretch.cpuSeconds,
  };
}
