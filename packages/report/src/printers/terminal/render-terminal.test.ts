import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { displayColumns } from "./display-columns.ts";
import { renderTerminal } from "./render-terminal.ts";
import { commentFinding, resultOf, sampleRules, withVerdict } from "../../testing/sample-results.ts";
import { withoutStyles } from "../../testing/styles.ts";

const plain = { colour: false, width: 80 } as const;
const failed = resultOf({
  verdicts: withVerdict("two-fields", {
    outcome: "failed",
    findings: [commentFinding, commentFinding, commentFinding, commentFinding],
    moreFindings: 7,
  }),
});
const mixed = resultOf({
  verdicts: [
    ...withVerdict("match-count-never-falls", { outcome: "not-tested" }).slice(0, 11),
    { ...sampleRules[11]!, verdict: { outcome: "not-applicable", reason: "the target is declared private" } },
    {
      ...sampleRules[0]!,
      rule: "stream/oauth-token-is-accepted",
      verdict: { outcome: "blocked", blockedBy: "prerequisite", missing: "no OAuth token was given" },
    },
  ],
});

const everyOutcome = resultOf({
  verdicts: [
    { outcome: "failed", findings: [commentFinding], moreFindings: 0 } as const,
    { outcome: "warned", findings: [commentFinding], moreFindings: 0 } as const,
    { outcome: "not-tested" } as const,
    { outcome: "not-applicable", reason: "the target is declared private" } as const,
    { outcome: "blocked", blockedBy: "transport", missing: "the connection was reset" } as const,
  ].flatMap((verdict) => [
    sampleRules[0]!,
    Object.assign({}, sampleRules[1], { rule: "stream/final-progress-counts-repositories", verdict }),
  ]),
});

test("a run that passed takes a dozen lines", () => {
  expect(renderTerminal(resultOf(), { ...plain, folder: "reports/runs/1" })).toBe(`\
assay 0.1.0 · http://127.0.0.1:3080 (embedded reference server) over HTTP/1.1
profile gate · 2 requests · first match after 12.4 ms (median)

  ✓ streaming search  12 passed

${"─".repeat(80)}
✓ PASSED  exit code 0
all 12 rules passed
more: --verbose shows 1 unspecified behaviour
files: reports/runs/1
`);
});

test("a failed rule has a count, one example with its bytes, and the command that repeats it", () => {
  const text = renderTerminal(failed, plain);
  expect(text.slice(text.indexOf("✗ failed"))).toBe(`\
✗ failed  stream/two-fields   11 findings in 2 streams
  Every event has exactly the fields \`event\` and \`data\`, one on each line
  search-stream, section 6: An event consists of the fields \`event\` and \`data\`
    and of nothing else; each is one line
  a comment line
  exchange x3, event 4, byte 1032
  │ …urationMs":12,"skipped":[]}\\n\\n: keep-alive\\nevent: matches\\ndata: [{"type…
  │                                 ^^^^^^^^^^^^
  a standard SSE client reads the same events
  $ ${commentFinding.curl}

${"─".repeat(80)}
✗ FAILED  exit code 1
1 of 12 rules failed: stream/two-fields
more: --verbose shows 1 unspecified behaviour
`);
});

test("verbose shows three findings of a failed rule", () => {
  const text = renderTerminal(failed, { ...plain, verbose: true });
  expect(text.slice(text.indexOf("✗ failed  "))).toBe(`\
✗ failed  stream/two-fields  (stated)
  Every event has exactly the fields \`event\` and \`data\`, one on each line
  search-stream, section 6: An event consists of the fields \`event\` and \`data\`
    and of nothing else; each is one line
  1. a comment line
     exchange x3, event 4, byte 1032
     │ …rationMs":12,"skipped":[]}\\n\\n: keep-alive\\nevent: matches\\ndata: [{"ty…
     │                                ^^^^^^^^^^^^
     a standard SSE client reads the same events
  2. a comment line
     exchange x3, event 4, byte 1032
     │ …rationMs":12,"skipped":[]}\\n\\n: keep-alive\\nevent: matches\\ndata: [{"ty…
     │                                ^^^^^^^^^^^^
     a standard SSE client reads the same events
  3. a comment line
     exchange x3, event 4, byte 1032
     │ …rationMs":12,"skipped":[]}\\n\\n: keep-alive\\nevent: matches\\ndata: [{"ty…
     │                                ^^^^^^^^^^^^
     a standard SSE client reads the same events
     $ ${commentFinding.curl}
  and 8 more findings

${"─".repeat(80)}
✗ FAILED  exit code 1
1 of 12 rules failed: stream/two-fields
`);
});

test("every verdict of an interface is counted, on as many lines as it takes", () => {
  const lines = renderTerminal(everyOutcome, { ...plain, width: 60 }).split("\n");
  const at = lines.findIndex((line) => line.startsWith("  ✗ streaming"));
  expect(lines.slice(at, at + 3)).toEqual([
    "  ✗ streaming search  5 passed, 1 failed, 1 warned, 1 not",
    "                      tested, 1 not applicable, 1 blocked",
    "",
  ]);
});

test("verbose lists rules that were not tested with their reasons", () => {
  const text = renderTerminal(mixed, { ...plain, verbose: true });
  expect(text.slice(text.indexOf("Not tested"), text.indexOf("Unspecified"))).toBe(`\
Not tested: 3 of 13 rules
  ? not tested (1)
    stream/match-count-never-falls
  - not applicable (1): the target is declared private
    stream/filter-kind-is-known
  ? blocked (1): no OAuth token was given
    stream/oauth-token-is-accepted

`);
});

test("rules that the profile requires and that were not tested are listed without verbose", () => {
  const verdict = { outcome: "not-tested", reason: "no stream had its `done`" } as const;
  const verdicts = withVerdict("done-is-last", verdict, { mustTest: true });
  const text = renderTerminal(resultOf({ verdicts }), plain);
  expect(text).toContain(`
? Required by the profile, but not tested
  no stream had its \`done\`
    stream/done-is-last
`);
  expect(text).toContain("? INCOMPLETE  exit code 3\n");
});

test.each([
  {
    what: "a number of streams where every finding is kept",
    ids: ["x1", "x1"],
    moreFindings: 0,
    count: "1 of 2 streams",
  },
  {
    what: "a number of streams where the streams of those left out were counted",
    ids: ["x1"],
    moreFindings: 5,
    affectedExchanges: 2,
    count: "2 of 2 streams",
  },
  {
    what: "findings where an older version left some out",
    ids: ["x1", "x2"],
    moreFindings: 5,
    count: "7 findings in 2 streams",
  },
  { what: "findings where one names no stream", ids: ["x1", "x9"], moreFindings: 0, count: "2 findings in 2 streams" },
])("the count of a failed rule is $what", ({ ids, moreFindings, affectedExchanges, count }) => {
  const [first, ...rest] = ids.map((exchange) => ({ ...commentFinding, exchange }));
  const verdict = {
    outcome: "failed",
    findings: [first!, ...rest],
    moreFindings,
    ...defined({ affectedExchanges }),
  } as const;
  const verdicts = withVerdict("two-fields", verdict);
  expect(renderTerminal(resultOf({ verdicts }), plain)).toContain(`✗ failed  stream/two-fields   ${count}\n`);
});

describe("the next commands", () => {
  const elsewhere = { ...failed, run: { ...failed.run, embedded: false, target: "https://code.example" } };
  const stepsOf = (result: typeof failed): readonly string[] =>
    renderTerminal(result, { ...plain, evidence: "reports/runs/my run" })
      .split("\n")
      .filter((line) => /^(?:explain|proxy\?|accept): /u.test(line));

  test("explain a failed rule, check for a proxy and accept the failure", () => {
    expect(stepsOf(elsewhere)).toEqual([
      "explain: npx assay explain 'reports/runs/my run' stream/two-fields",
      "proxy?: npx assay doctor --url https://code.example",
      `accept: npx assay accept 'reports/runs/my run' stream/two-fields --until 2026-02-01 --reason "…"`,
    ]);
  });

  test("only explain if Assay started the server, and none for a run that passed", () => {
    expect(stepsOf(failed)).toEqual(["explain: npx assay explain 'reports/runs/my run' stream/two-fields"]);
    expect(stepsOf(resultOf())).toEqual([]);
  });
});

test("a warning takes three lines and does not fail the run", () => {
  const warned = resultOf({
    verdicts: withVerdict("match-count-never-falls", {
      outcome: "warned",
      findings: [commentFinding],
      moreFindings: 0,
    }),
  });
  const text = renderTerminal(warned, plain);
  expect(text).toContain(`
~ warned  stream/match-count-never-falls   1 finding in 2 streams
  \`matchCount\` of successive progress events never falls
  a comment line (exchange x3, event 4, byte 1032)
`);
  expect(text).toContain("✓ PASSED  exit code 0\n11 of 12 rules passed; 1 warned\n");
});

test("an incomplete run has its reasons and failed exchanges", () => {
  const incomplete = [{ code: "transport", message: "1 of 2 exchanges did not end; run it again" }] as const;
  const exchanges = [
    {
      id: "x9",
      probe: "basic-search",
      interface: "stream",
      operation: "search",
      url: "/",
      bytes: 12,
      events: 0,
      matches: 0,
      durationMicros: 1,
      failure: "reset",
    },
  ];
  const text = renderTerminal(resultOf({ incomplete }, { exchanges, unspecified: [] }), plain);
  expect(text).toContain("? exchange x9 (basic-search): reset\n");
  expect(text.slice(text.indexOf("─"))).toBe(`\
${"─".repeat(80)}
? INCOMPLETE  exit code 3
no verdict: 1 of 2 exchanges did not end; run it again
`);
  const more = [...incomplete, { code: "deadline", message: "the time was up" }] as const;
  const twice = renderTerminal(resultOf({ incomplete: more }, { exchanges, unspecified: [] }), plain);
  expect(twice).toContain("\n? Incomplete\n  the time was up\n\n");
});

test("verbose shows every request and every rule", () => {
  const text = renderTerminal(resultOf(), { ...plain, verbose: true });
  expect(text).toContain("  x1 basic-search: 200, 12.4 kB, 9 events, 31 matches, 40.1 ms\n");
  expect(
    text.split("\n").filter((line) => line.startsWith("    ✓ stream/") && line.endsWith("  passed, 14 times")),
  ).toHaveLength(sampleRules.length);
});

describe.each([40, 60, 72, 80, 100, 120, 300, Number.NaN])("at a width of %s", (width) => {
  test.each([
    ["passed", resultOf()],
    ["failed", failed],
    ["mixed", mixed],
    ["everything", everyOutcome],
  ])("%s fits, all but the commands", (_name, result) => {
    const lines = [true, false].flatMap((verbose) =>
      renderTerminal(result, { colour: false, width, verbose }).split("\n"),
    );
    const columns = lines.filter((line) => !/^ +\$ /u.test(line)).map(displayColumns);
    expect(Math.max(...columns)).toBeLessThanOrEqual(Math.max(60, Math.min(120, width || 80)));
  });
});

test.each([
  ["passed", resultOf()],
  ["failed", failed],
  ["mixed", mixed],
  ["everything", everyOutcome],
])("colours change nothing but colours: %s", (_name, result) => {
  const coloured = renderTerminal(result, { ...plain, colour: true });
  expect(coloured).not.toBe(withoutStyles(coloured));
  expect(
    withoutStyles(coloured)
      .split("\n")
      .map((line) => line.trimEnd()),
  ).toEqual(renderTerminal(result, plain).split("\n"));
});

test("the most severe comes last: warnings, then failures, then the outcome", () => {
  const verdicts = withVerdict("two-fields", { outcome: "failed", findings: [commentFinding], moreFindings: 0 }).concat(
    {
      ...sampleRules[10]!,
      verdict: { outcome: "warned", findings: [commentFinding], moreFindings: 0 },
    },
  );
  const text = renderTerminal(resultOf({ verdicts }), plain);
  const places = ["~ warned", "✗ failed", "✗ FAILED"].map((mark) => text.indexOf(mark));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});
