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

test.each([
  { name: "arrays", json: nested("[", "]", 100_000), deep: true },
  { name: "objects", json: nested('{"a":', "}", 100_000), deep: true },
  { name: "arrays after numbers", json: nested("[1,[1,", "]]", 100_000), deep: true },
  { name: "one level too many", json: `[${nested("[", "]", maxNesting)},${"[],".repeat(50_000)}0]`, deep: true },
  { name: "the maximum depth", json: nested("[", "]", maxNesting).padEnd(1_000_000, " "), deep: false },
  { name: "brackets side by side", json: `[${"[],".repeat(100_000)}0]`, deep: false },
  { name: "brackets in a string", json: `"${"[".repeat(100_000)}"`, deep: false },
  { name: "brackets after a quote in a string", json: `["\\"${"[".repeat(100_000)}"]`, deep: false },
  { name: "too short to cost much", json: nested("[", "]", 20_000), deep: false },
])("$name: too deep is $deep", ({ json, deep }) => {
  expect(nestsTooDeep(part(json))).toBe(deep);
});

test("data that nests too deep ends the check without a verdict, and is never parsed", () => {
  const json = nested("[", "]", 200_000);
  const { findings, events } = checkStream([Buffer.from(`event: matches\ndata: ${json}\n\nevent: done\ndata: {}\n\n`)]);
  expect(findings).toMatchObject([{ kind: "limit", code: "json-too-deep", offset: 21, event: 0 }]);
  expect(events).toEqual([]);
});
