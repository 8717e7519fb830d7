import { expect, test } from "vitest";
import { createStreamChecker } from "./stream-checker.ts";
import { checkStream, places } from "./testing/check-stream.ts";

// These finish in a moment if work is linear, and exceed the test timeout if it is not.

test("a million unknown lines are checked", () => {
  const { findings } = checkStream([Buffer.from(`event: alert\n${"data: 1\n".repeat(1_000_000)}`)]);
  expect(findings).toHaveLength(999_999 + 2);
});

test("a long event that arrives in small chunks and never ends is searched once", () => {
  const start = Buffer.from("event: matches\ndata: [");
  const chunk = Buffer.alloc(100, '"x",');
  const checker = createStreamChecker({ onFinding() {} });
  checker.push(start, 0);
  for (let sent = 0; sent < 20 * 2 ** 20; sent += chunk.length) {
    checker.push(chunk, 0);
  }
  expect(() => checker.end()).not.toThrow();
});

test.each([
  { levels: 10_000, found: [] },
  { levels: 1_000_000, found: ["json-too-deep@19+0#0"] },
])("JSON nested $levels levels deep gives $found", ({ levels, found }) => {
  const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const bytes = Buffer.from(`event: alert\ndata: ${deep}\n\nevent: done\ndata: {}\n\n`);
  expect(places(checkStream([bytes]))).toEqual(found);
});
