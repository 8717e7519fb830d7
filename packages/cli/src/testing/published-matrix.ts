import { readFileSync } from "node:fs";
import { renderKillMatrix } from "@assay/report";
import type { KillMatrixRow } from "@assay/report";
import { describe, expect, test } from "vitest";
import type { FaultRow } from "./fault-rows.ts";

/**
 * Each fault is run as it is; of the further choices of faults every eighth, all of them with `ASSAY_KILL_MATRIX=all`, as
 * `npm run kill-matrix` does, which writes what is published.
 */
const isWhole = process.env["ASSAY_KILL_MATRIX"] === "all";

/** The rows that this test run tries, in their order. */
export function triedRows(rows: readonly FaultRow[]): readonly FaultRow[] {
  const further = rows.filter(({ isDefault }) => !isDefault);
  return rows.filter((row) => isWhole || row.isDefault || further.indexOf(row) % 8 === 0);
}

interface PublishedMatrix {
  /** Name of the file in `reports/`. */
  readonly file: string;
  /** Filled before the tests run. */
  readonly matrix: readonly KillMatrixRow[];
  readonly ruleIds: readonly string[];
  /** How many rows the whole has. */
  readonly rowCount: number;
}

/** The lines of the table of faults. */
const faultRowsOf = (page: string): readonly string[] =>
  (page.split("## Rules")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));

/**
 * A row without what the schemas said, and without how the run ended, which may hang on that: whether a schema's rule saw the
 * answer that another rule saw depends on how many polls fell into the moment, and on which rules the run was asked for.
 */
function steadyPart(line: string): string {
  const [fault, parameters, attacks, killedBy, also = "", , ...rest] = line.split(" | ");
  const others = also.split(", ").filter((rule) => rule !== "–" && !rule.includes("/responses-fit-openapi`"));
  return [fault, parameters, attacks, killedBy, others.join(", "), ...rest].join(" | ");
}

/** Holds what is published to what was found. */
export function describePublishedMatrix({ file, matrix, ruleIds, rowCount }: PublishedMatrix): void {
  describe("the published matrix, which `npm run kill-matrix` writes anew", () => {
    const published = new URL(`../../../../reports/${file}`, import.meta.url);

    test.runIf(isWhole)("is what was found", async () => {
      await expect(renderKillMatrix(matrix, ruleIds)).toMatchFileSnapshot(published.pathname);
    });

    test("says of each fault that was run what was found", () => {
      const lines = new Set(faultRowsOf(readFileSync(published, "utf8")).map(steadyPart));
      const found = faultRowsOf(renderKillMatrix(matrix));
      expect(found).toHaveLength(matrix.length);
      expect(found.filter((line) => !lines.has(steadyPart(line)))).toEqual([]);
    });

    test("has a row for each further choice of a fault, and each is killed", () => {
      const faults = faultRowsOf(readFileSync(published, "utf8"));
      expect([faults.length, faults.some((line) => line.includes("it survives"))]).toEqual([rowCount, false]);
    });
  });
}
