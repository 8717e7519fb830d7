import { defined } from "@assay/contract";
import type { ExchangeRecord, HeaderField } from "@assay/evidence";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEvidenceJudge } from "../../engine/evidence-judge.ts";
import type { RuleOutcome } from "../../engine/rule-outcome.ts";
import { resultsArriveIncrementally } from "./results-arrive-incrementally.ts";
import { exchangeRecord } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/results-arrive-incrementally";

/** An event and when it arrived, in milliseconds after the request was sent. */
type Arrival = readonly [atMs: number, text: string];

interface Stream {
  readonly arrivals: readonly Arrival[];
  readonly probe?: string;
  readonly headers?: readonly HeaderField[];
  readonly connectedAtMs?: number;
  readonly stalls?: readonly (readonly [fromMs: number, toMs: number])[];
  readonly query?: Readonly<Record<string, string>>;
}

const matches = wireEvent("matches", [{ type: "path" }]);
const noMatches = wireEvent("matches", []);
const progress = (durationMs: unknown, done = false): string => wireEvent("progress", { done, durationMs });
const counting = (durationMs: number): string => wireEvent("progress", { done: false, durationMs, matchCount: 1 });
const final = (durationMs: unknown): string => progress(durationMs, true);

/** When the requests of these tests were sent, so that no time is taken for one since then. */
const sentAtMs = 60_000;
const betweenMs = 60_000;

function recordOf(exchangeId: string, stream: Stream, requestedAtMs: number): ExchangeRecord {
  const { probe = "search", headers, connectedAtMs, stalls, query } = stream;
  const stalled =
    stalls === undefined
      ? {}
      : { stalls: stalls.map(([from, to]) => [(requestedAtMs + from) * 1000, (requestedAtMs + to) * 1000] as const) };
  const { response, ...record } = exchangeRecord({ id: exchangeId, query: { q: "a", ...query } });
  const connected = connectedAtMs === undefined ? {} : { connectedAtMicros: (requestedAtMs + connectedAtMs) * 1000 };
  return {
    ...record,
    probe,
    ...(response === undefined || headers === undefined ? {} : { response: { ...response, headers } }),
    times: { sentAtMicros: requestedAtMs * 1000, ...connected, ...stalled, endedAtMicros: requestedAtMs * 1000 },
  };
}

/** The report about streams that were requested one after the other. */
function judged(...streams: readonly Stream[]): RuleOutcome | undefined {
  return judgedAt(streams, (index) => sentAtMs + index * betweenMs);
}

function judgedAt(streams: readonly Stream[], sentAt: (index: number) => number): RuleOutcome | undefined {
  const judge = createEvidenceJudge([resultsArriveIncrementally], { access: "private" });
  for (const [index, stream] of streams.entries()) {
    const open = judge.openStream(recordOf(String(index + 1), stream, sentAt(index)));
    for (const [atMs, text] of stream.arrivals) {
      open.push(Buffer.from(text), (sentAt(index) + atMs) * 1000);
    }
    open.finish({ isComplete: true });
  }
  return judge.finish().outcomes.get(id);
}

const wordFor = ({ findings = [], observations = 0 }: Partial<RuleOutcome>): string => {
  const broken = findings.map(({ exchange }) => exchange).join(" and ");
  return broken === "" ? (observations > 0 ? "holds" : "not observed") : `broken by ${broken}`;
};

const verdict = (...streams: readonly Stream[]): string => wordFor(judged(...streams) ?? {});

/** The report about a stream that is sent twice, one after the other: a single one may be a coincidence. */
const verdictOfTwo = (stream: Stream): string => verdict(stream, stream).replace(" and 2", "");

/** A stream whose target had matches at once and ended its search after three seconds; it came between two times. */
const slow = (firstMs: number, lastMs: number): Stream => ({
  arrivals: [
    [firstMs, matches + progress(0)],
    [lastMs, final(3000) + doneEvent],
  ],
});
const burst = slow(3000, 3001);
const trickle = slow(3000, 3400);

describe("a stream shows it", () => {
  test.each<{ name: string; stream: Stream; is: string }>([
    {
      name: "whose first match came during the search",
      stream: {
        arrivals: [
          [5, matches],
          [31, final(30)],
        ],
      },
      is: "holds",
    },
    {
      name: "whose first match came at its end",
      stream: {
        arrivals: [
          [30, matches],
          [31, final(30)],
        ],
      },
      is: "not observed",
    },
    {
      name: "whose first match came just before",
      stream: {
        arrivals: [
          [29.999, matches],
          [31, final(30)],
        ],
      },
      is: "holds",
    },
    { name: "that came as a whole", stream: { arrivals: [[31, matches + final(30)]] }, is: "not observed" },
    {
      name: "whose search ended as the final progress came",
      stream: {
        arrivals: [
          [5, matches],
          [30, final(30)],
        ],
      },
      is: "holds",
    },
    {
      name: "whose clock is too fast",
      stream: {
        arrivals: [
          [5, matches],
          [30, final(30.001)],
        ],
      },
      is: "not observed",
    },
    {
      name: "whose clock does not run",
      stream: {
        arrivals: [
          [5, matches],
          [30, final(0)],
        ],
      },
      is: "not observed",
    },
    {
      name: "without a time",
      stream: {
        arrivals: [
          [5, matches],
          [30, final("30")],
        ],
      },
      is: "not observed",
    },
    {
      name: "with a time beyond all bounds",
      stream: {
        arrivals: [
          [5, matches],
          [30, `event: progress\ndata: {"done":true,"durationMs":1e999}\n\n`],
        ],
      },
      is: "not observed",
    },
    {
      name: "without a final progress",
      stream: {
        arrivals: [
          [5, matches],
          [30, progress(30)],
        ],
      },
      is: "not observed",
    },
    {
      name: "without a match",
      stream: {
        arrivals: [
          [5, noMatches],
          [31, final(30)],
        ],
      },
      is: "not observed",
    },
    {
      name: "whose match followed an empty event",
      stream: {
        arrivals: [
          [5, noMatches],
          [30, matches],
          [31, final(30)],
        ],
      },
      is: "not observed",
    },
    {
      name: "that is counted from the connection on",
      stream: {
        connectedAtMs: 4,
        arrivals: [
          [33.999, matches],
          [34, final(30)],
        ],
      },
      is: "holds",
    },
    {
      name: "whose match came late after the connection",
      stream: {
        connectedAtMs: 4,
        arrivals: [
          [34, matches],
          [35, final(30)],
        ],
      },
      is: "not observed",
    },
    {
      name: "whose clock is too fast since the connection",
      stream: {
        connectedAtMs: 4,
        arrivals: [
          [5, matches],
          [33.999, final(30)],
        ],
      },
      is: "not observed",
    },
    {
      name: "that was recorded elsewhere",
      stream: {
        probe: "import",
        arrivals: [
          [5, matches],
          [31, final(30)],
        ],
      },
      is: "not observed",
    },
  ])("$name: $is", ({ stream, is }) => {
    expect(verdict(stream)).toBe(is);
  });

  test("each one counts", () => {
    const stream: Stream = {
      arrivals: [
        [5, matches],
        [31, final(30)],
      ],
    };
    expect(judged(stream, burst, stream, trickle)).toMatchObject({ observations: 2, findings: [] });
  });
});

describe("a stream is a burst", () => {
  const claim = (claimedMs: number, arrivedMs: number): Stream => ({
    arrivals: [
      [9000, matches + progress(500)],
      [9000 + arrivedMs, final(500 + claimedMs)],
    ],
  });
  test.each([
    { name: "a tenth of a second", claimedMs: 1000, arrivedMs: 100, is: "broken by 1" },
    { name: "just more than that", claimedMs: 1000, arrivedMs: 100.001, is: "not observed" },
    { name: "at once", claimedMs: 1000, arrivedMs: 0, is: "broken by 1" },
    { name: "at once, for a shorter search", claimedMs: 999.999, arrivedMs: 0, is: "not observed" },
    { name: "a longer time for a longer search", claimedMs: 8000, arrivedMs: 800, is: "broken by 1" },
  ])("when $claimedMs ms come in $arrivedMs ms ($name): $is", ({ claimedMs, arrivedMs, is }) => {
    expect(verdictOfTwo(claim(claimedMs, arrivedMs))).toBe(is);
  });

  test.each<{ name: string; arrivals: readonly Arrival[]; is: string }>([
    {
      name: "an early progress counts no match",
      arrivals: [[9000, progress(0) + matches + final(3000)]],
      is: "not observed",
    },
    {
      name: "a later progress does",
      arrivals: [[9000, progress(0) + matches + progress(2000) + final(3000)]],
      is: "broken by 1",
    },
    {
      name: "it tells so too late",
      arrivals: [[9000, progress(0) + matches + progress(2001) + final(3000)]],
      is: "not observed",
    },
    {
      name: "the first of several counts",
      arrivals: [[9000, matches + progress(0) + progress(2900) + final(3000)]],
      is: "broken by 1",
    },
    {
      name: "a progress without a time is passed over",
      arrivals: [[9000, matches + progress(null) + progress(0) + final(3000)]],
      is: "broken by 1",
    },
    { name: "the matches are empty", arrivals: [[9000, noMatches + progress(0) + final(3000)]], is: "not observed" },
    {
      name: "there is no final progress",
      arrivals: [[9000, matches + progress(0) + progress(3000)]],
      is: "not observed",
    },
    {
      name: "the final progress has no time",
      arrivals: [[9000, matches + progress(0) + progress(null, true) + final(3000)]],
      is: "not observed",
    },
    {
      name: "the progress follows the final one",
      arrivals: [[9000, final(3000) + matches + progress(0)]],
      is: "not observed",
    },
    {
      name: "the matches came early",
      arrivals: [
        [100, matches],
        [9000, progress(0) + final(3000)],
      ],
      is: "holds",
    },
  ])("and where $name: $is", ({ arrivals, is }) => {
    expect(verdictOfTwo({ arrivals })).toBe(is);
  });

  test.each([
    { name: "half of the time it claims", atMs: 1500, is: "broken by 1" },
    { name: "less than half of it", atMs: 1499.999, is: "not observed" },
  ])("that lasted $name: $is", ({ atMs, is }) => {
    expect(verdictOfTwo({ arrivals: [[atMs, matches + progress(0) + final(3000)]] })).toBe(is);
  });

  test("but not in a recording made elsewhere", () => {
    expect(verdictOfTwo({ ...burst, probe: "import" })).toBe("not observed");
  });
});

describe("a run", () => {
  const quick: Stream = {
    arrivals: [
      [5, matches],
      [31, final(30)],
    ],
  };
  const chunked = { query: { cm: "true" } };
  test.each<{ name: string; streams: readonly Stream[]; is: string }>([
    { name: "of bursts alone", streams: [burst, burst], is: "broken by 1 and 2" },
    { name: "of one burst, which may be chance", streams: [burst], is: "not observed" },
    { name: "with one that came slowly", streams: [burst, trickle, burst], is: "broken by 1 and 3" },
    { name: "with as many that came slowly", streams: [burst, trickle, trickle, burst], is: "not observed" },
    { name: "with one that came slowly and shows it", streams: [burst, slow(100, 3001)], is: "holds" },
    { name: "with a quick one", streams: [burst, burst, quick], is: "broken by 1 and 2" },
    {
      name: "with one without a match",
      streams: [burst, { arrivals: [[5, final(3000)]] }, burst],
      is: "broken by 1 and 3",
    },
    {
      name: "with slow ones in a recording",
      streams: [burst, { ...trickle, probe: "import" }, { ...trickle, probe: "import" }, burst],
      is: "broken by 1 and 4",
    },
    {
      name: "that holds back chunk matches alone",
      streams: [trickle, { ...burst, ...chunked }, trickle, { ...burst, ...chunked }, trickle],
      is: "broken by 2 and 4",
    },
    {
      name: "with one burst of either kind",
      streams: [burst, { ...burst, ...chunked }],
      is: "not observed",
    },
    { name: "without a stream", streams: [], is: "not observed" },
  ])("$name: $is", ({ streams, is }) => {
    expect(verdict(...streams)).toBe(is);
  });

  test("of bursts at one time shows nothing: then the target may have been too busy to write", () => {
    const said = judgedAt([burst, burst, burst], (index) => sentAtMs + index * 900);
    expect(wordFor(said ?? {})).toBe("not observed");
    expect(said?.notTested).toContain("too busy");
  });

  describe("in which progress comes as it is made", () => {
    const counted = (matchCount: number, durationMs: number, done = false): string =>
      wireEvent("progress", { done, durationMs, matchCount });
    const heldBack = (progressText: string, firstMatchMs: number): Stream => ({
      arrivals: [
        [10, progressText],
        [firstMatchMs, matches],
        [3000, counted(5, 3000, true) + doneEvent],
      ],
    });
    test.each([
      { name: "and matches at the end", stream: heldBack(counted(5, 0), 2999), is: "broken by 1" },
      { name: "and matches a little before the end", stream: heldBack(counted(5, 0), 2500), is: "holds" },
      { name: "and counts no match before the end", stream: heldBack(counted(0, 0), 2999), is: "holds" },
      { name: "and counts them shortly before the end", stream: heldBack(counted(5, 2001), 2999), is: "holds" },
      {
        name: "and no match ever",
        stream: { arrivals: heldBack(counted(5, 0), 2999).arrivals.filter(([at]) => at !== 2999) },
        is: "not observed",
      },
    ])("$name: $is", ({ stream, is }) => {
      expect(verdictOfTwo(stream)).toBe(is);
    });

    test("the target was not too busy to write, and searches at one time count", () => {
      const stream = heldBack(counted(5, 0), 2999);
      const said = (streams: readonly Stream[]): string => wordFor(judgedAt(streams, () => sentAtMs) ?? {});
      expect([said([stream]), said([stream, stream])]).toEqual(["holds", "broken by 1 and 2"]);
    });
  });

  test("each burst counts as an observation", () => {
    expect(judged(burst, burst)).toMatchObject({ observations: 2 });
  });

  test("an answer without a stream says nothing", () => {
    const judge = createEvidenceJudge([resultsArriveIncrementally], { access: "private" });
    judge.addWithoutStream(exchangeRecord({ status: 401 }));
    expect(judge.finish().outcomes.get(id)).toMatchObject({ observations: 0, findings: [] });
  });

  test("a run that came later than it was searched is never called a burst, however it is delayed", () => {
    const delays = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(delays, (delayMs) => {
        const streams = delayMs.map((delay): Stream => slow(delay + 10, delay + 3010));
        expect(judged(...streams)?.findings).toEqual([]);
      }),
    );
  });
});

test.each<{ name: string; headers?: readonly HeaderField[]; causes: string }>([
  {
    name: "the likely causes",
    headers: [["Via", "1.1 edge"]],
    causes:
      "likely causes: `Via: 1.1 edge` (a proxy forwarded the response), no `X-Accel-Buffering: no` (nginx buffers without it)",
  },
  {
    name: "that the head was not kept",
    causes: "likely causes: no `X-Accel-Buffering: no` (nginx buffers without it)",
  },
  { name: "that there is none", headers: [["X-Accel-Buffering", "no"]], causes: "the response headers show no cause" },
])("the sentence tells the times and $name", ({ headers, causes }) => {
  const stream = { ...slow(3000, 3001.4), ...defined({ headers }) };
  expect(judged(stream, stream)?.findings.slice(0, 1)).toEqual([
    {
      kind: "violation",
      exchange: "1",
      message:
        "by its own clock the target had matches 3000 ms before its search ended; the stream began 1 ms before the final " +
        `progress, and up to 300 ms is a burst; ${causes}`,
    },
  ]);
});

describe("what is no burst", () => {
  test.each([
    { name: "after a stall of a tenth of its time", stalls: [[2700, 3000]] as const, is: "not observed" },
    {
      name: "after many short stalls",
      stalls: [
        [2650, 2800],
        [2805, 2998],
      ] as const,
      is: "not observed",
    },
    { name: "after a stall that was shorter", stalls: [[2710, 3000]] as const, is: "broken by 1" },
    { name: "long after a stall", stalls: [[0, 2600]] as const, is: "broken by 1" },
    { name: "while nobody looked for stalls", stalls: undefined, is: "broken by 1" },
  ])("a stream that came at once $name: $is", ({ stalls, is }) => {
    expect(verdictOfTwo({ ...burst, ...defined({ stalls }) })).toBe(is);
  });

  test("a first match behind a large event that we were too busy to read since the progress before it", () => {
    const late: Stream = {
      arrivals: [
        [100, counting(100)],
        [3000, matches],
        [3001, final(3000) + doneEvent],
      ],
    };
    expect(verdictOfTwo(late)).toBe("broken by 1");
    expect(verdictOfTwo({ ...late, stalls: [[200, 500]] })).toBe("not observed");
  });

  test("an end that came late only because we were busy makes no stream live", () => {
    const live = slow(2600, 3001);
    expect(verdictOfTwo(live)).toBe("holds");
    expect(verdictOfTwo({ ...live, stalls: [[2800, 3000]] })).toBe("holds");
  });

  test.each([
    {
      name: "while we were too busy to read it",
      stream: { ...burst, stalls: [[2000, 3000]] as const },
      says: /machine was too busy to read/u,
    },
    { name: "while nothing kept us busy", stream: slow(500, 501), says: /no search took long enough/u },
  ])("the reason says how a stream arrived: $name", ({ stream, says }) => {
    expect(judged(stream)?.notTested).toMatch(says);
  });

  test("a large event that took the whole time to arrive", () => {
    const [half, rest] = [matches.slice(0, 20), matches.slice(20)];
    const large: Stream = {
      arrivals: [
        [10, half],
        [3000, rest + progress(0)],
        [3001, final(3000) + doneEvent],
      ],
    };
    expect(verdictOfTwo(large)).toBe("not observed");
  });
});
