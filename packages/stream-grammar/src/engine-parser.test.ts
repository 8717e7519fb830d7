import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { grammarLimits } from "@assay/contract";
import { checkStream, cut } from "./testing/check-stream.ts";

const done = "event: done\ndata: {}\n\n";

describe("the engine's JSON parser", () => {
  const parse = vi.spyOn(JSON, "parse");
  const longest = (): number => Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
  const json = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ type: "content", path: `${index}` })));
  const event = Buffer.from(`event: matches\ndata: ${json}\n\n`);
  const inChunks = (bytes: Buffer): readonly Uint8Array[] =>
    cut(
      bytes,
      Array.from({ length: 20 }, (_, index) => Math.floor((index * bytes.length) / 20)),
    );

  beforeEach(() => {
    parse.mockClear();
  });
  afterAll(() => {
    parse.mockRestore();
  });

  test("receives a long array in pieces while it arrives", () => {
    expect(checkStream([...inChunks(event), Buffer.from(done)]).events[0]).toMatchObject({ parsed: true });
    expect(longest()).toBeGreaterThan(0);
    expect(longest()).toBeLessThan(json.length / 4);
  });

  test("receives a long array that arrived at once in one piece", () => {
    checkStream([event]);
    expect(longest()).toBe(json.length);
  });

  test("receives a short array in one piece", () => {
    const short = JSON.stringify(Array.from({ length: 500 }, () => ({ type: "content" })));
    checkStream(inChunks(Buffer.from(`event: matches\ndata: ${short}\n\n`)));
    expect(parse.mock.calls.map(([text]) => text.length)).toEqual([short.length]);
  });

  test("receives nothing after done", () => {
    checkStream([Buffer.from(done), ...inChunks(event)]);
    expect(longest()).toBe("{}".length);
  });

  test("ends the check without a verdict if it refuses valid JSON", () => {
    parse.mockImplementationOnce(() => {
      throw new RangeError("too deep");
    });
    const { findings, events } = checkStream([Buffer.from(`event: alert\ndata: [[]]\n\nevent: done\n`)]);
    expect(findings).toEqual([
      {
        kind: "limit",
        code: "json-too-deep",
        title: grammarLimits["json-too-deep"].title,
        limitBytes: 64 * 1024 * 1024,
        offset: 19,
        length: 0,
        event: 0,
      },
    ]);
    expect(events).toEqual([]);
  });
});
