import { h } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";
import { expect, test } from "vitest";
import { breakLines, ExcerptBlock } from "./excerpt-block.tsx";

test.each([
  ["lines of a stream", "event: a\\ndata: {}\\n\\nevent: b", "event: a\\n\ndata: {}\\n\\n\nevent: b"],
  ["a line feed before what is marked", '{"a":1}\\n\\n', '{"a":1}\\n\\n\n'],
  ["carriage returns", "event: a\\r\\ndata: 1", "event: a\\r\\n\ndata: 1"],
  ["escapes of JSON", '"text":"one\\ntwo\\n"', '"text":"one\\ntwo\\n"'],
  ["nothing", "", ""],
])("%s are broken where a stream has lines", (_what, text, lines) => {
  expect(breakLines(text)).toBe(lines);
});

test("the offending bytes are marked, with the offset of the first shown byte", () => {
  const excerpt = { offset: 1096, before: '"}]\\n\\n', marked: ": ping", after: "\\n\\nevent: done" };
  expect(renderToStaticMarkup(h(ExcerptBlock, { excerpt }))).toBe(
    '<pre class="bytes"><span class="off">from byte 1,096</span><code>&quot;}]\\n\\n\n<mark>: ping</mark>\\n\\n\nevent: done</code></pre>',
  );
});

test("a place with missing bytes is marked in words", () => {
  const excerpt = { offset: 0, before: "data: {}\\n", marked: "", after: "" };
  expect(renderToStaticMarkup(h(ExcerptBlock, { excerpt }))).toContain('<mark class="gap">missing here</mark>');
});
