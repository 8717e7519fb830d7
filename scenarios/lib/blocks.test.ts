import type { LoadBlocks } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockArrivals, blockSlot, type BlockSlot } from "./blocks.ts";

const shapes = fc.record({
  pairs: fc.integer({ min: 1, max: 8 }),
  warmupPairs: fc.integer({ min: 0, max: 3 }),
  requestsPerBlock: fc.integer({ min: 1, max: 40 }),
  gapRequests: fc.integer({ min: 0, max: 5 }),
  seed: fc.nat(),
});
const kinds = fc.integer({ min: 1, max: 10 });

const slotsOf = (blocks: LoadBlocks, queries: number): readonly BlockSlot[] =>
  Array.from({ length: blockArrivals(blocks) }, (_, arrival) => blockSlot(blocks, queries, arrival)).flatMap(
    (slot) => slot ?? [],
  );

const queriesOf = (slots: readonly BlockSlot[], wanted: Partial<BlockSlot>): readonly number[] =>
  slots
    .filter((slot) =>
      Object.entries(wanted).every(([name, value]) =>
        Object.entries(slot).some(([key, own]) => key === name && own === value),
      ),
    )
    .map(({ query }) => query);

describe("blocks", () => {
  test("alternate as base, head, head, base", () => {
    const blocks = { pairs: 4, warmupPairs: 0, requestsPerBlock: 1, gapRequests: 0, seed: 1 };
    expect(
      slotsOf(blocks, 1)
        .map(({ side }) => side)
        .join(" "),
    ).toBe("base head head base base head head base");
  });

  test("have a gap without requests between them, and none after the last", () => {
    const blocks = { pairs: 1, warmupPairs: 0, requestsPerBlock: 2, gapRequests: 3, seed: 1 };
    const sends = Array.from({ length: 20 }, (_, arrival) => (blockSlot(blocks, 1, arrival) === undefined ? "." : "x"));
    expect(sends.join("")).toBe("xx...xx.............");
    expect(blockArrivals(blocks)).toBe(7);
  });

  test("of the first pairs are warm-up", () => {
    const blocks = { pairs: 2, warmupPairs: 1, requestsPerBlock: 1, gapRequests: 0, seed: 1 };
    expect(slotsOf(blocks, 1).map(({ pair, phase }) => `${pair} ${phase}`)).toEqual([
      "0 warmup",
      "0 warmup",
      "1 measure",
      "1 measure",
      "2 measure",
      "2 measure",
    ]);
  });

  test("form pairs of one block for each side, with the same order of queries", () => {
    fc.assert(
      fc.property(shapes, kinds, (blocks, queries) => {
        const slots = slotsOf(blocks, queries);
        for (let pair = 0; pair < blocks.pairs + blocks.warmupPairs; pair += 1) {
          const [base, head] = [queriesOf(slots, { pair, side: "base" }), queriesOf(slots, { pair, side: "head" })];
          expect(base).toHaveLength(blocks.requestsPerBlock);
          expect(head).toEqual(base);
        }
      }),
    );
  });

  test("contain each query equally often", () => {
    fc.assert(
      fc.property(shapes, kinds, fc.integer({ min: 1, max: 5 }), (shape, queries, rounds) => {
        const blocks = { ...shape, requestsPerBlock: queries * rounds };
        const first = queriesOf(slotsOf(blocks, queries), { block: 0 });
        expect(first.toSorted((one, other) => one - other)).toEqual(
          Array.from({ length: queries * rounds }, (_, index) => Math.floor(index / rounds)),
        );
      }),
    );
  });

  test("contain each query as often as any other, give or take one, for any number of queries", () => {
    fc.assert(
      fc.property(shapes, kinds, (blocks, queries) => {
        const asked = queriesOf(slotsOf(blocks, queries), { block: 1 });
        const counts = Array.from({ length: queries }, (_, query) => asked.filter((one) => one === query).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("have an order that depends on the seed and differs between pairs", () => {
    const blocks = { pairs: 2, warmupPairs: 0, requestsPerBlock: 30, gapRequests: 0, seed: 5 };
    const order = (seed: number, pair: number) => queriesOf(slotsOf({ ...blocks, seed }, 10), { pair, side: "base" });
    expect(order(5, 0)).toEqual(order(5, 0));
    expect(order(5, 0)).not.toEqual(order(5, 1));
    expect(order(5, 0)).not.toEqual(order(6, 0));
  });

  test("put no query at one place more often than chance", () => {
    const blocks = { pairs: 400, warmupPairs: 0, requestsPerBlock: 4, gapRequests: 0, seed: 11 };
    const firsts = slotsOf(blocks, 4).filter(({ side }, index) => index % 4 === 0 && side !== undefined);
    const counts = [0, 1, 2, 3].map((query) => firsts.filter((slot) => slot.query === query).length);
    // Of 800 first places each has 200 on average; the standard deviation is below 18 for 400 independent orders seen twice.
    expect(Math.min(...counts)).toBeGreaterThan(120);
  });
});
