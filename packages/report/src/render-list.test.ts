import { expect, test } from "vitest";
import { renderCoverage } from "./render-coverage.ts";
import { renderList } from "./render-list.ts";
import { renderUsageError } from "./render-usage-error.ts";

const rules = [
  {
    id: "stream/two-fields",
    basis: "stated",
    title: "Every event has exactly the fields `event` and `data`, one on each line",
  },
  {
    id: "stream/final-progress-counts-repositories",
    basis: "derived",
    title: "The final progress counts repositories",
  },
];

test("a table of rules is aligned and wraps its titles", () => {
  expect(renderList(rules, { colour: false, width: 100 })).toBe(`\
stream/two-fields                          stated   Every event has exactly the fields \`event\` and
                                                    \`data\`, one on each line
stream/final-progress-counts-repositories  derived  The final progress counts repositories
`);
});

test("on a narrow page a title stands below its rule", () => {
  expect(renderList(rules, { colour: false, width: 60 })).toBe(`\
stream/two-fields                          stated
    Every event has exactly the fields \`event\` and \`data\`,
    one on each line
stream/final-progress-counts-repositories  derived
    The final progress counts repositories
`);
});

test("an empty list is empty", () => {
  expect(renderList([], { colour: true, width: 80 })).toBe("");
});

test("coverage tells of every sentence what is done about it, and counts", () => {
  const sentences = [
    { id: "search-stream#6.1-a", text: "Two fields.", coverage: { kind: "rules", rules: ["stream/a", "stream/b"] } },
    {
      id: "search-stream#6.2-b",
      text: "Half of it.",
      coverage: { kind: "rules", rules: ["stream/a"], partly: "the other half" },
    },
    { id: "search-stream#7.1-c", text: "Not shown.", coverage: { kind: "gap", gap: "stream/order" } },
    { id: "search-stream#1.1-d", text: "Purpose.", coverage: { kind: "not-observable", reason: "a purpose" } },
  ] as const;
  expect(renderCoverage(sentences, { colour: false, width: 80 })).toBe(`\
search-stream#6.1-a
  Two fields.
  → rules stream/a, stream/b

search-stream#6.2-b
  Half of it.
  → rules stream/a (in part, not yet: the other half)

search-stream#7.1-c
  Not shown.
  → gap stream/order

search-stream#1.1-d
  Purpose.
  → not observable: a purpose

4 sentences: 2 have rules, 1 leave a gap, 1 are not observable from outside
`);
});

test.each([
  ["unknown profile `x`; choose smoke, gate or release", "assay: unknown profile `x`; choose smoke, gate or release\n"],
  ["cannot read a\n::error::\u001B[2J", "assay: cannot read a\\n::error::\\x1b[2J\n"],
])("a usage error is one line: %j", (message, line) => {
  expect(renderUsageError(message)).toBe(line);
});
