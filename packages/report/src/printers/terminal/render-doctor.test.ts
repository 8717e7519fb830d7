import { stripVTControlCharacters } from "node:util";
import type { DoctorCheck, DoctorReport } from "@assay/results";
import { describe, expect, test } from "vitest";
import { countDisplayColumns } from "./display-columns.ts";
import { renderDoctorAgent } from "./render-agent.ts";
import { renderDoctor, renderDoctorJson } from "./render-doctor.ts";

const missing = { found: "not requested, or not answered", advice: "fix what is found above, then ask again" };

const checks: readonly DoctorCheck[] = [
  { id: "reachable", status: "fine", found: "connected to search.example.com in 12 ms" },
  { id: "certificate", status: "not-applicable", found: "plain HTTP has no certificate" },
  { id: "front", status: "note", found: "nginx (server: nginx/1.27)", advice: "look there" },
  { id: "own-token", status: "could-not-tell", found: "none was given", advice: "give one" },
  {
    id: "buffering",
    status: "problem",
    found:
      "held back: 3 of 3: by its own clock, the target created the stream over 2010 ms, but it arrived within 1 ms",
    advice: "nginx: `proxy_buffering off;` in the location of /.api/search/stream",
  },
];

const report = (others: Partial<DoctorReport> = {}): DoctorReport => ({
  schemaVersion: 1,
  tool: { name: "assay", version: "1.2.3" },
  target: "https://search.example.com",
  embedded: false,
  startedAt: "2026-05-04T12:00:00.000Z",
  query: "test",
  requests: 1,
  checks,
  outcome: "failed",
  exitCode: 1,
  summary: "look at: buffering",
  ...others,
});

const plain = { colour: false, width: 80 };

test("the short form has one line for the outcome and for each check with advice", () => {
  const [first, ...others] = renderDoctorAgent(report()).trimEnd().split("\n");
  expect(first).toBe("✗ verdict=failed exit=1 fine=1 note=1 problem=1 could-not-tell=1 not-applicable=1");
  expect(others.slice(0, 2)).toEqual([
    "note front: nginx (server: nginx/1.27); look there",
    "could-not-tell own-token: none was given; give one",
  ]);
  expect(others).toHaveLength(3);
});

/** The printed text of the three checks with advice. */
const advice = `                            → look there

Access
  ? valid token             unknown: none was given
                            → give one

Streaming
  ✗ buffering               problem: held back: 3 of 3: by its own clock, the
                            target created the stream over 2010 ms, but it
                            arrived within 1 ms
                            → nginx: \`proxy_buffering off;\` in the location of
                              /.api/search/stream
`;

test("problems, notes and unknowns have a line, and the other checks are counted", () => {
  expect(renderDoctor(report(), plain)).toBe(`assay 1.2.3 doctor · https://search.example.com
1 request, none of them a question; searched for "test"

Connection
  ~ proxy in front          note: nginx (server: nginx/1.27)
${advice}
1 other check passed, 1 not applicable (--verbose lists them)

${"─".repeat(80)}
✗ FAILED  exit code 1
look at: buffering
`);
});

test("a report without problems counts unknowns, and has no ✓", () => {
  const unknown = checks.filter(({ status }) => status !== "problem");
  const passed = { outcome: "passed", exitCode: 0, checks: unknown } as const;
  const out = renderDoctor(report(passed), plain);
  expect(out).toContain("\n? NO PROBLEM FOUND, 1 UNKNOWN  exit code 0\n");
  expect(out).not.toContain("✓");
  const known = unknown.filter(({ status }) => status !== "could-not-tell");
  expect(renderDoctor(report({ ...passed, checks: known }), plain)).toContain("\n✓ PASSED  exit code 0\n");
});

test("verbose has one line for each check with sign, title and result, and the advice below", () => {
  expect(renderDoctor(report(), { ...plain, verbose: true })).toBe(`assay 1.2.3 doctor · https://search.example.com
1 request, none of them a question; searched for "test"

Connection
  ✓ reachable               connected to search.example.com in 12 ms
  - certificate             not applicable: plain HTTP has no certificate
  ~ proxy in front          note: nginx (server: nginx/1.27)
${advice}
${"─".repeat(80)}
✗ FAILED  exit code 1
look at: buffering
`);
});

test("checks that could not be made for one reason are together at the end", () => {
  const unasked = (["redirects", "clock", "scopes"] as const).map(
    (id) => ({ id, status: "could-not-tell", ...missing }) as const,
  );
  const out = renderDoctor(report({ checks: [...checks, ...unasked] }), { ...plain, verbose: true });
  expect(out).toContain(`/.api/search/stream

  ? redirects, clock, scopes
    unknown: not requested, or not answered
    → fix what is found above, then ask again

───`);
});

describe("the report", () => {
  test.each([60, 72, 80, 100, 120])("of %i columns has no longer line", (width) => {
    const lines = renderDoctor(report(), { colour: false, width, verbose: true }).split("\n");
    expect(lines.filter((line) => countDisplayColumns(line) > width)).toEqual([]);
  });

  test("has the same text in colour", () => {
    const coloured = renderDoctor(report(), { colour: true, width: 80 });
    expect(coloured).not.toBe(renderDoctor(report(), plain));
    expect(stripVTControlCharacters(coloured)).toBe(renderDoctor(report(), plain));
  });

  test("has no control characters and no commands", () => {
    const evil: DoctorCheck = { id: "clock", status: "fine", found: "::error::x\u001b[2J\r\u202e##[error]y" };
    const out = renderDoctor(report({ checks: [evil], target: "https://x\u001b]8;;\u0007" }), {
      ...plain,
      verbose: true,
    });
    expect(["\u001b", "\r", "\u0007", "\u202e", "##["].filter((hidden) => out.includes(hidden))).toEqual([]);
    expect(out).not.toMatch(/^\s*::error/mu);
  });
});

test("is its own JSON", () => {
  expect(JSON.parse(renderDoctorJson(report()))).toEqual(report());
});
