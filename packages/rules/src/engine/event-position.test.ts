import type { StreamEvent } from "@assay/stream-grammar";
import { expect, test } from "vitest";
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

test("the position of an event is that of its data, with an optional pointer", () => {
  expect(dataPosition(event([]))).toStrictEqual({ event: 3, offset: 20, length: 7 });
  expect(dataPosition(event([]), "/1")).toStrictEqual({ event: 3, offset: 20, length: 7, pointer: "/1" });
});
