import { describe, expect, test } from "vitest";
import { goalsOf } from "./goals.ts";
import { interleavedRounds, speedRatio } from "./interleaved-rounds.ts";
import { layers, prepareMaterial, runLayer } from "./layers.ts";
import { goalLine, markdownReport } from "./markdown-report.ts";
import type { BenchResult, LatencyResult, MemoryResult } from "./measurements.ts";
import { median, quantile } from "./quantile.ts";
import { findSlowdowns } from "./quick-check.ts";
import { mebibyte, profileNames } from "./stream-profiles.ts";
import { randomCuts, streamSample } from "./stream-sample.ts";

const profiles = profileNames.map((profile) => ({ profile }));

describe("a generated stream", () => {
  test.each(profiles)("of the profile $profile keeps every rule, and every layer sees all of it", ({ profile }) => {
    const material = prepareMaterial({ profile, minBytes: mebibyte / 2, seed: 7 });
    for (const layer of layers) {
      expect(() => runLayer(layer, material)).not.toThrow();
    }
  });

  test.each(profiles)("of the profile $profile depends on its seed alone", ({ profile }) => {
    const bytesOf = (seed: number): Buffer => streamSample({ profile, minBytes: mebibyte / 4, seed }).bytes;
    expect(bytesOf(7).equals(bytesOf(7))).toBe(true);
    expect(bytesOf(7).equals(bytesOf(8))).toBe(false);
  });

  test("holds what its profile is about", () => {
    const textOf = (profile: "esc" | "uni" | "small"): string =>
      streamSample({ profile, minBytes: mebibyte / 4, seed: 7 }).bytes.toString();
    expect(textOf("esc")).toMatch(/\\u003c/u);
    expect(textOf("esc")).not.toMatch(/[<>&]/u);
    expect(textOf("uni")).toMatch(/\P{ASCII}/u);
    expect(textOf("small")).not.toMatch(/"type":.*"type":/u);
  });

  test("is cut into pieces of 32 to 96 KB that make it up", () => {
    const { bytes } = streamSample({ profile: "typical", minBytes: mebibyte, seed: 7 });
    const cuts = randomCuts(bytes, 7);
    expect(Buffer.concat(cuts).equals(bytes)).toBe(true);
    expect(cuts.slice(0, -1).every(({ length }) => length >= 32 * 1024 && length <= 96 * 1024)).toBe(true);
  });

  test("that lost a byte fails the run", () => {
    const material = prepareMaterial({ profile: "small", minBytes: mebibyte / 8, seed: 7 });
    const chunks = [Buffer.concat(material.chunks).subarray(1)];
    const failing = layers.filter((layer) => {
      try {
        runLayer(layer, { ...material, chunks });
        return false;
      } catch {
        return true;
      }
    });
    expect(failing.map(({ name }) => name)).toContain("full-check");
  });
});

test("a round measures every layer once", () => {
  const times = interleavedRounds(prepareMaterial({ profile: "typical", minBytes: mebibyte, seed: 7 }), 1);
  expect(Object.values(times).map(({ length }) => length)).toEqual(layers.map(() => 1));
  expect(speedRatio(times, "framing", "framing")).toBe(1);
});

test.each([
  { values: [3, 1, 2], share: 0.5, expected: 2 },
  { values: [4, 1, 2, 3], share: 0.99, expected: 4 },
  { values: Array.from({ length: 200 }, (_, index) => index), share: 0.99, expected: 198 },
  { values: [5], share: 0, expected: 5 },
])("the quantile $share of $values.length values is $expected", ({ values, share, expected }) => {
  expect(quantile(values, share)).toBe(expected);
});

test("no values have no median", () => {
  expect(median([])).toBeNaN();
});

const latency = (eventBytes: number, p99Ms: number, cpuShare: number): LatencyResult => ({
  eventBytes,
  events: 10,
  rounds: 1,
  everyMs: 1,
  seed: 1,
  medianMs: p99Ms / 2,
  p99Ms,
  undisturbedP99Ms: p99Ms,
  disturbedShare: 0,
  cpuShare,
});

const memory = (bytes: number, peakBytes: number): MemoryResult => ({
  profile: "typical",
  minBytes: bytes,
  seed: 1,
  bytes,
  events: 3,
  largestEventBytes: mebibyte,
  idleBytes: 10 * mebibyte,
  peakBytes,
  seconds: 1,
});

const result = (part: Partial<BenchResult>): BenchResult => ({
  node: "v0.0.0",
  cpus: 1,
  speed: [],
  quickSpeed: [],
  memory: [],
  latency: [],
  ...part,
});

const speed = (profile: "typical" | "small", ratio: number): BenchResult["speed"] => [
  {
    profile,
    minBytes: 1,
    rounds: 7,
    seed: 1,
    bytes: 1,
    events: 3,
    largestEventBytes: 1,
    layers: [
      {
        name: "full-check",
        title: "full check",
        medianMs: 1,
        megabytesPerSecond: 1,
        timesStandardParser: 1,
        timesJsonParse: ratio,
        timesTextbook: 1.5 * ratio,
      },
      {
        name: "framing",
        title: "framing",
        medianMs: 1,
        megabytesPerSecond: 1,
        timesStandardParser: 4 * ratio,
        timesJsonParse: 1,
        timesTextbook: 1,
      },
    ],
  },
];

test.each([
  { name: "speed at its bounds", part: { speed: speed("typical", 1.2) }, reached: [true, true, true] },
  { name: "speed below", part: { speed: speed("typical", 0.6) }, reached: [false, false, false] },
  { name: "lower bounds for small events", part: { speed: speed("small", 1) }, reached: [true, true, true] },
  {
    name: "flat memory",
    part: { memory: [memory(1, 60 * mebibyte), memory(9, 90 * mebibyte)] },
    reached: [true, true, true],
  },
  {
    name: "growing memory",
    part: { memory: [memory(1, 60 * mebibyte), memory(9, 93 * mebibyte)] },
    reached: [false, true, false],
  },
  { name: "a quick verdict", part: { latency: [latency(90 * 1024, 1, 0.6)] }, reached: [true] },
  { name: "a late verdict", part: { latency: [latency(90 * 1024, 1.1, 0.1)] }, reached: [false] },
  { name: "a busy processor", part: { latency: [latency(90 * 1024, 0.1, 0.7)] }, reached: [false] },
  { name: "a large event", part: { latency: [latency(5 * mebibyte, 12, 0.7)] }, reached: [true] },
  {
    name: "a large event that takes too long",
    part: { latency: [latency(5 * mebibyte, 12.1, 0.7)] },
    reached: [false],
  },
])("goals are decided by the numbers: $name", ({ part, reached }) => {
  expect(goalsOf(result(part)).map(({ isReached }) => isReached)).toEqual(reached);
});

test.each([
  { name: "as fast", ratio: 1.2, slower: [] },
  { name: "nine tenths as fast", ratio: 1.08, slower: [] },
  {
    name: "slower",
    ratio: 1,
    slower: [
      "full check against `JSON.parse` alone, typical: 1.00 times, published 1.20 times",
      "full check against the textbook way, typical: 1.50 times, published 1.80 times",
    ],
  },
])("a quick run that is $name than published", ({ ratio, slower }) => {
  const slowdowns = findSlowdowns(speed("typical", ratio), speed("typical", 1.2));
  expect(slowdowns.map(({ sentence }) => sentence)).toEqual(slower);
});

test("a quick run is as fast as published if only one of its peers got faster", () => {
  const measured = speed("typical", 1.2).map((slower) => ({
    ...slower,
    layers: slower.layers.map((layer) => ({ ...layer, timesTextbook: layer.timesTextbook / 2 })),
  }));
  expect(findSlowdowns(measured, speed("typical", 1.2))).toEqual([]);
});

test("a published profile that was not measured counts as slower", () => {
  expect(findSlowdowns(speed("small", 9), speed("typical", 1))).toHaveLength(2);
});

test("a latency that was disturbed all the time has no figure for the rest", () => {
  const { undisturbedP99Ms: _none, ...disturbed } = latency(90 * 1024, 1, 0.1);
  const all = result({ latency: [{ ...disturbed, disturbedShare: 1 }] });
  expect(goalsOf(all).map(goalLine)).toEqual([expect.stringContaining("(undisturbed none)")]);
  expect(markdownReport(all)).toMatch(/\| none \| 100 % \|/u);
});

test("a missed goal is marked in the report and on the terminal", () => {
  const missed = result({ latency: [latency(90 * 1024, 2, 0.1)] });
  expect(goalsOf(missed).map(goalLine)).toEqual([expect.stringMatching(/^MISSED .*2\.00 ms/u)]);
  expect(markdownReport(missed)).toMatch(/\| MISSED \|/u);
});
