import { describe, expect, test } from "vitest";
import { acceptInList, listsFailure } from "./accept-in-list.ts";

const target = "https://staging.example.com";
const accepted = {
  reason: "The proxy sends a comment.",
  owner: "ops",
  expires: "2999-12-31",
  rules: ["stream/two-fields:comment"],
  target,
};
const group = `# The proxy sends a comment.\n# owner: ops   expires: 2999-12-31\nstream/two-fields:comment   ${target}\n`;
const other = `# Old.\n# owner: a   expires: 2001-01-01\nstream/text-is-utf-8 *\n`;
const heading = "# Known failures of staging.\n\n";

test.each([
  { name: "to an empty list", before: "", after: group },
  { name: "after existing lines", before: heading + other, after: `${heading}${other}\n${group}` },
  { name: "after a last line without a line end", before: other.trimEnd(), after: `${other}\n${group}` },
  {
    name: "with the line ends of the list",
    before: other.replaceAll("\n", "\r\n"),
    after: `${other}\n${group}`.replaceAll("\n", "\r\n"),
  },
  {
    name: "instead of its existing entry, however that is written",
    before: `${heading}# Old.\n# owner: a   expires: 2001-01-01\n stream/two-fields:comment\t${target}/\n`,
    after: heading + group,
  },
  {
    name: "and keeps the rest of its old group",
    before: `${other}stream/two-fields:comment ${target}\n`,
    after: `${other}\n${group}`,
  },
  {
    name: "next to the entry for another target",
    before: "# Old.\n# owner: a   expires: 2001-01-01\nstream/two-fields:comment *\n",
    after: `# Old.\n# owner: a   expires: 2001-01-01\nstream/two-fields:comment *\n\n${group}`,
  },
])("a failure is written $name", ({ before, after }) => {
  expect(acceptInList(before, accepted)).toEqual({ text: after });
  expect(acceptInList(after, accepted)).toEqual({ text: after });
});

test("a list has a failure only for its target", () => {
  expect(listsFailure(group, accepted)).toBe(true);
  expect(listsFailure(group, { ...accepted, target: "*" })).toBe(false);
  expect(listsFailure(other, accepted)).toBe(false);
});

describe("a text that could not be read back is refused:", () => {
  test.each([
    { reason: "expires: never" },
    { reason: "a\nstream/text-is-utf-8 *" },
    { owner: "ops (team)" },
    { owner: "ops expires: 2001-01-01" },
  ])("%j", (part) => {
    expect(acceptInList("", { ...accepted, ...part })).toHaveProperty("mistake");
  });
});
