import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import { readSpans } from "./read-spans.ts";

/** The bytes cut at these places, in any order. */
const cut = (bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] => {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
};

describe("the bytes of spans", () => {
  test("are those of the body, wherever it was cut into chunks", () => {
    const span = fc.record({ offset: fc.nat(70), length: fc.nat(70) });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.nat()), fc.array(span), (bytes, places, spans) => {
        const expected = spans.map(({ offset, length }) => Buffer.from(bytes.subarray(offset, offset + length)));
        expect(readSpans(recorded({ body: cut(bytes, places) }), spans)).toEqual(expected);
      }),
    );
  });

  test("are read in one pass that ends after the last span", () => {
    const read: number[] = [];
    function* chunks() {
      for (const at of [0, 1, 2, 3]) {
        read.push(at);
        yield { bytes: Buffer.from("ab"), atMicros: 0 };
      }
    }
    const spans = [
      { offset: 3, length: 1 },
      { offset: 1, length: 2 },
    ];
    expect(readSpans({ chunks }, spans).map(String)).toEqual(["b", "ba"]);
    expect(read).toEqual([0, 1]);
  });

  test("are not looked for when there are none", () => {
    const chunks = () => {
      throw new Error("nobody may read this");
    };
    expect(readSpans({ chunks }, [])).toEqual([]);
  });
});
