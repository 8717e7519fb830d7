import { expect, test } from "vitest";
import { parseKnownFailures } from "./parse-known-failures.ts";
import { isShippedListName, shippedKnownFailuresText, shippedListNames } from "./shipped-known-failures.ts";
import type { ShippedListName } from "./shipped-known-failures.ts";

const shippedKnownFailures = (name: ShippedListName) =>
  parseKnownFailures(shippedKnownFailuresText(name), name, { isShipped: true });

test("`field` lists, for any target and without a date, the rules that fail on real instances", () => {
  const { entries, mistakes } = shippedKnownFailures("field");
  expect(mistakes).toEqual([]);
  expect(entries.map(({ rule, rules, target }) => [rule, rules, target.text])).toEqual(
    [
      "stream/chunk-match-has-context:text-elsewhere(content)",
      "stream/alert-level-is-listed:no-level",
      "stream/match-type-is-listed:unlisted(person,team)",
      "stream/cl-needs-cm:unmarked-lines",
      "current/answer-is-unchanged:blocks",
      "current/error-has-its-members:required(/retry_time)",
      "stream/final-progress-counts-repositories:left-out-at-zero",
      "stream/limit-suggestion-raises-count:larger-count",
      "legacy/follow-up-answers-the-conversation:question-alone",
    ].map((word) => [word, [word.replace(/:.*/u, "")], "*"]),
  );
  expect(new Set(entries.map((entry) => [entry.isShipped, entry.source, entry.expires].join()))).toEqual(
    new Set(["true,field,"]),
  );
});

test("the example in its heading is a valid list", () => {
  const [head = ""] = shippedKnownFailuresText("field").split("\n\n");
  const example = head
    .split("\n")
    .filter((line) => line.startsWith("#   "))
    .map((line) => line.slice(4));
  const { entries, mistakes } = parseKnownFailures(example.join("\n"), "example");
  expect(mistakes).toEqual([]);
  expect(entries.map(({ rule, line }) => [rule, line])).toEqual([
    ["stream/two-fields:comment", 3],
    ["stream/match-type-is-listed:unlisted(team)", 4],
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
