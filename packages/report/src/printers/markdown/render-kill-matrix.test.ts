import { repetitions } from "@assay/tools/proving";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type KillMatrixRow, renderKillMatrix } from "./render-kill-matrix.ts";
import { anyText } from "../../testing/arbitrary-run-result.ts";
import { hiddenCharacters } from "../../testing/styles.ts";

const rows: readonly KillMatrixRow[] = [
  { fault: "comment", parameters: {}, attacks: "stream/two-fields", failedRules: ["stream/two-fields"], exitCode: 1 },
  {
    fault: "stall",
    parameters: { seconds: 3, at: "end" },
    attacks: "stream/done-is-last",
    failedRules: ["stream/two-fields", "stream/data-is-json", "stream/two-fields"],
    exitCode: 3,
    notes: "the time is up before `done` comes | see #1",
  },
  {
    fault: "late",
    parameters: {},
    attacks: "stream/done-is-last",
    failedRules: ["stream/zzz", "stream/done-is-last", "stream/aaa"],
    exitCode: 1,
  },
  { fault: "legal", parameters: {}, failedRules: [], exitCode: 0 },
  { fault: "odd", parameters: {}, failedRules: ["stream/two-fields"], exitCode: 99 },
];

test("a table of faults with their results, and one of rules with their mutants", () => {
  expect(renderKillMatrix(rows, ["stream/two-fields", "stream/done-is-last", "stream/lonely"])).toBe(`\
# Kill matrix

3 mutants of 2 rules, 2 killed, 1 surviving, 4 rules without a mutant, 2 faults that attack no rule.

## Faults

| Fault | Parameters | Attacks | Killed by | Also failed | Ended | Notes |
|---|---|---|---|---|---|---|
| \`comment\` | – | \`stream/two-fields\` | \`stream/two-fields\` | – | failed (1) |  |
| \`stall\` | \`at=end\`, \`seconds=3\` | \`stream/done-is-last\` | **nothing: it survives** | \`stream/data-is-json\`, \`stream/two-fields\` | incomplete (3) | the time is up before \`done\` comes &#124; see &#35;\u200B1 |
| \`late\` | – | \`stream/done-is-last\` | \`stream/done-is-last\` | \`stream/aaa\`, \`stream/zzz\` | failed (1) |  |
| \`legal\` | – | – | – | – | passed (0) |  |
| \`odd\` | – | – | – | \`stream/two-fields\` | 99 |  |

## Rules

| Rule | Mutants it kills | Mutants it misses | Also fails at |
|---|---|---|---|
| \`stream/two-fields\` | \`comment\` | – | \`stall at=end seconds=3\`, \`odd\` |
| \`stream/done-is-last\` | \`late\` | \`stall at=end seconds=3\` | – |
| \`stream/lonely\` | **none** | – | – |
| \`stream/aaa\` | **none** | – | \`late\` |
| \`stream/data-is-json\` | **none** | – | \`stall at=end seconds=3\` |
| \`stream/zzz\` | **none** | – | \`late\` |
`);
});

test("without rows there are two empty tables", () => {
  expect(renderKillMatrix([])).toContain(
    "0 mutants of 0 rules, 0 killed, 0 surviving, 0 rules without a mutant, 0 faults that attack no rule.\n",
  );
});

test("one of each is counted in the singular", () => {
  expect(renderKillMatrix([rows[0]!, rows[3]!], ["stream/two-fields", "stream/lonely"])).toContain(
    "1 mutant of 1 rule, 1 killed, 0 surviving, 1 rule without a mutant, 1 fault that attacks no rule.\n",
  );
});

test("does not depend on the order of parameters and of failed rules", () => {
  const turned = rows.map((row) => ({
    ...row,
    parameters: Object.fromEntries(Object.entries(row.parameters).reverse()),
    failedRules: row.failedRules.toReversed(),
  }));
  expect(renderKillMatrix(turned)).toBe(renderKillMatrix(rows));
});

const anyRow: fc.Arbitrary<KillMatrixRow> = fc.record(
  {
    fault: anyText,
    parameters: fc.dictionary(anyText, fc.oneof(anyText, fc.integer()), { maxKeys: 2 }),
    attacks: anyText,
    failedRules: fc.array(anyText, { maxLength: 3 }),
    exitCode: fc.constantFrom(0, 1, 3, 70),
    notes: anyText,
  },
  { requiredKeys: ["fault", "parameters", "failedRules", "exitCode"] },
);

/** Number of cells of a table line by the rules of GitHub: split at every bar without a backslash before it. */
const cellsOf = (line: string): number => line.split(/(?<!\\)\|/u).length - 2;

test("no text ends a cell, a line or a code span", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 4 }), (some) => {
      const text = renderKillMatrix(some);
      const lines = text.split("\n");
      const rules = lines.indexOf("## Rules");
      const cells = lines.map((line) => (line.startsWith("|") ? cellsOf(line) : 0));
      expect(new Set(cells.slice(0, rules))).toEqual(new Set([0, 7]));
      expect(new Set(cells.slice(rules))).toEqual(new Set([0, 4]));
      expect(cells.slice(0, rules).filter((count) => count === 7)).toHaveLength(some.length + 2);
      expect(hiddenCharacters(text)).toEqual([]);
      expect(text).not.toContain("\\|");
      const outside = text.replaceAll(/(?<!`)(?<ticks>`+)(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)/gu, "");
      expect(/[<[\]~$\\]|@(?!\u200B)|:\/\/|www\./u.exec(outside)).toBeNull();
    }),
    { numRuns: repetitions(50, 200) },
  );
});
