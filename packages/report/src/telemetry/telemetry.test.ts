import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createHistogram, type LoadResult, type RunResult } from "@assay/results";
import { drawnLoad } from "../testing/figure-load.ts";
import { resultOf } from "../testing/sample-results.ts";
import { encodeOtlp } from "./otlp-binary.ts";
import { bucketLimits, findBucket, type OtlpMetric, createOtlpRequest, type OtlpRequest } from "./otlp-metrics.ts";
import { createLoadMetrics, createRunMetrics } from "./run-metrics.ts";

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
const span = { startedAtMs: 1_700_000_000_000, endedAtMs: 1_700_000_002_500 };
const origin = { version: "1.2.3", resource: { "service.name": "assay", "service.version": undefined, odd: 1.5 } };

const exchange = (changes: Partial<RunResult["exchanges"][number]>): RunResult["exchanges"][number] => ({
  id: "1",
  probe: "p",
  interface: "stream",
  operation: "search",
  url: "http://h/",
  status: 200,
  bytes: 1,
  events: 1,
  matches: 1,
  durationMicros: 31_250,
  ...changes,
});

const run = resultOf(
  {},
  {
    exchanges: [
      exchange({ firstMatchMicros: 5000 }),
      exchange({ firstMatchMicros: 2_000_000, durationMicros: 400_000_000 }),
      exchange({ status: 401 }),
      exchange({ interface: "legacy", operation: "create", failure: "it broke" }),
    ],
  },
);

const load: LoadResult = drawnLoad({
  outcomes: { stream: { ok: 30, transport: 2 } },
  violations: { "no-done": 3 },
  histograms: [
    createHistogram({ metric: "first-match", side: "base", phase: "measure" }, [5000, 6000, 700_000_000], [9_000_000]),
    createHistogram({ metric: "first-match", side: "base", phase: "warmup" }, [1]),
    createHistogram({ metric: "poll", side: "base", phase: "measure" }, []),
  ],
});

/** Points of a metric, as `attribute=value ...: value`. */
const pointsOf = (metrics: readonly OtlpMetric[], name: string): readonly string[] => {
  const metric = metrics.find((one) => one.name === name);
  const points = [metric?.gauge, metric?.sum, metric?.histogram].flatMap((data) => data?.dataPoints ?? []);
  return points.map((point) => {
    const { attributes, asInt, asDouble, count, sum: total, bucketCounts } = Object(point);
    const named = attributes.map(
      ({ key, value }: { key: string; value: object }) => `${key}=${Object.values(value)[0]}`,
    );
    const filled: readonly (string | number)[] = (bucketCounts ?? []).flatMap((each: string, index: number) =>
      each === "0" ? [] : [`<=${bucketLimits[index] ?? "more"}: ${each}`],
    );
    const value = asInt ?? asDouble ?? `${count} of ${total} s (${filled.join(", ")})`;
    return `${named.slice(2).join(" ")}: ${value}`;
  });
};

describe("metrics of a run", () => {
  const metrics = createRunMetrics(run, span);
  test.each([
    { name: "assay.run.duration", points: [": 2.5"] },
    { name: "assay.run.exit_code", points: [`assay.outcome=${run.outcome}: ${run.exitCode}`] },
    {
      name: "assay.run.rules",
      points: Object.entries(run.counts).map(([standing, count]) => `assay.standing=${standing}: ${count}`),
    },
    {
      name: "assay.exchanges",
      points: [
        "assay.interface=stream assay.operation=search http.response.status_code=200 assay.failed=false: 2",
        "assay.interface=stream assay.operation=search http.response.status_code=401 assay.failed=false: 1",
        "assay.interface=legacy assay.operation=create http.response.status_code=200 assay.failed=true: 1",
      ],
    },
    {
      name: "assay.exchange.duration",
      points: [
        "assay.interface=stream assay.operation=search: 3 of 400.0625 s (<=0.05: 2, <=more: 1)",
        "assay.interface=legacy assay.operation=create: 1 of 0.03125 s (<=0.05: 1)",
      ],
    },
    { name: "assay.search.time_to_first_match", points: [": 2 of 2.005 s (<=0.005: 1, <=2.5: 1)"] },
  ])("$name", ({ name, points }) => {
    expect(pointsOf(metrics, name)).toEqual(points);
  });
});

describe("metrics of a load run", () => {
  const metrics = createLoadMetrics(load, span);
  test.each([
    { name: "assay.load.exit_code", points: [`assay.outcome=${load.outcome}: ${load.exitCode}`] },
    {
      name: "assay.load.requests",
      points: ["assay.sample=stream assay.outcome=ok: 30", "assay.sample=stream assay.outcome=transport: 2"],
    },
    {
      name: "assay.load.latency",
      points: ["assay.metric=first-match assay.side=base: 3 of 700.011 s (<=0.01: 2, <=more: 1)"],
    },
    { name: "assay.load.unfinished", points: ["assay.metric=first-match assay.side=base: 1"] },
    { name: "assay.load.violations", points: ["assay.violation=no-done: 3"] },
  ])("$name", ({ name, points }) => {
    expect(pointsOf(metrics, name)).toEqual(points);
  });
});

test("a metric without points is left out, and an attribute without a value", () => {
  const request = createOtlpRequest(createRunMetrics({ ...run, exchanges: [] }, span), origin);
  const [{ resource, scopeMetrics }] = JSON.parse(JSON.stringify(request)).resourceMetrics;
  expect(resource.attributes).toEqual([
    { key: "service.name", value: { stringValue: "assay" } },
    { key: "odd", value: { doubleValue: 1.5 } },
  ]);
  expect(scopeMetrics[0].metrics.map(({ name }: { name: string }) => name)).toEqual([
    "assay.run.exit_code",
    "assay.run.duration",
    "assay.run.rules",
  ]);
});

test("a value equal to the upper bound of a bucket is in it", () => {
  expect(bucketLimits.map((limit) => findBucket(limit))).toEqual([...bucketLimits.keys()]);
  expect(findBucket(301)).toBe(bucketLimits.length);
});

test("the binary form equals that of the reference implementation", () => {
  // Made from the JSON by `opentelemetry-proto` 1.45 for Python: `SerializeToString` of the result of `json_format.Parse`.
  const request: OtlpRequest = JSON.parse(fixture("otlp-metrics.json").toString());
  expect(Buffer.from(encodeOtlp(request)).equals(fixture("otlp-metrics.bin"))).toBe(true);
  expect(request).toEqual(
    JSON.parse(
      JSON.stringify(createOtlpRequest([...createRunMetrics(run, span), ...createLoadMetrics(load, span)], origin)),
    ),
  );
});
