import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/filters-only-grow";
const filter = (value: unknown): object => ({ value, label: "", count: 1, exhaustive: false, kind: "repo" });
const filters = (...values: readonly unknown[]): string =>
  wireEvent(
    "filters",
    values.map((value) => filter(value)),
  );
/** Filters with nothing that was suggested before. */
const others = filters("other");
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `repo:${index}`);

test.each<{ name: string; body: string; is: string }>([
  { name: "one event", body: filters("a", "b"), is: "not observed" },
  { name: "the same again", body: filters("a", "b") + filters("a", "b"), is: "holds, 1 observed" },
  { name: "another order and more", body: filters("a", "b") + filters("c", "b", "a"), is: "holds, 1 observed" },
  { name: "a value twice, then once", body: filters("a", "a") + filters("a"), is: "holds, 1 observed" },
  { name: "an empty list between", body: filters("a") + filters() + filters("a"), is: "holds, 1 observed" },
  { name: "an empty list at the end", body: filters("a") + filters(), is: "not observed" },
  { name: "nothing to be kept", body: filters() + filters("a"), is: "not observed" },
  { name: "values that are no strings", body: filters(1, null) + filters("a"), is: "not observed" },
  {
    name: "an element that is not an object",
    body: wireEvent("filters", [3, null, "a"]) + filters("a"),
    is: "not observed",
  },
  { name: "a lost value", body: filters("a", "b") + filters("b"), is: "broken 1 times, 1 observed" },
  { name: "two lost values", body: filters("a", "b", "c") + filters("c"), is: "broken 1 times, 1 observed" },
  {
    name: "a value that comes back",
    body: filters("a") + others + filters("a", "other"),
    is: "broken 1 times, 2 observed",
  },
  { name: "one that stays away", body: filters("a") + others + others, is: "broken 2 times, 2 observed" },
  {
    name: "a later value lost",
    body: filters("a") + filters("a", "b") + filters("a"),
    is: "broken 1 times, 2 observed",
  },
  {
    name: "an event between that is not an array",
    body: filters("a") + wireEvent("filters", { a: 1 }) + filters("a"),
    is: "holds, 1 observed",
  },
  {
    name: "a value in another member",
    body: filters("a") + wireEvent("filters", [{ label: "a" }]),
    is: "broken 1 times, 1 observed",
  },
])("of $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent })).toBe(is);
});

test("the first missing value and its event are reported", () => {
  const { violations } = streamReport(id, { body: filters("a", "b", "c") + filters("a") + doneEvent });
  expect(violations).toMatchObject([
    { event: 1, pointer: "", message: "the filter `b` of an earlier `filters` is missing" },
  ]);
});

describe("what is remembered", () => {
  test.each([
    { name: "2,000 values", count: 2000, is: "broken 1 times, 1 observed" },
    { name: "no more values than that", count: 2001, is: "not observed" },
  ])("is $name", ({ count, is }) => {
    expect(summarizeReport(id, { body: filters(...many(count)) + others + doneEvent })).toBe(is);
  });

  test.each([
    { name: "values of 1,000 characters", length: 1000, is: "broken 1 times, 1 observed" },
    { name: "no longer ones", length: 1001, is: "not observed" },
  ])("is $name", ({ length, is }) => {
    expect(summarizeReport(id, { body: filters("x".repeat(length)) + others + doneEvent })).toBe(is);
  });
});

test("lists that only grow break nothing, and one that loses a value does", () => {
  const values = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(values, fc.array(fc.nat(20), { maxLength: 5 }), fc.nat(19), (all, sizes, gone) => {
      const growing = [...sizes].sort((a, b) => a - b).map((size) => filters(...all.slice(0, size).reverse()));
      const whole = growing.join("") + filters(...all);
      expect(streamReport(id, { body: whole + doneEvent }).violations).toEqual([]);
      const less = [...all.toSpliced(gone % all.length, 1), "another value"];
      expect(streamReport(id, { body: whole + filters(...less) + doneEvent }).violations).toHaveLength(1);
    }),
  );
});
