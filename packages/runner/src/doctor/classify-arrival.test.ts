import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyArrival } from "./classify-arrival.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** A progress: its time by the target, and its arrival, in milliseconds since the request was sent. */
type Progress = readonly [durationMs: number, atMs: number];

interface Sample {
  readonly progress: readonly Progress[];
  readonly firstByteMs?: number;
  readonly firstMatchMs?: number;
  readonly connectedMs?: number;
  readonly stalledMs?: number;
  readonly bytes?: number;
  /** Whether the search had ended before the timeout [true]. */
  readonly isDone?: boolean;
}

/** Requests are sent at a time other than 0, so that neither is mistaken for the start. */
const sentMs = 7000;
const micros = (ms: number): number => (sentMs + ms) * 1000;

function factsOf({ bytes = 2000, firstMatchMs, isDone = true, progress, ...sample }: Sample): StreamFacts {
  const { firstByteMs = progress[0]?.[1] ?? 0 } = sample;
  return {
    events: 5,
    bytes,
    firstByteAtMicros: micros(firstByteMs),
    ...(firstMatchMs === undefined ? {} : { firstMatchAtMicros: micros(firstMatchMs) }),
    progress: progress.map(([durationMs, atMs], index) => ({
      durationMs,
      atMicros: micros(atMs),
      done: isDone && index === progress.length - 1,
    })),
    hasDone: isDone,
    violations: [],
    endsWithCompleteEvent: true,
  };
}

function arrival(sample: Sample) {
  const { connectedMs = 0, progress, stalledMs = 0 } = sample;
  const times = {
    sentAtMicros: micros(0),
    connectedAtMicros: micros(connectedMs),
    endedAtMicros: micros(progress.at(-1)?.[1] ?? 0),
    stalls: [[0, stalledMs * 1000]] as const,
  };
  return classifyArrival({ times }, factsOf(sample));
}

const steady: readonly Progress[] = [
  [200, 230],
  [700, 730],
  [2000, 2030],
];
const burst: readonly Progress[] = [
  [200, 2030],
  [700, 2030],
  [2000, 2031],
];

describe("a stream", () => {
  test.each<{ name: string; sample: Sample; is: string }>([
    { name: "whose progress arrives as it is made has flowed", sample: { progress: steady }, is: "flowed" },
    { name: "that arrives all at the end is a burst", sample: { progress: burst }, is: "burst" },
    {
      name: "of which only the head and first bytes arrive early is lumpy",
      sample: { progress: burst, firstByteMs: 100 },
      is: "lumpy",
    },
    { name: "without any progress is too quick", sample: { progress: [] }, is: "too-quick" },
    {
      name: "whose search is too short for a burst is too quick",
      sample: {
        progress: [
          [1, 300],
          [299, 300],
        ],
      },
      is: "too-quick",
    },
    {
      name: "of a search just long enough is a burst",
      sample: {
        progress: [
          [0, 301],
          [300, 301],
        ],
      },
      is: "burst",
    },
    {
      name: "that finds nothing before its end is too quick, however long it searched",
      sample: { progress: [[5000, 5030]] },
      is: "too-quick",
    },
    {
      name: "with an early match and one progress has flowed",
      sample: { progress: [[500, 530]], firstMatchMs: 400 },
      is: "flowed",
    },
    {
      name: "with a match less than 50 ms before its end is too quick",
      sample: { progress: [[500, 530]], firstMatchMs: 451 },
      is: "too-quick",
    },
    {
      name: "whose match came after the time of its search is too quick",
      sample: { progress: [[500, 530]], firstMatchMs: 529 },
      is: "too-quick",
    },
    {
      name: "whose clock runs too fast proves nothing by its match",
      sample: { progress: [[9000, 530]], firstMatchMs: 400 },
      is: "too-quick",
    },
    {
      name: "that claims much more time than elapsed proves nothing",
      sample: {
        progress: [
          [0, 100],
          [9000, 101],
        ],
      },
      is: "unclear",
    },
    {
      name: "during which this process was too busy to read proves nothing",
      sample: { progress: burst, stalledMs: 450 },
      is: "unclear",
    },
    {
      name: "during which this process was briefly busy is a burst",
      sample: { progress: burst, stalledMs: 449 },
      is: "burst",
    },
    {
      name: "that is held back at first and large later has not flowed by its size alone",
      sample: {
        progress: [
          [200, 2100],
          [2000, 3900],
        ],
        bytes: 5_000_000,
      },
      is: "unclear",
    },
    {
      name: "that waits long before its search begins has flowed if it is small",
      sample: {
        progress: [
          [200, 2100],
          [2000, 3900],
        ],
      },
      is: "flowed",
    },
    {
      name: "that had not ended is judged by the part received",
      sample: { progress: steady, isDone: false },
      is: "flowed",
    },
  ])("$name", ({ is, sample }) => {
    expect(arrival(sample).kind).toBe(is);
  });

  test("that is held back has the times over which it was made and arrived", () => {
    expect(arrival({ progress: burst })).toEqual({ kind: "burst", reportedMs: 1800, arrivalMs: 1 });
  });
});

const durations = fc
  .uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 2, maxLength: 20 })
  .map((values) => values.toSorted((one, other) => one - other));

/** Delays of a healthy network. */
const delays = fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 20, maxLength: 20 });

describe("the laws", () => {
  test("a stream that is sent as it is made is never held back", () => {
    fc.assert(
      fc.property(durations, delays, fc.integer({ min: 1, max: 500 }), (made, late, latencyMs) => {
        const progress = made.map((ms, index): Progress => [ms, ms + latencyMs + (late[index] ?? 0)]);
        expect(["burst", "lumpy"]).not.toContain(arrival({ progress }).kind);
      }),
    );
  });

  test("a stream that is kept until its end has never flowed", () => {
    fc.assert(
      fc.property(durations, fc.integer({ min: 1, max: 500 }), (made, latencyMs) => {
        const endMs = (made.at(-1) ?? 0) + latencyMs;
        const progress = made.map((ms): Progress => [ms, endMs]);
        expect(arrival({ progress, firstMatchMs: endMs }).kind).not.toBe("flowed");
      }),
    );
  });
});
