import { sortOrders } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { outcomeOfCalls, expectedOutcome, legacyCreated, legacyList, legacyRead } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const second = (digit: number): string => `2026-01-01T00:00:0${digit}Z`;

/** A list of conversations whose id and times are all the same digit. */
const digits = (list: readonly number[], query: Readonly<Record<string, string>> = {}): CallSketch => ({
  operation: "list",
  query,
  answer: list.map((digit) => ({ id: digit, created_at: second(digit), updated_at: second(digit) })),
});
const rising = [1, 2, 2, 3];
const falling = rising.toReversed();

describe("each order", () => {
  test.each(sortOrders.map((sort) => ({ sort, kept: sort.startsWith("-") ? falling : rising })))(
    "by $sort is kept one way and broken the other way",
    ({ sort, kept }) => {
      const id = "legacy/sort-is-kept";
      expect(outcomeOfCalls(id, [digits(kept, { sort })])).toEqual({ observed: 1, violations: [], unspecified: [] });
      expect(outcomeOfCalls(id, [digits(kept.toReversed(), { sort })])).toEqual({
        observed: 1,
        violations: [expect.stringContaining(`in a list sorted by \`${sort}\`, `)],
        unspecified: [],
      });
    },
  );
});

const ofTimes = (
  list: readonly (readonly [id: number, updated: string])[],
  query: Readonly<Record<string, string>>,
): CallSketch => ({
  operation: "list",
  query,
  answer: list.map(([id, updated_at]) => ({ id, updated_at })),
});
const byUpdate = { sort: "updated_at" };

describe("an order", () => {
  test.each<CallCase>([
    {
      name: "compares ids as numbers",
      calls: [{ operation: "list", query: { sort: "id" }, answer: [{ id: 9 }, { id: 10 }] }],
      observed: 1,
    },
    {
      name: "compares times, not their texts",
      calls: [
        ofTimes(
          [
            [1, "2026-01-01T02:00:00+02:00"],
            [2, "2026-01-01T01:00:00.5Z"],
            [3, "2026-01-01T01:00:00.50001Z"],
          ],
          byUpdate,
        ),
      ],
      observed: 1,
    },
    {
      name: "names what stands in the wrong order",
      calls: [digits([1, 3, 2], byUpdate)],
      observed: 1,
      violations: [`in a list sorted by \`updated_at\`, ${second(3)} precedes ${second(2)}`],
    },
    { name: "is not observed where all are equal", calls: [digits([2, 2], byUpdate)] },
    { name: "is not observed for one entry", calls: [digits([2], byUpdate)] },
    {
      name: "is not observed without the member",
      calls: [{ operation: "list", query: byUpdate, answer: [{ id: 2 }, { id: 1 }] }],
    },
    {
      name: "is not observed for texts that are no times",
      calls: [
        ofTimes(
          [
            [1, "b"],
            [2, "a"],
          ],
          byUpdate,
        ),
      ],
    },
    { name: "is not observed for an order that is not documented", calls: [digits([2, 1], { sort: "title" })] },
    {
      name: "leaves out what may have been updated meanwhile",
      calls: [legacyCreated(3), digits([1, 3, 2], byUpdate)],
      observed: 1,
    },
    {
      name: "compares what had ended before",
      calls: [legacyCreated(3), legacyRead(3), digits([1, 3, 2], byUpdate)],
      observed: 1,
      violations: [expect.stringContaining("precedes")],
    },
    {
      name: "by id compares what may have been updated as well",
      calls: [legacyCreated(3), digits([1, 3, 2], { sort: "id" })],
      observed: 1,
      violations: ["in a list sorted by `id`, 3 precedes 2"],
    },
    {
      name: "cannot be judged on distress, each for itself",
      calls: [digits(rising, { sort: "id" }), { ...digits([], byUpdate), status: 503 }],
      observed: 1,
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/sort-is-kept", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a list without an order", () => {
  test.each<CallCase>([
    { name: "begins with the newest update", calls: [digits(falling)], observed: 1 },
    {
      name: "is broken by the oldest first",
      calls: [digits(rising)],
      observed: 1,
      violations: [expect.stringContaining("precedes")],
    },
    { name: "is not observed where an order was asked for", calls: [digits(rising, { sort: "id" })] },
    { name: "is not observed in a list of one", calls: [legacyList([1])] },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/default-sort-is-newest-update-first", row.calls)).toEqual(expectedOutcome(row));
  });
});
