import type { StreamEvent } from "@assay/stream-grammar";
import { expect, test } from "vitest";
import { forEachMatch } from "./for-each-match.ts";
import { dataPosition } from "./event-position.ts";

const event = (value: unknown): StreamEvent => ({
  name: "matches",
  value,
  index: 3,
  offset: 1,
  dataOffset: 20,
  dataBytes: 7,
  atMicros: 0,
  parsed: true,
});

test.each<{ name: string; value: unknown; shown: readonly unknown[] }>([
  {
    name: "each element of an array with its place",
    value: ["a", 1],
    shown: [
      ["a", 0],
      [1, 1],
    ],
  },
  { name: "nothing of an empty array", value: [], shown: [] },
  { name: "nothing of an object", value: { 0: "a", length: 1 }, shown: [] },
  { name: "nothing of nothing", value: undefined, shown: [] },
])("of an event is shown $name", ({ value, shown }) => {
  const seen: unknown[] = [];
  forEachMatch(event(value), (match, index) => seen.push([match, index]));
  expect(seen).toEqual(shown);
});

test("the position of an event is that of its data, with an optional pointer", () => {
  expect(dataPosition(event([]))).toStrictEqual({ event: 3, offset: 20, length: 7 });
  expect(dataPosition(event([]), "/1")).toStrictEqual({ event: 3, offset: 20, length: 7, pointer: "/1" });
});
