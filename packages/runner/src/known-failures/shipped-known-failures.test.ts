import { expect, test } from "vitest";
import { parseKnownFailures } from "./parse-known-failures.ts";
import {
  isShippedListName,
  shippedKnownFailures,
  shippedKnownFailuresText,
  shippedListNames,
} from "./shipped-known-failures.ts";

test("`field` lists, for any target and without a date, the rules that real instances are known to break", () => {
  const { entries, mistakes } = shippedKnownFailures("field");
  expect(mistakes).toEqual([]);
  expect(entries.map(({ rule, rules, target }) => [rule, rules, target.text])).toEqual(
    [
      "stream/chunk-match-has-context",
      "stream/match-type-is-listed",
      "stream/cl-needs-cm",
      "legacy/x-requested-with-is-required",
      "legacy/x-requested-with-has-its-shape",
      "stream/limit-suggestion-raises-count",
    ].map((id) => [id, [id], "*"]),
  );
  expect(new Set(entries.map((entry) => [entry.isShipped, entry.source, entry.expires].join()))).toEqual(
    new Set(["true,field,"]),
  );
});

test("the example in its head is a list without a mistake", () => {
  const [head = ""] = shippedKnownFailuresText("field").split("\n\n");
  const example = head
    .split("\n")
    .filter((line) => line.startsWith("#   "))
    .map((line) => line.slice(4));
  const { entries, mistakes } = parseKnownFailures(example.join("\n"), "example");
  expect(mistakes).toEqual([]);
  expect(entries.map(({ rule, line }) => [rule, line])).toEqual([
    ["stream/two-fields", 3],
    ["stream/one-blank-*", 4],
  ]);
});

test.each(shippedListNames)("every line of `%s` is an entry or a comment", (name) => {
  const { entries, mistakes } = shippedKnownFailures(name);
  const lines = shippedKnownFailuresText(name).split("\n");
  expect(mistakes).toEqual([]);
  expect(entries).toHaveLength(lines.filter((line) => line !== "" && !line.startsWith("#")).length);
});

test.each([
  ["field", true],
  ["Field", false],
  ["field.txt", false],
  ["toString", false],
])("%s names a list of the tool: %s", (word, expected) => {
  expect(isShippedListName(word)).toBe(expected);
});
