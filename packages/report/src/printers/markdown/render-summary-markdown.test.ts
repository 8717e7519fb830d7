import type { RuleVerdict } from "@assay/results";
import { expect, test } from "vitest";
import { renderSummaryMarkdown } from "./render-summary-markdown.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { sampleChange } from "../../testing/sample-timelines.ts";
import { commentFinding, fieldOrder, resultOf, sampleRules, withVerdict } from "../../testing/sample-results.ts";

const failed = withVerdict("two-fields", { outcome: "failed", findings: [commentFinding], moreFindings: 7 });

test("begins with outcome, exit code, facts and counts", () => {
  expect(renderSummaryMarkdown(resultOf({}, { unspecified: [] }))).toBe(`\
## ✓ Assay: passed (exit code 0)

all 12 rules passed

- Target: \`http://127.0.0.1:3080\` (embedded reference server) over HTTP/1.1
- Profile: \`gate\`
- Run: \`20260102-030405-abcd\`, seed 42, assay \`0.1.0\`
- Seen: 2 exchanges, 12 events, 31 matches, 12.7 kB; first match after 12.4 ms (median of 1)

| interface | passed |
|---|--:|
| all | 12 |
`);
});

test("shows a failure with its requirement, bytes and command", () => {
  const text = renderSummaryMarkdown(resultOf({ verdicts: failed }, { unspecified: [] }));
  expect(text.slice(text.indexOf("### Failed"), text.indexOf("\n| interface"))).toBe(`\
### Failed: 1

What to do: repeat the request with its command; \`npx assay explain RUN stream/two-fields\`, with the folder of the run for RUN, explains it. List failures that you accept for a while in a file: \`--known-failures\`.

#### ✗ failed  \`stream/two-fields\`  (stated)

Every event has exactly the fields \`event\` and \`data\`, one on each line

> \`search-stream\`, section \`6\`: An event consists of the fields \`event\` and \`data\` and of nothing else; each is one line

- a comment line

  \`exchange x3, event 4, byte 1032\`

  \`\`\`text
  "durationMs":12,"skipped":[]}\\n\\n: keep-alive\\nevent: matches\\ndata: [{"type":"content","path":"src…
                                   ^^^^^^^^^^^^
  \`\`\`

  a standard SSE client reads the same events

  \`\`\`text
  ${commentFinding.curl}
  \`\`\`

- and 7 more findings
`);
});

test("lists reasons, warnings, rules that were not tested, unspecified behaviour and new values", () => {
  const verdicts = [
    ...withVerdict("two-fields", { outcome: "not-tested" }),
    { ...sampleRules[10]!, verdict: { outcome: "warned", findings: [commentFinding], moreFindings: 0 } as const },
    { ...sampleRules[11]!, notes: [{ ...fieldOrder, message: "kind `repo2`" }] },
  ];
  const text = renderSummaryMarkdown(
    resultOf({ verdicts, incomplete: [{ code: "deadline", message: "60 s passed by" }] }),
  );
  expect(text).toContain("### ? Incomplete, for these reasons:\n\n- `deadline`: 60 s passed by\n");
  expect(text).toContain("### Warnings\n\n- `stream/match-count-never-falls`: `matchCount` of successive");
  expect(text).toContain(
    "<summary>Not tested: 1 of 14 rules</summary>\n\n- ? not tested (1)\n\n  `stream/two-fields`\n\n</details>\n",
  );
  expect(text).toContain(
    "<summary>Unspecified behaviour, and what this target does</summary>\n\n- `stream/field-order`: `data` comes before `event`\n",
  );
  expect(text).toContain("<summary>Undocumented values</summary>\n\n- `stream/filter-kind-is-known`: kind `repo2`\n");
});

test("shows ten failed rules and counts the rest", () => {
  const verdicts = Array.from({ length: 13 }, () => failed[0]!);
  const text = renderSummaryMarkdown(resultOf({ verdicts }));
  expect(text.match(/^#### /gmu)).toHaveLength(10);
  expect(text).toContain("\nand 3 more failed rules\n");
});

/** Lines that are visible while everything is folded. */
const unfoldedLines = (text: string): readonly string[] => {
  const outside = text.replaceAll(/<details>\n(?<summary><summary>[^\n]*)\n[\s\S]*?\n<\/details>/gu, "$<summary>");
  return outside.split("\n").filter((line) => line.trim() !== "");
};

const chapters = ["6", "2.1", "10", "4"].map((section, at): RuleVerdict => ({
  ...sampleRules[at]!,
  interface: at % 2 === 0 ? "stream" : "legacy",
  requirements: [{ id: "x", specification: "search-stream", section, text: "x" }],
}));

test("has the chapters in the order of their specification, folded unless the run passed", () => {
  const passed = renderSummaryMarkdown(resultOf({ verdicts: chapters }));
  expect(passed.match(/^\| Streaming search \d+/gmu)).toEqual(
    ["2", "4", "6", "10"].map((section) => `| Streaming search ${section}`),
  );
  expect(unfoldedLines(passed).join("\n")).toContain("| Streaming search 2");
  const failing = renderSummaryMarkdown(resultOf({ verdicts: [...chapters, ...failed] }));
  expect(unfoldedLines(failing).join("\n")).not.toContain("| Streaming search 2");
  expect(failing).toContain("<summary>Rules by chapter and interface</summary>");
});

test("is one screen for a run that passed", () => {
  const unspecified = Array.from({ length: 50 }, (_, at) => ({ behaviour: `stream/g${at}`, seen: [fieldOrder] }));
  const notJudged = Array.from({ length: 30 }, (_, at): RuleVerdict => ({
    ...sampleRules[0]!,
    rule: `stream/x${at}`,
    verdict: { outcome: "not-applicable", reason: `reason ${at}` },
  }));
  const text = renderSummaryMarkdown(resultOf({ verdicts: [...chapters, ...notJudged] }, { unspecified }), {
    change: sampleChange,
  });
  expect(text.split("\n").length).toBeGreaterThan(50);
  expect(unfoldedLines(text).length).toBeLessThan(40);
});

test("shows the first of several failures completely, and the first finding of the others", () => {
  const text = renderSummaryMarkdown(resultOf({ verdicts: [failed[0]!, { ...failed[0]!, rule: "stream/other" }] }));
  const visible = unfoldedLines(text).join("\n");
  expect(visible.match(/ \^\^\^/gu)).toHaveLength(1);
  expect(text.match(/ \^\^\^/gu)).toHaveLength(2);
  expect(visible).toContain("Seen: a comment line (`exchange x3, event 4, byte 1032`), and 7 more findings");
});

test("stays below 1 MiB", () => {
  const long = hostileStrings.join(" ").repeat(20);
  const finding = {
    ...commentFinding,
    message: long,
    curl: long,
    pointer: long,
    excerpt: { offset: 0, before: long, marked: long, after: long },
  };
  const text = {
    rule: long,
    title: long,
    requirements: Array.from({ length: 50 }, () => ({ id: long, specification: long, section: long, text: long })),
  };
  const verdicts = Array.from({ length: 400 }, (_, index) => ({
    ...sampleRules[0]!,
    ...text,
    verdict:
      index % 2 === 0
        ? ({ outcome: "failed", findings: [finding], moreFindings: 0 } as const)
        : ({ outcome: "not-applicable", reason: `${index}${long}` } as const),
  }));
  const incomplete = Array.from({ length: 500 }, () => ({ code: "limit", message: long }) as const);
  const unspecified = Array.from({ length: 500 }, () => ({ behaviour: long, seen: [finding] }));
  const bytes = Buffer.byteLength(renderSummaryMarkdown(resultOf({ verdicts, incomplete }, { unspecified })));
  expect(bytes).toBeLessThan(200_000);
});
