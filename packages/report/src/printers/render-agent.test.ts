import * as fc from "fast-check";
import { howMany } from "@assay/config/proving";
import { expect, test } from "vitest";
import { anyRunResult } from "../testing/arbitrary-run-result.ts";
import { commentFinding, resultOf, withVerdict } from "../testing/sample-results.ts";
import { renderAgent } from "./render-agent.ts";

const options = { folder: "reports/runs/x" };
const last = 'files=reports/runs/x explain="assay explain reports/runs/x RULE"\n';

test("a run that is well is two lines", () => {
  expect(renderAgent(resultOf(), options)).toMatch(
    new RegExp(`^verdict=passed exit=0 passed=\\d+[^\\n]* proven=\\d+\\n${last.replaceAll("?", "[?]")}$`, "u"),
  );
});

test("a violation is a line for each of its first findings, with its place", () => {
  const findings = [commentFinding, { ...commentFinding, exchange: "0004", event: 2, offset: 17 }] as const;
  const verdicts = withVerdict("two-fields", { outcome: "failed", findings, moreFindings: 40 });
  const lines = renderAgent(resultOf({ verdicts }), options).split("\n");
  expect(lines[0]).toMatch(/^verdict=failed exit=1 .*\bfailed=1\b/u);
  expect(lines).toContain("failed stream/two-fields exchange=0004 event=2 offset=17: a comment line");
  expect(lines).toContain("failed stream/two-fields: and 40 more");
});

test("a run in which nothing was judged says why, once", () => {
  const reason = { code: "unreachable", message: "the connection was refused" } as const;
  const verdicts = withVerdict("two-fields", { outcome: "not-observed" }).map((rule) => ({
    ...rule,
    verdict: { outcome: "not-observed" } as const,
  }));
  const lines = renderAgent(resultOf({ verdicts, incomplete: [reason] }), options)
    .trimEnd()
    .split("\n");
  expect(lines.slice(1, -1)).toEqual(["incomplete unreachable: the connection was refused"]);
});

test("whatever a result holds, each line is one that was meant", () => {
  fc.assert(
    fc.property(anyRunResult, (result) => {
      const lines = renderAgent(result, options).trimEnd().split("\n");
      const kinds = lines.map((line) => line.split(/[ =]/u)[0]);
      expect([kinds[0], kinds.at(-1)]).toEqual(["verdict", "files"]);
      expect(lines.every((line) => /^\P{Cc}*$/u.test(line))).toBe(true);
      expect(lines[0]).toContain(` exit=${result.exitCode} `);
    }),
    { numRuns: howMany(40, 300) },
  );
});
