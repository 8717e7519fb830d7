import { expect, test } from "vitest";
import { renderCheck } from "./render-check.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";

const plain = { colour: false, width: 80 } as const;
const good = { file: "good.sse", result: resultOf() };
const bad = {
  file: "recordings/bad.sse",
  result: resultOf({
    verdicts: withVerdict("two-fields", {
      outcome: "failed",
      findings: [{ kind: "violation", message: "a comment line" }],
      moreFindings: 0,
    }),
  }),
};
const untested = {
  file: "empty.har",
  result: resultOf({
    verdicts: [],
    incomplete: [{ code: "not-the-api", message: "no exchange in it has an event stream" }],
  }),
};

test("a line for each file, then what failed, then the exit code", () => {
  expect(renderCheck([good, bad, untested], plain)).toBe(`\
✓ passed  good.sse  all 12 rules passed
✗ failed  recordings/bad.sse  1 of 12 rules failed: stream/two-fields
? not tested  empty.har
    nothing was tested: no exchange in it has an event stream

recordings/bad.sse

✗ failed  stream/two-fields   1 finding in 2 streams
  Every event has exactly the fields \`event\` and \`data\`, one on each line
  search-stream, section 6: An event consists of the fields \`event\` and \`data\`
    and of nothing else; each is one line
  a comment line

✗ 1 passed, 1 failed, 1 not tested  exit code 1
`);
});

test.each([
  [[], "? no recording was given  exit code 3\n"],
  [[good, good], "✓ 2 passed  exit code 0\n"],
  [[bad, bad], "✗ 2 failed  exit code 1\n"],
  [[good, untested], "? 1 passed, 1 not tested  exit code 3\n"],
])("the last line of %#", (checked, last) => {
  expect(renderCheck(checked, plain).endsWith(`\n${last}`)).toBe(true);
});

test("rules that were not tested are listed with --verbose", () => {
  const file = {
    file: "a.sse",
    result: resultOf({ verdicts: withVerdict("two-fields", { outcome: "not-tested" }) }),
  };
  expect(renderCheck([file], plain)).toContain("1 not tested");
  expect(renderCheck([file], { ...plain, verbose: true })).toContain("? not tested (1)\n    stream/two-fields\n");
});

test("a file name cannot forge a line", () => {
  const file = { file: "a\n✓ passed  b.sse\u001B[2K", result: bad.result };
  expect(
    renderCheck([file], plain)
      .split("\n")
      .filter((line) => line.startsWith("✓")),
  ).toEqual([]);
  expect(renderCheck([file], plain)).toContain("a\\n✓ passed  b.sse\\x1b[2K");
});

test("a warning is shown although the file passed", () => {
  const verdicts = withVerdict("match-count-never-falls", {
    outcome: "warned",
    findings: [commentFinding],
    moreFindings: 0,
  });
  const text = renderCheck([{ file: "a.sse", result: resultOf({ verdicts }) }], plain);
  expect(text).toContain("~ warned  stream/match-count-never-falls   1 finding in 2 streams\n");
  expect(text).toContain("✓ 1 passed  exit code 0\n");
});

test("verbose shows unspecified behaviour and the reasons of each file", () => {
  const text = renderCheck([untested], { ...plain, verbose: true });
  expect(text).toContain("? Incomplete, for these reasons:\n  not-the-api: no exchange in it has an event stream\n");
  expect(text).toContain("Unspecified behaviour, and what this target does\n  stream/field-order: `data` comes");
});
