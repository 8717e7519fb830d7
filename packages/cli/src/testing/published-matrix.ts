import { readFileSync } from "node:fs";
import { renderKillMatrix } from "@assay/report";
import type { KillMatrixRow } from "@assay/report";
import { describe, expect, inject, test } from "vitest";
import type { FaultRow } from "./fault-rows.ts";
import type { FoundRow, TriedMatrix } from "./tried-matrix.ts";

interface PublishedMatrix extends Pick<TriedMatrix, "isProving" | "file" | "rows" | "ruleIds" | "wrongWith"> {
  /** What the rows that were tried came to; complete when the tests of this description begin. */
  readonly found: ReadonlyMap<FaultRow, FoundRow>;
}

const [faults, rules] = ["## Faults", "## Rules"] as const;

const linesOf = (page: string): readonly string[] => page.split("\n");

/** The lines of the table of faults. */
const faultLinesOf = (page: string): readonly string[] =>
  linesOf(page.split(rules)[0] ?? "").filter((line) => line.startsWith("| `"));

/**
 * A row without what else spoke, how the run ended and what was noted, which hang on when an answer came: which other rule saw it
 * too depends on how many polls fell into the moment, and what breaks may be met by the deadline. All of that is held for each row
 * by itself.
 */
const steadyPart = (line: string): string => line.split(" | ").slice(0, 4).join(" | ");

/** A row of the table of rules, without the faults at which the rule speaks as well. */
const withoutAlso = (line: string): string => line.split(" | ").slice(0, 3).join(" | ");

/** All of a page that does not hang on when an answer came: its sum, what each fault came to, what each rule kills and misses. */
function steadyPage(page: string): readonly string[] {
  const [before = "", after = ""] = page.split(rules);
  return [
    ...linesOf(before.split(faults)[0] ?? ""),
    ...faultLinesOf(page).map((line) => steadyPart(line)),
    ...linesOf(after).map((line) => withoutAlso(line)),
  ];
}

/** Holds what is published to what was found. Only `--update` writes it. */
export function describePublishedMatrix({ isProving, file, rows, found, ruleIds, wrongWith }: PublishedMatrix): void {
  describe("the published matrix, which `npm run kill-matrix` writes anew", () => {
    const published = new URL(`../../../../reports/${file}`, import.meta.url);
    const isWritten = isProving && inject("isUpdating");
    const foundRows = (): readonly KillMatrixRow[] => rows.flatMap((row) => found.get(row) ?? []);
    const foundPage = (): string => renderKillMatrix(foundRows(), ruleIds);
    // What is written is in its file when all tests have ended.
    const publishedPage = (): string => (isWritten ? foundPage() : readFileSync(published, "utf8"));

    // Looked at before: what is red is never written, nor is a part of the whole.
    const wrongRows = (): readonly string[] =>
      rows
        .filter((row) => {
          const one = found.get(row);
          return one === undefined || wrongWith(row, one) !== undefined;
        })
        .map(({ text }) => text);

    test.runIf(isWritten)("is written", async () => {
      expect(wrongRows()).toEqual([]);
      await expect(foundPage()).toMatchFileSnapshot(published.pathname);
    });

    test.runIf(isProving && !isWritten)("is what was found", () => {
      expect(wrongRows()).toEqual([]);
      expect(steadyPage(foundPage())).toEqual(steadyPage(publishedPage()));
    });

    test("says of each fault that was run what was found", () => {
      const lines = new Set(faultLinesOf(publishedPage()).map((line) => steadyPart(line)));
      const tried = faultLinesOf(renderKillMatrix(foundRows()));
      expect(tried).toHaveLength(found.size);
      expect(tried.filter((line) => !lines.has(steadyPart(line)))).toEqual([]);
    });

    test("has a row for each further choice of a fault, and each is killed", () => {
      const lines = faultLinesOf(publishedPage());
      expect([lines.length, lines.some((line) => line.includes("it survives"))]).toEqual([rows.length, false]);
    });
  });
}
