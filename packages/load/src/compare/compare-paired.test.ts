import type { LoadSide } from "@assay/contract";
import type { Comparison, LoadSample, StreamSample } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparePaired } from "./compare-paired.ts";
import { conversationPlan, conversationSamples } from "./testing/simulate-conversations.ts";
import { type SampleRun, sampleRun } from "./testing/sample-run.ts";

const names = { base: "old", head: "new" };

const compare = (
  run: SampleRun,
  change: (samples: readonly StreamSample[]) => readonly LoadSample[] = (samples) => samples,
): Comparison => {
  const { plan, samples } = sampleRun(run);
  return comparePaired({ samples: change(samples), plan, preset: "standard", ...names });
};

const metricOf = ({ metrics }: Comparison, name: string) => {
  const found = metrics.find(({ metric }) => metric === name);
  expect(found).toBeDefined();
  return found!;
};

const wobble = (pair: number, request: number): number => 1 + ((pair * 7 + request * 13) % 11) / 1000;
const headSlower =
  (factor: number) =>
  ({ side, pair, request }: { side: LoadSide; pair: number; request: number }): number =>
    100 * wobble(pair, request) * (side === "head" ? factor * (1 + (pair % 5) / 1000) : 1);

/** Samples that a change applies to: from `from` on, every `every`-th of one side. */
const failing = (
  samples: readonly StreamSample[],
  isHit: (sample: StreamSample, index: number) => boolean,
): readonly StreamSample[] =>
  samples.map((sample, index) => {
    const { firstMatchMs: _, ...rest } = sample;
    return isHit(sample, index) ? { ...rest, outcome: "transport" } : sample;
  });

describe("verdict of a paired run", () => {
  test.each([
    { name: "equal sides are unchanged", factor: 1, verdict: "unchanged" },
    { name: "a head 20 % slower is regressed", factor: 1.2, verdict: "regressed" },
    { name: "a head 20 % faster is improved", factor: 1 / 1.2, verdict: "improved" },
    { name: "a change below the margin is unchanged", factor: 1.03, verdict: "unchanged" },
  ])("$name", ({ factor, verdict }) => {
    const comparison = compare({ pairs: 14, latencyMs: headSlower(factor) });
    expect(comparison.verdict).toBe(verdict);
    expect(metricOf(comparison, "first-match by query").verdict).toBe(verdict);
    expect(metricOf(comparison, "first-match by query").change).toBeCloseTo(factor - 1, 2);
    expect(comparison).toMatchObject({ design: "paired", preset: "standard", ...names, incomparable: [] });
    expect(comparison.summary.startsWith(`${verdict}: first-match by query`)).toBe(true);
  });

  test("all metrics and the failures share an error of 1 %", () => {
    expect(compare({ pairs: 12 }).metrics.map(({ confidence }) => confidence)).toEqual(
      Array.from({ length: 5 }, () => 1 - 0.01 / 6),
    );
  });

  test("an influence on both blocks of a pair cancels", () => {
    const comparison = compare({ pairs: 14, latencyMs: (at) => headSlower(1)(at) * (1 + (at.pair % 4)) });
    expect(comparison.verdict).toBe("unchanged");
  });

  test("base and head are shown in milliseconds from the planned sending", () => {
    const { base, head } = metricOf(
      compare({ pairs: 12, latencyMs: ({ side }) => (side === "base" ? 100 : 150) }),
      "first-match p50",
    );
    expect(base).toBeCloseTo(100, 9);
    expect(head).toBeCloseTo(150, 9);
  });

  test("late sending counts as latency", () => {
    const late = compare({ pairs: 12 }, (samples) =>
      samples.map((sample) =>
        sample.side === "head"
          ? { ...sample, sendMs: sample.sendMs + 100, firstMatchMs: (sample.firstMatchMs ?? 0) + 100 }
          : sample,
      ),
    );
    expect(late.verdict).toBe("regressed");
  });

  test("queries of very different cost have equal weight in the metric by query", () => {
    const comparison = compare({
      pairs: 12,
      queries: 2,
      latencyMs: ({ side, request }) =>
        request % 2 === 0 ? 10 * (side === "head" ? 2 : 1) : 1000 * (side === "head" ? 0.5 : 1),
    });
    expect(metricOf(comparison, "first-match by query").change).toBeCloseTo(0, 9);
  });
});

describe("left out are", () => {
  test("warm-up pairs", () => {
    const comparison = compare({
      pairs: 12,
      warmupPairs: 3,
      latencyMs: (at) => (at.pair < 3 && at.side === "head" ? 9999 : headSlower(1)(at)),
    });
    expect(metricOf(comparison, "first-match p50").units).toBe(12);
    expect(comparison.verdict).toBe("unchanged");
  });

  test.each([
    {
      name: "whose second block was cut off",
      isKept: (sample: StreamSample) => sample.pair !== 13 || sample.side === "base" || sample.planMs % 10_000 < 500,
    },
    { name: "with a missing side", isKept: (sample: StreamSample) => sample.pair !== 13 || sample.side === "base" },
  ])("a pair $name", ({ isKept }) => {
    const comparison = compare({ pairs: 12, latencyMs: headSlower(1.5) }, (samples) => samples.filter(isKept));
    expect(metricOf(comparison, "first-match p50")).toMatchObject({
      units: 11,
      verdict: "inconclusive",
      unitsNeeded: 1,
    });
    expect(comparison.verdict).toBe("inconclusive");
  });

  test.each(["canceled", "over-budget"] as const)(
    "a pair with %s requests, which are no failures either",
    (outcome) => {
      const comparison = compare({ pairs: 13 }, (samples) =>
        samples.map((sample) => (sample.pair === 5 && sample.planMs % 10_000 === 0 ? { ...sample, outcome } : sample)),
      );
      expect(metricOf(comparison, "first-match by query").units).toBe(12);
      expect(comparison.failures).toMatchObject({
        baseFailed: 0,
        headFailed: 0,
        baseTotal: 13 * 20 - 1,
        headTotal: 13 * 20 - 1,
      });
    },
  );

  test("the warm-up phase, calls and samples without a pair", () => {
    const odd = compare({ pairs: 12 }, (samples) => [
      ...samples,
      ...samples.map((sample): LoadSample => ({ ...sample, phase: "warmup", outcome: "transport" })),
      ...samples.map((sample): LoadSample => {
        const { pair: _, ...unpaired } = sample;
        return { ...unpaired, outcome: "transport" };
      }),
      ...samples.map((sample): LoadSample => ({ ...sample, kind: "call", operation: "poll", outcome: "transport" })),
    ]);
    expect(odd).toEqual(compare({ pairs: 12 }));
  });
});

describe("too little", () => {
  test("eleven pairs are inconclusive however slow the head is, and its failures too", () => {
    const comparison = compare({ pairs: 11, latencyMs: headSlower(3) }, (samples) =>
      failing(samples, ({ side }, index) => side === "head" && index % 3 === 0),
    );
    expect(comparison.verdict).toBe("inconclusive");
    expect(comparison.metrics.map(({ verdict }) => verdict)).toEqual([
      "inconclusive",
      "inconclusive",
      "inconclusive",
      "inconclusive",
      "inconclusive",
    ]);
    expect(comparison.failures?.verdict).toBe("inconclusive");
  });

  test("no percentile comes from blocks that are too small for it", () => {
    const comparison = compare({ pairs: 12, requestsPerBlock: 100, latencyMs: headSlower(2) });
    expect(metricOf(comparison, "first-match p95").verdict).toBe("regressed");
    expect(metricOf(comparison, "first-match p99")).toMatchObject({
      verdict: "inconclusive",
      units: 0,
      note: "complete pairs of blocks with at least 200 searches timed on each side: 0, and a verdict needs at least 12: blocks must be longer, which takes a longer run",
    });
    expect(metricOf(comparison, "first-match p99")).not.toHaveProperty("unitsNeeded");
    expect(
      metricOf(compare({ pairs: 12, requestsPerBlock: 99, latencyMs: headSlower(2) }), "first-match p95").units,
    ).toBe(0);
  });

  test("the preset quick has no verdict on the 99th percentile", () => {
    const { plan, samples } = sampleRun({ pairs: 12, requestsPerBlock: 200 });
    const { metrics } = comparePaired({ samples, plan, preset: "quick", ...names });
    expect(metrics.map(({ metric }) => metric)).toEqual([
      "first-match by query",
      "first-match p50",
      "first-match p95",
      "throughput",
    ]);
  });

  test.each([
    { name: "no samples", run: { pairs: 12 }, hasBlocks: true, says: /nothing was recorded/u },
    { name: "a run without blocks", run: { pairs: 12 }, hasBlocks: false, says: /alternating blocks/u },
  ])("$name cannot be compared", ({ run, hasBlocks, says }) => {
    const { plan, samples } = sampleRun(run);
    const { blocks: _, ...withoutBlocks } = plan;
    const comparison = comparePaired({
      samples: hasBlocks ? [] : samples,
      plan: hasBlocks ? plan : withoutBlocks,
      preset: "quick",
      ...names,
    });
    expect(comparison.verdict).toBe("inconclusive");
    expect(comparison.metrics).toEqual([]);
    expect(comparison.incomparable).toEqual([expect.stringMatching(says)]);
  });
});

describe("failures", () => {
  test("have no times, so a head that drops slow requests is regressed, not faster", () => {
    const comparison = compare(
      { pairs: 14, latencyMs: (at) => headSlower(1)(at) * (at.side === "head" && at.request < 4 ? 50 : 1) },
      (samples) => failing(samples, ({ side, planMs }) => side === "head" && planMs % 10_000 < 200),
    );
    expect(metricOf(comparison, "first-match by query").verdict).toBe("unchanged");
    expect(comparison.failures).toMatchObject({
      baseFailed: 0,
      baseTotal: 280,
      headFailed: 56,
      headTotal: 280,
      verdict: "regressed",
    });
    expect(comparison.verdict).toBe("regressed");
    expect(comparison.summary).toContain("56 of 280 requests failed, 0 of 280 in the base");
  });

  test("of all requests of the head are regressed, although there was no first match", () => {
    const comparison = compare({ pairs: 12 }, (samples) => failing(samples, ({ side }) => side === "head"));
    expect(comparison.verdict).toBe("regressed");
    const judged = metricOf(comparison, "first-match p50");
    expect(judged).toMatchObject({ units: 12, verdict: "inconclusive", headIsCensored: true });
    expect(judged.censored).toEqual({ base: { censored: 0, of: 240 }, head: { censored: 240, of: 240 } });
  });

  test("that are responses have no time, and are judged by their share", () => {
    const comparison = compare({ pairs: 14 }, (samples) =>
      samples.map((sample, index) =>
        index % 5 === 0 && sample.side === "head" ? { ...sample, outcome: "refused" } : sample,
      ),
    );
    expect(metricOf(comparison, "first-match p50").censored).toBeUndefined();
    expect(comparison.failures).toMatchObject({ headFailed: 56, verdict: "regressed" });
  });

  test("of the base alone are an improvement of the failures", () => {
    expect(
      compare({ pairs: 14 }, (samples) => failing(samples, ({ side }, index) => side === "base" && index % 5 === 0))
        .failures?.verdict,
    ).toBe("improved");
  });

  test("in one block alone may have hit either side: inconclusive", () => {
    const comparison = compare({ pairs: 14 }, (samples) =>
      failing(samples, ({ side, pair }) => side === "head" && pair === 9),
    );
    expect(comparison.failures?.verdict).toBe("inconclusive");
    expect(comparison.verdict).toBe("inconclusive");
    expect(comparison.summary).toContain("which one outage may have caused");
  });

  test("of both sides alike change nothing", () => {
    const comparison = compare({ pairs: 14 }, (samples) => failing(samples, (_, index) => index % 7 === 0));
    expect(comparison.failures).toMatchObject({ verdict: "unchanged" });
    expect(comparison.verdict).toBe("unchanged");
  });

  test("include successful streams without a match if the query has matches elsewhere", () => {
    const withoutMatch = (sample: StreamSample): StreamSample => {
      const { firstMatchMs: _, ...rest } = sample;
      return rest;
    };
    const lost = compare({ pairs: 14 }, (samples) =>
      samples.map((sample, index) => (sample.side === "head" && index % 5 === 0 ? withoutMatch(sample) : sample)),
    );
    expect(lost.failures).toMatchObject({ headFailed: 56, baseFailed: 0, verdict: "regressed" });
    const never = compare({ pairs: 14 }, (samples) =>
      samples.map((sample) => (sample.query === "q1" ? withoutMatch(sample) : sample)),
    );
    expect(never.failures).toMatchObject({ headFailed: 0, baseFailed: 0, verdict: "unchanged" });
    expect(never.verdict).toBe("unchanged");
  });
});

describe("censored times", () => {
  /** Streams selected by `isCut` are cut off without a match after a number of milliseconds. */
  const cutOff = (
    samples: readonly StreamSample[],
    isCut: (sample: StreamSample, index: number) => boolean,
    afterMs: number,
  ): readonly StreamSample[] =>
    samples.map((sample, index) => {
      const { firstMatchMs: _, ...rest } = sample;
      return isCut(sample, index) ? { ...rest, outcome: "timeout", endMs: sample.planMs + afterMs } : sample;
    });
  const slowHalf = ({ side, planMs }: StreamSample): boolean => side === "head" && planMs % 200 < 100;

  test("after all times of the other side are regressed, with a lower bound as the value", () => {
    const judged = metricOf(
      compare({ pairs: 14 }, (samples) => cutOff(samples, ({ side }) => side === "head", 400)),
      "first-match p50",
    );
    expect(judged).toMatchObject({ verdict: "regressed", head: expect.closeTo(400, 6), headIsCensored: true });
    expect(judged).not.toHaveProperty("high");
    expect(judged).not.toHaveProperty("baseIsCensored");
    expect(judged.low).toBeGreaterThan(2.5);
  });

  test("hide nothing: a head that answers fast but leaves most requests waiting has not improved", () => {
    const comparison = compare(
      { pairs: 14, latencyMs: (at) => headSlower(1)(at) * (at.side === "head" ? 0.5 : 1) },
      (samples) =>
        cutOff(samples, (sample, index) => slowHalf(sample) || (sample.side === "head" && index % 3 === 0), 60),
    );
    expect(metricOf(comparison, "first-match p50")).toMatchObject({
      verdict: "inconclusive",
      note: expect.stringContaining("their times decide it"),
    });
    expect(comparison.verdict).toBe("regressed");
  });

  test("leave the median decided if they are few, on either side", () => {
    const rare = (samples: readonly StreamSample[]) => cutOff(samples, (_sample, index) => index % 41 === 0, 60_000);
    const judged = metricOf(
      compare({ pairs: 14, requestsPerBlock: 100, latencyMs: headSlower(1) }, rare),
      "first-match p50",
    );
    expect(judged.verdict).toBe("unchanged");
    expect(judged.censored?.base.censored).toBeGreaterThan(0);
    expect(judged.censored?.head.censored).toBeGreaterThan(0);
  });

  test("include arrivals that could not begin, so such a head has not improved", () => {
    const comparison = compare(
      { pairs: 14, requestsPerBlock: 100, latencyMs: (at) => headSlower(1)(at) * (at.side === "head" ? 0.5 : 1) },
      (samples) =>
        samples.map((sample, index) => {
          const { firstMatchMs: _, ...rest } = sample;
          return sample.side === "head" && index % 50 === 7
            ? { ...rest, outcome: "not-begun", endMs: sample.planMs }
            : sample;
        }),
    );
    const judged = metricOf(comparison, "first-match p50");
    expect(judged).toMatchObject({ verdict: "inconclusive", units: 14 });
    expect(judged.note).toMatch(/cannot keep up, so it may be slower: 28 of its arrivals/u);
    // Two of each hundred arrivals of the head did not go well, and all of the base did.
    expect(comparison.verdict).toBe("regressed");
    expect(comparison.failures).toMatchObject({ headFailed: 28, headTotal: 1400, verdict: "regressed" });
  });

  test("would change no verdict if they were known, whatever they are", () => {
    const limitMs = 101;
    const decided = fc.record({
      factor: fc.constantFrom(0.8, 0.9, 1, 1.02, 1.1, 1.3),
      extra: fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), { minLength: 7, maxLength: 7 }),
    });
    fc.assert(
      fc.property(decided, ({ factor, extra }) => {
        const { plan, samples } = sampleRun({ pairs: 12, requestsPerBlock: 40, latencyMs: headSlower(factor) });
        const isCut = (sample: StreamSample, index: number): boolean =>
          index % 3 === 0 && (sample.firstMatchMs ?? 0) - sample.planMs > limitMs;
        const atLast = samples.map((sample, index) =>
          isCut(sample, index)
            ? { ...sample, firstMatchMs: sample.planMs + limitMs + (extra[index % 7] ?? 0) }
            : sample,
        );
        const settings = { plan, preset: "standard", ...names } as const;
        const cut = comparePaired({ samples: cutOff(samples, isCut, limitMs), ...settings });
        const whole = comparePaired({ samples: atLast, ...settings });
        const verdicts = cut.metrics
          .filter(({ metric, verdict }) => metric.startsWith("first-match") && verdict !== "inconclusive")
          .map(({ metric, verdict }) => [metric, verdict]);
        expect(whole.metrics.map(({ metric, verdict }) => [metric, verdict])).toEqual(expect.arrayContaining(verdicts));
      }),
      { numRuns: 40 },
    );
  });
});

describe("throughput", () => {
  const throughputOf = (...given: Parameters<typeof compare>) => metricOf(compare(...given), "throughput");

  test("is the number of successes per second of the planned time", () => {
    const { base, head, verdict } = throughputOf({ pairs: 14 });
    expect([base, head]).toEqual([expect.closeTo(20, 1), expect.closeTo(20, 1)]);
    expect(verdict).toBe("unchanged");
  });

  test.each([
    { name: "of a head that fails a fifth is regressed", side: "head", verdict: "regressed", served: 16 },
    { name: "of a base that fails a fifth has improved", side: "base", verdict: "improved", served: 20 },
  ])("$name", ({ side, verdict, served }) => {
    const judged = throughputOf({ pairs: 14 }, (samples) =>
      failing(samples, (sample, index) => sample.side === side && index % 5 === 0),
    );
    expect(judged.verdict).toBe(verdict);
    expect(judged.head).toBeCloseTo(served, 0);
  });

  test("of a head that falls behind is regressed, even if each request succeeds in the end", () => {
    const capacity = 0.8;
    const queueing = ({ side, request }: { side: LoadSide; request: number }): number =>
      100 + (side === "head" ? request * 50 * (1 / capacity - 1) : 0);
    const judged = throughputOf({ pairs: 14, requestsPerBlock: 200, latencyMs: queueing });
    expect(judged).toMatchObject({ verdict: "regressed", head: expect.closeTo(20 * capacity, 1) });
  });

  test("does not fall if a head is slower but keeps up", () => {
    expect(throughputOf({ pairs: 14, requestsPerBlock: 200, latencyMs: headSlower(3) }).verdict).toBe("unchanged");
  });

  test("of a head that serves nothing is regressed", () => {
    expect(throughputOf({ pairs: 14 }, (samples) => failing(samples, ({ side }) => side === "head")).verdict).toBe(
      "regressed",
    );
  });
});

describe("questions", () => {
  const pollEveryMs = 20;
  /** Conversations of half a second with polls of 10 ms; those of the head take longer by a factor. */
  const conversations = ({ factor = 1, pollFactor = 1, every = pollEveryMs }) => {
    const design = { pairs: 14, warmupPairs: 2, requestsPerBlock: 40, margins: {} };
    const pairs = Array.from({ length: 14 }, (_, pair) => {
      const block = (slower: number, polls: number) => ({
        endsMs: Float64Array.from({ length: 40 }, (_none, request) => 500 * wobble(pair, request) * slower),
        pollsMs: Float64Array.from({ length: 200 }, (_none, poll) => 10 * wobble(pair, poll) * polls),
      });
      return { base: block(1, 1), head: block(factor, pollFactor) };
    });
    const samples = conversationSamples(pairs, design, every);
    return { samples, plan: conversationPlan(design) };
  };
  const compared = (given: Parameters<typeof conversations>[0]): Comparison =>
    comparePaired({ ...conversations(given), preset: "standard", ...names });

  test.each([
    { name: "that end as before are unchanged", given: {}, verdict: "unchanged" },
    { name: "that take a fifth longer are regressed", given: { factor: 1.25 }, verdict: "regressed" },
    { name: "that are answered sooner have improved", given: { factor: 0.75 }, verdict: "improved" },
  ])("$name", ({ given, verdict }) => {
    const comparison = compared({ every: 5, ...given });
    expect(comparison.metrics.map(({ metric }) => metric)).toEqual([
      "terminal p50",
      "terminal p95",
      "poll p50",
      "poll p95",
      "throughput",
    ]);
    expect(metricOf(comparison, "terminal p50").verdict).toBe(verdict);
    expect(metricOf(comparison, "poll p50").verdict).toBe("unchanged");
    expect(comparison.verdict).toBe(verdict);
  });

  test("whose polls became slow are regressed, whenever they end", () => {
    const comparison = compared({ every: 5, pollFactor: 1.3 });
    expect(metricOf(comparison, "terminal p50").verdict).toBe("unchanged");
    expect(comparison.verdict).toBe("regressed");
    expect(comparison.summary).toMatch(/^regressed: poll p50 is 30.0 % higher/u);
  });

  test("whose ends lie between polls that are far apart are inconclusive, however similar they look", () => {
    const judged = metricOf(compared({ every: 400 }), "terminal p50");
    expect(judged).toMatchObject({
      verdict: "inconclusive",
      change: 0,
      note: expect.stringMatching(/poll more often/u),
    });
    expect(judged).not.toHaveProperty("unitsNeeded");
  });

  test("with an incomplete block are not a pair", () => {
    const { samples, plan } = conversations({});
    const rest = [...samples].filter(({ pair, side, planMs }) => !(pair === 5 && side === "head" && planMs === 0));
    const { metrics } = comparePaired({ samples: rest, plan, preset: "standard", ...names });
    expect(metrics[0]).toMatchObject({ metric: "terminal p50", units: 13 });
  });

  test("that fail have no times: the share of failures is judged separately", () => {
    const { samples, plan } = conversations({ every: 5 });
    const broken = [...samples].map((sample): LoadSample =>
      sample.kind === "conversation" && sample.side === "head" && sample.planMs % 4000 === 0
        ? { ...sample, outcome: "unfinished" }
        : sample,
    );
    const comparison = comparePaired({ samples: broken, plan, preset: "standard", ...names });
    expect(comparison.failures).toMatchObject({ headFailed: 140, headTotal: 560, baseFailed: 0, verdict: "regressed" });
    expect(metricOf(comparison, "throughput").verdict).toBe("regressed");
  });
});

describe("queries", () => {
  test("are listed, the suspicious ones first, and have no part in the verdict", () => {
    const comparison = compare({
      pairs: 14,
      requestsPerBlock: 100,
      queries: 20,
      latencyMs: (at) =>
        headSlower(1)(at) * (at.side === "head" && at.request % 20 === 3 ? 1.3 : 1) +
        ((at.pair * 31 + at.request * 17 + (at.side === "base" ? 5 : 0)) % 23) / 10,
    });
    expect(comparison.queries).toHaveLength(20);
    expect(comparison.queries[0]).toMatchObject({ query: "q3", worthALook: true });
    expect(comparison.queries[0]?.change).toBeCloseTo(0.3, 1);
    expect(metricOf(comparison, "first-match by query").verdict).toBe("unchanged");
  });

  test("that were answered in fewer than six pairs are left out", () => {
    expect(compare({ pairs: 5 }).queries).toEqual([]);
    expect(compare({ pairs: 6 }).queries).toHaveLength(2);
  });
});

test("does not depend on the order of the samples", () => {
  const { plan, samples } = sampleRun({ pairs: 12, latencyMs: headSlower(1.1) });
  const expected = comparePaired({ samples, plan, preset: "standard", ...names });
  fc.assert(
    fc.property(fc.shuffledSubarray([...samples], { minLength: samples.length }), (shuffled) => {
      expect(comparePaired({ samples: shuffled, plan, preset: "standard", ...names })).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

test("a time that is not a number is no latency, and a negative one counts as nearly zero", () => {
  const damaged = compare({ pairs: 12 }, (samples) =>
    samples.map((sample, index) => ({
      ...sample,
      firstMatchMs: index % 40 === 0 ? Number.NaN : index % 40 === 1 ? -1e9 : (sample.firstMatchMs ?? 0),
    })),
  );
  expect(Number.isFinite(metricOf(damaged, "first-match by query").change)).toBe(true);
});
