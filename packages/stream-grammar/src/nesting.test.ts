import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { maxNesting, nestsTooDeep } from "./nesting.ts";
import { checkStream } from "./testing/check-stream.ts";

const part = (json: string) => {
  const buffer = Buffer.from(`data: ${json}`);
  return { buffer, start: 6, end: buffer.length };
};
const nested = (open: string, close: string, levels: number): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

const sideBySide = "[],".repeat(50_000);
/** Bytes that are parsed without looking at their nesting. */
const uncheckedBytes = 64 * 1024;

test.each([
  { name: "arrays", json: nested("[", "]", 100_000), deep: true },
  { name: "objects", json: nested('{"a":', "}", 100_000), deep: true },
  { name: "arrays after numbers", json: nested("[1,[1,", "]]", 100_000), deep: true },
  { name: "one level too many", json: `[${sideBySide}${nested("[", "]", maxNesting)}]`, deep: true },
  { name: "the maximum depth", json: `[${sideBySide}${nested("[", "]", maxNesting - 1)}]`, deep: false },
  { name: "arrays side by side", json: `[${sideBySide}0]`, deep: false },
  { name: "arrays side by side, in another period", json: `[${"[],,".repeat(50_000)}0]`, deep: false },
  { name: "objects side by side", json: `[${"{},".repeat(50_000)}0]`, deep: false },
  { name: "brackets in a string", json: `"${"[".repeat(100_000)}"`, deep: false },
  { name: "brackets after a quote in a string", json: `["\\"${"[".repeat(100_000)}"]`, deep: false },
  { name: "brackets between long texts", json: nested(`["${"text ".repeat(20)}",`, "]", 20_000), deep: false },
  { name: "the longest unchecked value", json: "[".repeat(uncheckedBytes), deep: false },
  { name: "the shortest checked value", json: "[".repeat(uncheckedBytes + 1), deep: true },
])("$name: too deep is $deep", ({ json, deep }) => {
  expect(nestsTooDeep(part(json))).toBe(deep);
});

test("bytes after the value are not counted", () => {
  const json = `[${sideBySide}${"[".repeat(maxNesting - 1)}`;
  const { buffer, start, end } = part(`${json}[`);
  expect(nestsTooDeep({ buffer, start, end })).toBe(true);
  expect(nestsTooDeep({ buffer, start, end: end - 1 })).toBe(false);
});

test("data that nests too deep ends the check without a verdict, and is never parsed", () => {
  const json = nested("[", "]", 200_000);
  const { findings, events } = checkStream([Buffer.from(`event: matches\ndata: ${json}\n\nevent: done\ndata: {}\n\n`)]);
  expect(findings).toMatchObject([{ kind: "limit", code: "json-too-deep", offset: 21, event: 0 }]);
  expect(events).toEqual([]);
});
