import { describe, expect, test } from "vitest";
import { wasSentDuring, findStableSearch } from "./stable-search.ts";
import { comparedSearches, usableSearch } from "../../testing/compared-searches.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { limitHit, linesIn, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const one: FoundSketch = { matches: [linesIn("a", [1])] };
const other: FoundSketch = { matches: [linesIn("a", [2])] };
const unidentified: FoundSketch = { matches: [linesIn("a", [1]), { type: "path" }] };
const incomplete = { ...one, skipped: [{ reason: "shard-timeout" }] };
const limited = { ...one, skipped: limitHit };
const sent = (sentAtMicros: number, result: FoundSketch = one): ExchangeSketch => search({}, result, { sentAtMicros });
const stable = (sketches: readonly ExchangeSketch[]) => findStableSearch(comparedSearches(sketches));

describe("a stable search", () => {
  test("is the first of its copies, from the first to the last time it was sent", () => {
    const found = stable([sent(30), sent(10), sent(20)]);
    expect([found?.first.id, found?.firstSentAtMicros, found?.lastSentAtMicros]).toEqual(["1", 10, 30]);
  });

  test("may have come to a limit", () => {
    expect(stable([sent(1, limited), sent(2, limited)])?.first.completeness).toBe("limited");
  });

  test.each<{ name: string; copies: readonly ExchangeSketch[] }>([
    { name: "nothing", copies: [] },
    { name: "one copy", copies: [sent(1)] },
    { name: "one usable copy and another one", copies: [sent(1), search({}, one, { status: 503 })] },
    { name: "three copies of which one is not usable", copies: [sent(1), sent(2), search({}, one, { status: 503 })] },
    { name: "copies of which one did not come to its end", copies: [sent(1), sent(2), sent(3, incomplete)] },
    { name: "copies that found other things", copies: [sent(1), sent(2), sent(3, other)] },
    {
      name: "copies of which one found more",
      copies: [sent(1), sent(2), sent(3, { matches: [linesIn("a", [1, 2])] })],
    },
    { name: "copies that do not say what they found", copies: [sent(1, unidentified), sent(2, unidentified)] },
  ])("is not made by $name", ({ copies }) => {
    expect(stable(copies)).toBeUndefined();
  });

  test.each([
    { atMicros: 9, during: false },
    { atMicros: 10, during: true },
    { atMicros: 15, during: true },
    { atMicros: 20, during: true },
    { atMicros: 21, during: false },
  ])("spans a search that was sent at $atMicros: $during", ({ atMicros, during }) => {
    const base = stable([sent(10), sent(20)]);
    expect(base && wasSentDuring(usableSearch(sent(atMicros)), base)).toBe(during);
  });
});
