import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { countDisplayColumns } from "./display-columns.ts";
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
      verdict: { outcome: "blocked", blockedBy: "prerequisite", missing: "no OAuth token is set" },
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
    const columns = lines.filter((line) => !/^ +\$ /u.test(line)).map(countDisplayColumns);
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
