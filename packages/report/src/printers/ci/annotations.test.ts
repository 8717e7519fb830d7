import { repetitions } from "@assay/tools/proving";
import type { RunResult } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyLoadResult } from "../../testing/arbitrary-load-result.ts";
import { anyRunResult, anyText } from "../../testing/arbitrary-run-result.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { commentFinding, resultOf, sampleRules, withVerdict } from "../../testing/sample-results.ts";
import { renderAnnotations } from "./annotations.ts";
import { formatWorkflowCommand } from "./workflow-command.ts";

const annotationsOf = (result: RunResult): string => renderAnnotations({ runs: [{ result }], loads: [] });
const failed = { outcome: "failed", findings: [commentFinding], moreFindings: 0 } as const;

/** Commands as the GitHub runner parses them, one for each line. */
const commandsIn = (text: string) =>
  text
    .split(/\r\n|\r|\n/u)
    .slice(0, -1)
    .map(
      (line) => /^::(?<kind>[^ :]+) title=(?<title>[^:,]*)::(?<message>[^]*)$/u.exec(line)?.groups ?? { kind: line },
    );

test("an incomplete run is an error with its outcome as the title", () => {
  const reason = { code: "unreachable", message: "refused" } as const;
  expect(annotationsOf(resultOf({ incomplete: [reason], verdicts: sampleRules }))).toMatch(
    /^::error title=Assay%3A incomplete::incomplete, exit code 3: /mu,
  );
});

test.each([10, 11, 25])("%i failures have at most ten lines, and the last one counts the rest", (count) => {
  const verdicts = sampleRules
    .slice(0, 1)
    .flatMap((rule) =>
      Array.from({ length: count }, (_, index) => ({ ...rule, rule: `stream/rule-${index}`, verdict: failed })),
    );
  const lines = annotationsOf(resultOf({ verdicts }))
    .split("\n")
    .filter((line) => line.startsWith("::error"));
  const last = count > 10 ? `::and ${count - 9} more; ` : "::error title=stream/rule-9::";
  expect([lines.length, lines.at(-1)]).toEqual([10, expect.stringContaining(last)]);
});

test("a rule has one annotation for all its findings, operations and runs", () => {
  const often = { ...failed, findings: [commentFinding, commentFinding] as const, moreFindings: 7 };
  const verdicts = withVerdict("two-fields", often).flatMap((rule) => [rule, { ...rule, operation: "other" }]);
  const one = resultOf({ verdicts });
  const other = { ...one, run: { ...one.run, target: "https://other.test" } };
  const lines = renderAnnotations({ runs: [{ result: one }, { result: other }], loads: [] }).split("\n");
  expect(lines.filter((line) => line.startsWith("::error"))).toEqual([
    "::error title=stream/two-fields::a comment line (and 35 more findings)%0Ahttp://127.0.0.1:3080, https://other.test",
  ]);
  expect(lines.filter((line) => line.startsWith("::notice"))).toHaveLength(2);
});

describe("text of a target", () => {
  const attacks = [
    ...hostileStrings,
    "\n::set-output name=x::y",
    "::stop-commands::t",
    "%0A::error::x",
    "a,b:c%\r\n::x::",
  ];

  test.each(attacks.map((text) => [text.slice(0, 40), text] as const))(
    "does not end its command: %j",
    (_name, text) => {
      const line = formatWorkflowCommand("error", { title: text, message: text });
      expect(commandsIn(line).map(({ kind }) => kind)).toEqual(["error"]);
      expect(line).not.toMatch(/##\[|%(?!25|0D|0A|3A|2C)/iu);
    },
  );

  test("is never a command, and there is an error if and only if the exit code is not 0", () => {
    fc.assert(
      fc.property(anyRunResult, anyLoadResult, (run, load) => {
        for (const [text, exitCode] of [
          [annotationsOf(run), run.exitCode],
          [renderAnnotations({ runs: [], loads: [load] }), load.exitCode],
        ] as const) {
          const kinds = commandsIn(text).map(({ kind }) => kind);
          expect(kinds.filter((kind) => !["error", "warning", "notice"].includes(kind ?? ""))).toEqual([]);
          expect(kinds.includes("error")).toBe(exitCode !== 0);
          expect(text).not.toMatch(/##\[/u);
        }
      }),
      { numRuns: repetitions(20, 80) },
    );
  });

  test("is unescaped by the runner to the original text", () => {
    const undone = (text: string) =>
      text
        .replaceAll("%3A", ":")
        .replaceAll("%2C", ",")
        .replaceAll("%0D", "\r")
        .replaceAll("%0A", "\n")
        .replaceAll("%25", "%");
    fc.assert(
      fc.property(anyText, (text) => {
        const [command] = commandsIn(formatWorkflowCommand("notice", { title: text, message: "" }));
        expect(undone(command?.["title"] ?? "").replaceAll("\u200B", "")).toBe(text.replaceAll("\u200B", ""));
      }),
    );
  });
});
