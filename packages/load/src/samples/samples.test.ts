import { loadSides } from "@assay/contract";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LoadSample, loadOutcomes, streamEnds } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callAt, conversationAt, failedAt, samplesText, streamAt } from "../testing/load-fixtures.ts";
import { temporaryFolder } from "../testing/run-folder.ts";
import { parseSample } from "./parse-sample.ts";
import { readSamples } from "./read-samples.ts";
import { buildSampleTable } from "./sample-table.ts";
import { createLineSplitter } from "./split-lines.ts";

const header = '{"assay":"samples","version":2,"epochMs":1.5,"k6Version":"v2.2.0"}\n';
const line = (sample: object): string => `${JSON.stringify(sample)}\n`;
const read = async (text: string) => {
  const path = join(await temporaryFolder(), "samples.ndjson");
  await writeFile(path, text);
  return readSamples(path);
};

const time = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => Math.abs(value));
const index = fc.option(fc.nat(100_000), { nil: undefined });
const base = {
  flow: fc.string({ maxLength: 20 }),
  phase: fc.constantFrom("warmup" as const, "measure" as const),
  side: fc.constantFrom(...loadSides),
  block: index,
  pair: index,
  query: fc.string({ maxLength: 20 }),
  planMs: time,
  sendMs: time,
  endMs: time,
  outcome: fc.constantFrom(...loadOutcomes),
  status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
  codes: fc.option(fc.constantFrom({ "no-done": 1 }, { comment: 3, "data-not-json": 1 }), { nil: undefined }),
};
const optionalTime = fc.option(time, { nil: undefined });
/** Members that are undefined are absent in JSON. */
const bare = (value: object): LoadSample => JSON.parse(JSON.stringify(value));
const anySample = fc
  .oneof(
    fc.record({
      kind: fc.constant("stream"),
      ...base,
      ended: fc.option(fc.constantFrom(...streamEnds), { nil: undefined }),
      headersMs: optionalTime,
      firstEventMs: optionalTime,
      firstMatchMs: optionalTime,
      events: fc.nat(),
      matches: fc.nat(),
      bytes: fc.maxSafeNat(),
    }),
    fc.record({ kind: fc.constant("call"), operation: fc.constantFrom("create", "poll", "delete"), ...base }),
    fc.record({
      kind: fc.constant("conversation"),
      ...base,
      state: fc.option(fc.constantFrom("completed", "error"), { nil: undefined }),
      lastOpenMs: optionalTime,
      polls: fc.nat(),
    }),
  )
  .map(bare);

describe("samples", () => {
  test("written samples are read back, line by line and from the table", () => {
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 5 }), (samples) => {
        expect(samples.map((sample) => parseSample(JSON.stringify(sample)))).toEqual(samples);
        expect([...buildSampleTable(samples)]).toEqual(samples);
      }),
    );
  });

  test("no text makes the reader throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (text) => {
          expect([undefined, "object"]).toContain(typeof parseSample(text) === "object" ? "object" : undefined);
        },
      ),
    );
  });

  test.each<[string, object]>([
    ["no plan", { planMs: undefined }],
    ["a plan that is not a number", { planMs: "1" }],
    ["a plan after the end of all runs", { planMs: 1e18 }],
    ["no end", { endMs: null }],
    ["an unknown outcome", { outcome: "fine" }],
    ["an unknown phase", { phase: "later" }],
    ["an unknown side", { side: "c" }],
    ["an unknown kind", { kind: "socket" }],
    ["a query as long as a book", { query: "x".repeat(300) }],
  ])("a line with %s is no sample", (_name, changes) => {
    expect(parseSample(JSON.stringify({ ...streamAt(0), ...changes }))).toBeUndefined();
  });

  test.each<[string, object]>([
    ["an unknown member", { later: [1, 2] }],
    ["a status that is none", { status: -1 }],
    ["codes that are none", { codes: { "no-done": "many", ["x".repeat(99)]: 1 } }],
    ["codes called after the prototype", { codes: JSON.parse('{"__proto__":5}') }],
    ["a block that is none", { block: 1.5 }],
  ])("%s is ignored", (_name, changes) => {
    const { status: _status, ...stream } = streamAt(0);
    expect(parseSample(JSON.stringify({ ...stream, ...changes }))).toEqual(stream);
  });

  test("a time of -1 is absent", () => {
    const sample = { ...streamAt(0), firstMatchMs: -1, headersMs: null };
    expect(parseSample(JSON.stringify(sample))).not.toHaveProperty("firstMatchMs");
  });
});

describe("a samples file", () => {
  const samples = [streamAt(0), failedAt(100, "refused", { status: 401 }), callAt(200, "poll"), conversationAt(300)];

  test("is read with its header", async () => {
    const { samples: table, ...file } = await read(samplesText(samples, 5));
    expect([...table]).toEqual(samples);
    expect(file).toEqual({
      header: { assay: "samples", version: 2, epochMs: 5, k6Version: "v2.2.0" },
      isTruncated: false,
      unreadableCount: 0,
      beyondLimitCount: 0,
    });
  });

  test("of version 1 has arms instead of sides", async () => {
    const { side: _base, ...baseSample } = streamAt(0);
    const { side: _head, ...headSample } = streamAt(100, { side: "head" });
    const text = [
      header.replace('"version":2', '"version":1'),
      line({ ...baseSample, arm: "a" }),
      line({ ...headSample, arm: "b" }),
    ];
    expect([...(await read(text.join(""))).samples]).toEqual([streamAt(0), streamAt(100, { side: "head" })]);
  });

  test.each<[string, string, object]>([
    ["cut in its last line", `${header}${line(streamAt(0))}{"kind":"str`, { isTruncated: true, unreadableCount: 0 }],
    [
      "cut before the last newline",
      `${header}${JSON.stringify(streamAt(0))}`,
      { isTruncated: true, unreadableCount: 0 },
    ],
    ["without samples", header, { isTruncated: false, unreadableCount: 0 }],
    [
      "with nonsense in it",
      `${header}nonsense\n\n[]\n${line(streamAt(0))}`,
      { isTruncated: false, unreadableCount: 3 },
    ],
    ["with an endless line in it", `${header}"${"x".repeat(70_000)}"\n`, { isTruncated: false, unreadableCount: 1 }],
    ["with bytes that are not text", `${header}\uFFFD\u0000\n`, { isTruncated: false, unreadableCount: 1 }],
  ])("a file %s reports it", async (_name, text, told) => {
    expect(await read(text)).toMatchObject(told);
  });

  test.each([
    ["empty", ""],
    ["of another version", header.replace('"version":2', '"version":3')],
    ["of something else", line({ assay: "ledger", version: 1 })],
    ["cut in its header", header.slice(0, 20)],
  ])("a file that is %s is refused in one sentence", async (_name, text) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "unreadable-samples",
      message: expect.not.stringContaining("\n"),
    });
  });

  test("a missing file is refused by its name", async () => {
    await expect(readSamples("/nowhere/samples.ndjson")).rejects.toThrow("/nowhere/samples.ndjson: ENOENT");
  });

  test("a file with too many samples or names reports how many samples were left out", async () => {
    const path = join(await temporaryFolder(), "samples.ndjson");
    await writeFile(path, samplesText(samples));
    const limited = await readSamples(path, { limits: { maxSamples: 3, maxNames: 100 } });
    expect([limited.samples.size, limited.beyondLimitCount]).toEqual([3, 1]);
    expect(await readSamples(path, { limits: { maxSamples: 9, maxNames: 3 } })).toMatchObject({ beyondLimitCount: 3 });
  });
});

test("the lines are the same for any chunks", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "ä", "€", "😀", "\n", "0123456789"), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), (content, cuts) => {
      const bytes = Buffer.from(content);
      const lines: string[] = [];
      const splitter = createLineSplitter(25, {
        onLine: (one) => lines.push(one),
        onLongLine: () => lines.push("long"),
      });
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      for (const [at, place] of places.entries()) {
        splitter.push(bytes.subarray(place, places[at + 1] ?? bytes.length));
      }
      const whole = content.split("\n");
      expect(lines).toEqual(whole.slice(0, -1).map((one) => (one.length > 25 ? "long" : one)));
      expect(splitter.end()).toBe(whole.at(-1) !== "");
    }),
  );
});
