import { Buffer } from "node:buffer";
import { repetitions } from "@assay/tools/proving";
import type { RunChange } from "@assay/results";
import { changeBetween } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderSummaryMarkdown } from "./render-summary-markdown.ts";
import { anyLoadResult } from "../../testing/arbitrary-load-result.ts";
import { anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { loadOf } from "../../testing/sample-load.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { hiddenCharacters } from "../../testing/styles.ts";
import { cutMarkdown } from "./cut-markdown.ts";
import { renderMergedOutcome, renderMergedMarkdown } from "../render-merged.ts";
import { createCommentMarker, renderPullRequestComment } from "./render-pull-request-comment.ts";

const good = resultOf();
const bad = resultOf({
  verdicts: withVerdict("two-fields", { outcome: "failed", findings: [commentFinding], moreFindings: 0 }),
});
const change: RunChange = changeBetween({ ...good, run: { ...good.run, id: "before" } }, bad);

test("several runs have the names given by the user, or their ids", () => {
  const text = renderMergedOutcome({ runs: [{ result: good, name: "before" }, { result: bad }], loads: [] });
  expect(text.split("\n").map((line) => line.slice(0, 42))).toEqual([
    "✓ before (20260102-030405-abcd): passed, e",
    "✗ 20260102-030405-abcd: failed, exit code ",
    "✗ all: failed, exit code 1",
    "",
  ]);
});

describe("the summary", () => {
  test("of one run is the summary of the run", () => {
    expect(renderMergedMarkdown({ runs: [{ result: bad, change }], loads: [], comparisons: [] })).toBe(
      renderSummaryMarkdown(bad, { change }),
    );
  });

  test("has the changes since the baseline after the failures", () => {
    const text = renderSummaryMarkdown(bad, { change });
    expect(text).toContain("### What changed\n\n1 rule fails that passed in run before.\n");
    expect(text.indexOf("### Failed: 1")).toBeGreaterThan(0);
    expect(text.indexOf("### What changed")).toBeGreaterThan(text.indexOf("### Failed: 1"));
  });

  test("of several runs begins with the most severe outcome and a row for each", () => {
    const text = renderMergedMarkdown({
      runs: [{ result: good }, { result: bad }],
      loads: [loadOf()],
      comparisons: [],
    });
    expect(text.split("\n").slice(0, 7)).toEqual([
      "## ✗ Assay, 3 runs: failed (exit code 1)",
      "",
      "| run | target | outcome | exit code | summary |",
      "|---|---|---|---|---|",
      expect.stringMatching(/^\| 20260102-030405-abcd \| .* \| ✓ passed \| 0 \|/u),
      expect.stringMatching(/✗ failed \| 1 \|/u),
      expect.stringMatching(/^\| 20260102T030405Z-abcdef .* ✓ passed \| 0 \|/u),
    ]);
  });

  test("draws seen transitions without text of a target", () => {
    const diagram = {
      interface: "legacy",
      states: [
        { state: "processing", listed: true, terminal: false, seen: 2 },
        { state: "x --> y\n```\n# hi", listed: false, terminal: false, seen: 1 },
      ],
      edges: [{ from: "processing", to: "x --> y\n```\n# hi", standing: "not-allowed", seen: 1 }],
    } as const;
    expect(renderSummaryMarkdown(good, { timelines: { diagrams: [diagram] } })).toContain(
      "```mermaid\nstateDiagram-v2\n  processing --> unlisted_2 : 1 time not allowed\n```\n",
    );
  });

  test("draws forbidden first states, and does not call transitions of unlisted states unstated", () => {
    const diagram = {
      interface: "legacy",
      states: ["processing", "completed", "done"].map((state) => ({
        state,
        listed: state !== "done",
        terminal: false,
        seen: 1,
      })),
      edges: [
        { from: "processing", to: "completed", standing: "unstated", seen: 3 },
        { from: "processing", to: "done", standing: "unstated", seen: 2 },
      ],
      beginnings: [{ state: "completed", seen: 1 }],
    } as const;
    expect(renderSummaryMarkdown(good, { timelines: { diagrams: [diagram] } })).toContain(
      [
        "stateDiagram-v2",
        "  [*] --> completed : 1 time not allowed",
        "  processing --> completed : 3 times not stated",
        "  processing --> unlisted_3 : 2 times",
        "```",
      ].join("\n"),
    );
  });

  test("has at most the maximum number of bytes", () => {
    const input = fc.record({
      runs: fc.array(fc.record({ result: anyRunResult }), { maxLength: 3 }),
      loads: fc.array(anyLoadResult, { maxLength: 2 }),
      comparisons: fc.constant([]),
    });
    fc.assert(
      fc.property(input, fc.integer({ min: 0, max: 20_000 }), (all, maxBytes) => {
        const text = renderMergedMarkdown(all, maxBytes);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(text.split("\n").filter((line) => /^`{3,}[^`]*$/u.test(line)).length % 2).toBe(0);
        expect(text.match(/^<details>$/gmu)?.length).toBe(text.match(/^<\/details>$/gmu)?.length);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });
});

test("Markdown is cut between lines, and an open block is closed", () => {
  const text = `first\n\`\`\`\`text\n${"x".repeat(50)}\n${"y".repeat(500)}\n\`\`\`\`\nlast\n`;
  expect(cutMarkdown(text, 200)).toBe(
    `first\n\`\`\`\`text\n${"x".repeat(50)}\n\`\`\`\`\n\n… cut here: the files of the run have all of it.\n`,
  );
  expect([cutMarkdown(text, 1000), cutMarkdown(text, 10)]).toEqual([text, ""]);
});

test("a folded part is closed where the text is cut, whatever its code contains", () => {
  const text = `<details>\n<summary>x</summary>\n\n\`\`\`text\n</details>\n\`\`\`\n${"y".repeat(500)}\n</details>\n`;
  expect(cutMarkdown(text, 200)).toBe(
    "<details>\n<summary>x</summary>\n\n```text\n</details>\n```\n\n</details>\n\n… cut here: the files of the run have all of it.\n",
  );
});

test("a code span at the beginning of a line does not open a block", () => {
  const span = `\`\`\`\`code \`\`\` here\`\`\`\``;
  expect(cutMarkdown(`${span}\n${"y".repeat(500)}\n`, 200)).toBe(
    `${span}\n\n… cut here: the files of the run have all of it.\n`,
  );
});

describe("the comment", () => {
  test.each([
    ["https://Staging.example.com:443/", "<!-- assay:https-staging.example.com-443 -->"],
    ["--> <script>", "<!-- assay:script -->"],
    ["", "<!-- assay:run -->"],
    ["release_2", "<!-- assay:release_2 -->"],
  ])("for %j begins with %s", (id, marker) => {
    expect(createCommentMarker(id)).toBe(marker);
    expect(
      renderPullRequestComment({ runs: [{ result: bad }], loads: [], comparisons: [] }, { id }).split("\n")[0],
    ).toBe(marker);
  });

  test("has outcome, changes and failures", () => {
    const text = renderPullRequestComment({ runs: [{ result: bad, change }], loads: [], comparisons: [] }, { id: "x" });
    expect(text).toContain("## ✗ Assay: failed (exit code 1)\n");
    expect(text).toContain("1 rule fails that passed in run before.");
    expect(text).toContain("### Failed\n\n- `stream/two-fields`: a comment line (`exchange x3, event 4, byte 1032`)\n");
  });

  test("has at most 65,536 characters, with any text of a target", () => {
    fc.assert(
      fc.property(fc.array(anyRunResult, { minLength: 1, maxLength: 6 }), (results) => {
        const runs = results.map((result) => ({ result }));
        const text = renderPullRequestComment({ runs, loads: [], comparisons: [] }, { id: "x" });
        expect(text.length).toBeLessThan(65_536);
        expect(hiddenCharacters(text)).toEqual([]);
        expect(text.split("\n").filter((line) => line.startsWith("<"))).toEqual(["<!-- assay:x -->"]);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });
});
