import { expect, test } from "vitest";
import { countDisplayColumns } from "./display-columns.ts";
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

test("on a narrow terminal titles are below their rules", () => {
  expect(renderList(rules, { colour: false, width: 60 })).toBe(`\
stream/two-fields                          stated
    Every event has exactly the fields \`event\` and \`data\`,
    one on each line
stream/final-progress-counts-repositories  derived
    The final progress counts repositories
`);
});

const faults = [
  { id: "third-field", basis: "stream/two-fields", title: "a third field in an event" },
  {
    id: "final-progress-without-count-xxx",
    basis: "stream/final-progress-counts-repositories",
    title: "a final progress without the number of repositories",
  },
];

test("the middle column is wrapped after slashes and hyphens before titles get too narrow", () => {
  expect(renderList(faults, { colour: false, width: 100 })).toBe(`\
third-field                       stream/two-fields                     a third field in an event
final-progress-without-count-xxx  stream/final-progress-counts-         a final progress without the
                                  repositories                          number of repositories
`);
});

test("in 80 columns the middle column has its minimum width, in fewer it has none", () => {
  expect(renderList(faults, { colour: false, width: 80 })).toBe(`\
third-field                       stream/two-       a third field in an event
                                  fields
final-progress-without-count-xxx  stream/final-     a final progress without the
                                  progress-counts-  number of repositories
                                  repositories
`);
  expect(renderList(faults, { colour: false, width: 79 })).toBe(`\
third-field                       stream/two-fields
    a third field in an event
final-progress-without-count-xxx  stream/final-progress-counts-repositories
    a final progress without the number of repositories
`);
  expect(renderList(faults, { colour: false, width: 60 })).toBe(`\
third-field
    stream/two-fields
    a third field in an event
final-progress-without-count-xxx
    stream/final-progress-counts-repositories
    a final progress without the number of repositories
`);
});

test.each([60, 70, 79, 80, 90, 100, 110, 120])("in %i columns every id is whole and nothing is wider", (width) => {
  const lines = renderList([...faults, ...rules], { colour: false, width }).split("\n");
  const ids = [...faults, ...rules].map(({ id }) => id);
  expect(ids.filter((id) => !lines.some((line) => line.split(" ")[0] === id))).toEqual([]);
  expect(Math.max(...lines.map(countDisplayColumns))).toBeLessThanOrEqual(width);
});

test("a list without a middle column has no space for it", () => {
  expect(renderList([{ id: "a", basis: "", title: "b" }], { colour: false, width: 80 })).toBe("a    b\n");
});

test("an empty list is empty", () => {
  expect(renderList([], { colour: true, width: 80 })).toBe("");
});

test("coverage has every requirement with its rules, and the counts", () => {
  const requirements = [
    { id: "search-stream#6.1-a", text: "Two fields.", coverage: { kind: "rules", rules: ["stream/a", "stream/b"] } },
    {
      id: "search-stream#6.2-b",
      text: "Half of it.",
      coverage: { kind: "rules", rules: ["stream/a"], partly: "the other half" },
    },
    { id: "search-stream#7.1-c", text: "Not shown.", coverage: { kind: "unspecified", behaviour: "stream/order" } },
    { id: "search-stream#1.1-d", text: "Purpose.", coverage: { kind: "not-observable", reason: "a purpose" } },
  ] as const;
  expect(renderCoverage(requirements, { colour: false, width: 80 })).toBe(`\
search-stream#6.1-a
  Two fields.
  → rules stream/a, stream/b

search-stream#6.2-b
  Half of it.
  → rules stream/a (in part, not yet: the other half)

search-stream#7.1-c
  Not shown.
  → unspecified: stream/order

search-stream#1.1-d
  Purpose.
  → not observable: a purpose

4 requirements: 2 have rules, 1 unspecified, 1 are not observable from outside
`);
});

test.each([
  ["unknown profile `x`; choose smoke, gate or release", "assay: unknown profile `x`; choose smoke, gate or release\n"],
  ["cannot read a\n::error::\u001B[2J", "assay: cannot read a\\n::error::\\x1b[2J\n"],
])("a usage error is one line: %j", (message, line) => {
  expect(renderUsageError(message)).toBe(line);
});
