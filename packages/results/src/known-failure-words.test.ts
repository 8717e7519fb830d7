import { expect, test } from "vitest";
import { formatEntryTarget, formatFailureName } from "./known-failure-words.ts";

const rule = { rule: "stream/two-fields" } as const;
const finding = { kind: "violation", message: "m" } as const;

test.each([
  { name: "without a code", finding, is: "stream/two-fields" },
  { name: "with a code", finding: { ...finding, code: "comment" }, is: "stream/two-fields:comment" },
  {
    name: "with an argument, separators encoded",
    finding: { ...finding, code: "field", argument: "a name,\u001B\u202E (b)%" },
    is: "stream/two-fields:field(a%20name%2C%1B%E2%80%AE%20%28b%29%25)",
  },
])("an entry names a rule $name", ({ finding: found, is }) => {
  expect(formatFailureName(rule, found)).toBe(is);
});

test.each([
  { target: "https://code.example/x", embedded: false, is: "https://code.example/x" },
  { target: "http://127.0.0.1:40531", embedded: true, is: "http://127.0.0.1:*" },
  { target: "recording.har", embedded: false, is: "*" },
  { target: "C:\\recording.har", embedded: false, is: "*" },
])("the target of an entry for $target is $is", ({ target, embedded, is }) => {
  expect(formatEntryTarget({ target, embedded })).toBe(is);
});
