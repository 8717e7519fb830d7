import type { ReportedFinding } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countDisplayColumns } from "../printers/terminal/display-columns.ts";
import { createFailureSection, formatFindingLocation } from "./run-sections.ts";
import { createMarkedExcerpt } from "../printers/terminal/marked-excerpt.ts";
import { createTerminalLayout } from "../printers/terminal/terminal-layout.ts";
import { renderTerminalSection } from "../printers/terminal/print-terminal.ts";
import { anyText } from "../testing/arbitrary-run-result.ts";
import { commentFinding, sampleRules } from "../testing/sample-results.ts";

const layout = createTerminalLayout({ colour: false, width: 80 });

test.each([
  [{}, ""],
  [{ exchange: "x3", event: 4, offset: 1032 }, "exchange x3, event 4, byte 1032"],
  [{ event: 0, offset: 0 }, "event 0, byte 0"],
  [{ pointer: "/0/type" }, "at /0/type"],
  [{ pointer: "" }, ""],
])("the place of %j is %j", (fields, place) => {
  expect(formatFindingLocation({ kind: "violation", message: "m", ...fields })).toBe(place);
});

describe("an excerpt shows the marked bytes", () => {
  test.each([
    ["everything fits", { before: "ab", marked: "CD", after: "ef" }, 20, "abCDef", "  ^^"],
    ["nothing marked", { before: "ab", marked: "", after: "cd" }, 20, "abcd", "  ^"],
    ["before is cut at its start", { before: "x".repeat(50), marked: "M", after: "y" }, 10, "…xxxxxxxMy", "        ^"],
    ["after is cut at its end", { before: "x", marked: "M", after: "y".repeat(50) }, 10, "xMyyyyyyy…", " ^"],
    ["both are cut", { before: "x".repeat(50), marked: "M", after: "y".repeat(50) }, 11, "…xxxxMyyyy…", "     ^"],
    ["the marked bytes are cut in the middle", { before: "", marked: "abcdefghij", after: "" }, 10, "ab…ij", "^^^^^"],
    ["wide characters", { before: "字", marked: "字", after: "" }, 20, "字字", "  ^^"],
  ])("%s", (_name, ...[excerpt, columns, line, carets]) => {
    const shown = createMarkedExcerpt({ offset: 0, ...excerpt }, columns);
    expect([`${shown.before}${shown.marked}${shown.after}`, shown.carets]).toEqual([line, carets]);
  });

  test("within the columns", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, marked, after) => {
        const shown = createMarkedExcerpt({ offset: 0, before, marked, after }, 50);
        expect(countDisplayColumns(`${shown.before}${shown.marked}${shown.after}`)).toBeLessThanOrEqual(50);
      }),
    );
  });
});

const shownOf = (findings: readonly ReportedFinding[]): readonly string[] => {
  const [first = commentFinding, ...rest] = findings;
  const verdict = { outcome: "failed", findings: [first, ...rest], moreFindings: 0 } as const;
  const section = createFailureSection({ ...sampleRules[0]!, verdict }, { findings: 5 });
  return section === undefined ? [] : renderTerminalSection(section, layout);
};

test("adjacent findings with the same request show its command once, after the last", () => {
  const other = { ...commentFinding, curl: "curl other" };
  const lines = shownOf([commentFinding, commentFinding, other]);
  expect(lines.filter((line) => line.includes("$ curl")).map((line) => line.slice(0, 17))).toEqual([
    "     $ curl -sN -",
    "     $ curl other",
  ]);
});

test.each([
  ["same-events", "a standard SSE client reads the same events"],
  ["other-events", "a standard SSE client silently drops or changes events here"],
  ["error", "a standard SSE client reports an error here"],
] as const)("says of %s that %s", (standardClient, words) => {
  expect(shownOf([{ ...commentFinding, standardClient }])).toContain(`     ${words}`);
});
