import { readFileSync } from "node:fs";
import { renderKillMatrix } from "@assay/report";
import type { KillMatrixRow } from "@assay/report";
import { describe, expect, test } from "vitest";
import type { FaultRow } from "./fault-rows.ts";

/**
 * The rows that a test run tries, in their order: all of them when it proves; else for each rule the first fault that
 * attacks it, as it is, and every fifth of those that attack none.
 */
export function triedRows(rows: readonly FaultRow[], isProving: boolean): readonly FaultRow[] {
  const plain = rows.filter(({ isDefault }) => isDefault);
  const attacks = plain.map(({ fault }) => fault.attacks);
  const firstAttacks = plain.filter(({ fault }, index) => attacks.indexOf(fault.attacks) === index);
  const others = plain.filter(({ fault }) => fault.attacks === undefined);
  const some = new Set([...firstAttacks, ...others.filter((_, index) => index % 5 === 0)]);
  return rows.filter((row) => isProving || some.has(row));
}

interface PublishedMatrix {
  readonly isProving: boolean;
  /** Name of the file in `reports/`. */
  readonly file: string;
  /** Every row of the whole, in order. */
  readonly rows: readonly FaultRow[];
  /** What the rows that were tried came to; complete when the tests of this description begin. */
  readonly found: ReadonlyMap<FaultRow, KillMatrixRow>;
  readonly ruleIds: readonly string[];
  /** Whether a row came to what it has to come to. */
  readonly isRight: (row: FaultRow, found: KillMatrixRow) => boolean;
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
export function describePublishedMatrix({ isProving, file, rows, found, ruleIds, isRight }: PublishedMatrix): void {
  describe("the published matrix, which `npm run kill-matrix` writes anew", () => {
    const published = new URL(`../../../../reports/${file}`, import.meta.url);
    const foundRows = (): readonly KillMatrixRow[] => rows.flatMap((row) => found.get(row) ?? []);

    test.runIf(isProving)("is what was found", async () => {
      // Looked at first: what is red is never written.
      const wrong = rows.filter((row) => {
        const one = found.get(row);
        return one === undefined || !isRight(row, one);
      });
      expect(wrong.map(({ text }) => text)).toEqual([]);
      await expect(renderKillMatrix(foundRows(), ruleIds)).toMatchFileSnapshot(published.pathname);
    });

    test("says of each fault that was run what was found", () => {
      const lines = new Set(faultRowsOf(readFileSync(published, "utf8")).map(steadyPart));
      const tried = faultRowsOf(renderKillMatrix(foundRows()));
      expect(tried).toHaveLength(found.size);
      expect(tried.filter((line) => !lines.has(steadyPart(line)))).toEqual([]);
    });

    test("has a row for each further choice of a fault, and each is killed", () => {
      const faults = faultRowsOf(readFileSync(published, "utf8"));
      expect([faults.length, faults.some((line) => line.includes("it survives"))]).toEqual([rows.length, false]);
    });
  });
}
