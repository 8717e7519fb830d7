import { describe, expect, test } from "vitest";
import { renderSummaryMarkdown } from "./markdown/render-summary-markdown.ts";
import { renderTerminal } from "./terminal/render-terminal.ts";
import { resultOf } from "../testing/sample-results.ts";

const served = {
  source: "served",
  address: "https://code.example/api-reference",
  sha256: "ab".repeat(32),
  notes: ["the format `x` is unknown, so it is not checked"],
  differences: ["current get: one", "current get: two", "current get: three", "current list: \u001B[2J<b>four</b>"],
  unseen: ["legacy cancel: status 202"],
} as const;
const pinned = { source: "pinned", notes: ["no document came"], differences: [], unseen: [] } as const;

const terminalOf = (openapi: typeof served | typeof pinned | undefined, verbose = false): string =>
  renderTerminal(resultOf({}, openapi === undefined ? {} : { openapi }), { colour: false, width: 100, verbose });

describe("the OpenAPI document of a run", () => {
  test("is named on the terminal with the first differences", () => {
    const text = terminalOf(served);
    expect(text).toContain("the target's own, https://code.example/api-reference (sha256 abababababab); 4 differences");
    expect(text).toContain("1 documented but not seen");
    expect(text).toContain("  differs: current get: three\n  and 1 more, all of them with --verbose");
    expect(text).not.toContain("legacy cancel");
  });

  test("is shown completely with --verbose, without control characters", () => {
    const text = terminalOf(served, true);
    expect(text).toContain("not seen: legacy cancel: status 202");
    expect(text).toContain(String.raw`differs: current list: \x1b[2J`);
  });

  test("names the document of Assay", () => {
    expect(terminalOf(pinned)).toContain(
      "OpenAPI document\n  the one that comes with Assay; 0 documented but not seen\n  note: no document came",
    );
  });

  test("is left out if no conversation was judged", () => {
    expect(terminalOf(undefined)).not.toContain("OpenAPI document\n");
  });

  test("is text in the summary", () => {
    const text = renderSummaryMarkdown(resultOf({}, { openapi: served }));
    expect(text).toContain("<summary>OpenAPI document</summary>");
    expect(text).toContain("current get: one");
    expect(text).not.toContain("<b>");
  });
});
