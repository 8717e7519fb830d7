import * as fc from "fast-check";
import { repetitions } from "@assay/tools/proving";
import { expect, test } from "vitest";
import { anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { sampleChange } from "../../testing/sample-timelines.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { renderAgent, renderCheckAgent } from "./render-agent.ts";

const options = { folder: "reports/runs/x" };
const last = 'files=reports/runs/x explain="npx assay explain reports/runs/x RULE"';

test("a run that passed is one line, and a second one with changes", () => {
  const line = "✓ verdict=passed exit=0 passed=12 confirmed=0 files=reports/runs/x\n";
  expect(renderAgent(resultOf(), options)).toBe(line);
  const { change } = { change: { ...sampleChange, sentence: "nothing changed since run A" } };
  expect(renderAgent(resultOf(), { ...options, change })).toBe(`${line}changed: nothing changed since run A\n`);
});

test("recordings have one line for each file, with findings below", () => {
  const findings = [{ ...commentFinding, exchange: "0004" }] as const;
  const verdicts = withVerdict("two-fields", { outcome: "failed", findings, moreFindings: 0 });
  const checked = [
    { file: "good.sse", result: resultOf() },
    { file: "bad.sse", result: resultOf({ verdicts }) },
  ];
  const lines = renderCheckAgent(checked).trimEnd().split("\n");
  expect(lines[0]).toBe("✓ verdict=passed exit=0 passed=12 confirmed=0 file=good.sse");
  expect(lines[1]).toMatch(/^✗ verdict=failed exit=1 .* file=bad\.sse$/u);
  expect(lines.slice(2)).toEqual([
    expect.stringMatching(/^failed stream\/two-fields exchange=0004 .*: a comment line$/u),
  ]);
});

test("a run in which nothing was judged has its reason once", () => {
  const reason = { code: "unreachable", message: "the connection was refused" } as const;
  const verdicts = withVerdict("two-fields", { outcome: "not-tested" }).map((rule) => ({
    ...rule,
    verdict: { outcome: "not-tested" } as const,
  }));
  const lines = renderAgent(resultOf({ verdicts, incomplete: [reason] }), options)
    .trimEnd()
    .split("\n");
  expect(lines.at(-1)).toBe(last);
  expect(lines.slice(1, -1)).toEqual(["incomplete unreachable: the connection was refused"]);
});

test("text of a result cannot add a line", () => {
  fc.assert(
    fc.property(anyRunResult, (result) => {
      const lines = renderAgent(result, options).trimEnd().split("\n");
      expect([lines[0]?.slice(2, 10), /(?:^| )files=/u.test(lines.at(-1) ?? "")]).toEqual(["verdict=", true]);
      expect(lines.every((line) => /^\P{Cc}*$/u.test(line))).toBe(true);
      expect(lines[0]).toContain(` exit=${result.exitCode} `);
    }),
    { numRuns: repetitions(40, 300) },
  );
});
