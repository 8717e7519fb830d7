import { ruleCatalogue } from "@assay/contract";
import { renderKillMatrix } from "@assay/report";
import type { KillMatrixRow } from "@assay/report";
import { exitCodeOf as exitCodeOfOutcome } from "@assay/results";
import type { RunResult } from "@assay/results";
import { describe, expect, test, inject } from "vitest";
import type { RunOptions } from "../run/run-options.ts";
import { type FaultRow, oneForEachKey } from "./fault-rows.ts";
import { readFileSync } from "node:fs";

interface PublishedMatrix extends Pick<TriedMatrix, "isProvingAll" | "file" | "rows" | "ruleIds" | "wrongWith"> {
  /** Results of the tested rows; complete before the tests of this description begin. */
  readonly found: ReadonlyMap<FaultRow, FoundRow>;
}

const [faults, rules] = ["## Faults", "## Rules"] as const;

const linesOf = (page: string): readonly string[] => page.split("\n");

/** The lines of the table of faults. */
const faultLinesOf = (page: string): readonly string[] =>
  linesOf(page.split(rules)[0] ?? "").filter((line) => line.startsWith("| `"));

/**
 * A row without its other failed rules, exit code and notes, which depend on arrival times: they vary with the number of polls during
 * the fault and with the deadline. The test of each row checks them.
 */
const steadyPart = (line: string): string => line.split(" | ").slice(0, 4).join(" | ");

/** A row of the table of rules, without the other faults that make the rule fail as well. */
const withoutAlso = (line: string): string => line.split(" | ").slice(0, 3).join(" | ");

/** The part of a page that does not depend on time: its sum, the result of each fault, and the faults that each rule kills and misses. */
function steadyPage(page: string): readonly string[] {
  const [before = "", after = ""] = page.split(rules);
  return [
    ...linesOf(before.split(faults)[0] ?? ""),
    ...faultLinesOf(page).map((line) => steadyPart(line)),
    ...linesOf(after).map((line) => withoutAlso(line)),
  ];
}

/** Compares the published page with the results. Only `--update` writes it. */
function describePublishedMatrix({ isProvingAll, file, rows, found, ruleIds, wrongWith }: PublishedMatrix): void {
  describe("the published matrix (update it with `npm run kill-matrix`)", () => {
    const published = new URL(`../../../../reports/${file}`, import.meta.url);
    const isWritten = isProvingAll && inject("isUpdating");
    const foundRows = (): readonly KillMatrixRow[] => rows.flatMap((row) => found.get(row) ?? []);
    const foundPage = (): string => renderKillMatrix(foundRows(), ruleIds);
    // The file is complete when all tests have ended.
    const publishedPage = (): string => (isWritten ? foundPage() : readFileSync(published, "utf8"));

    // Checked first: failed or partial results are never written.
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

    test.runIf(isProvingAll && !isWritten)("is what was found", () => {
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

/** A kill matrix to test: the faults, how to run one, and the expected result. */
export interface TriedMatrix {
  /** Whether every row is tested, so that the page can be published or compared. */
  readonly isProvingAll: boolean;
  /** What a run has to send so that a fault shows: a proof that leaves rows out tries one fault for each. */
  readonly keysOf: (row: FaultRow) => readonly string[];
  /** Name of the published page in `reports/`. */
  readonly file: string;
  /** All rows, in order. */
  readonly rows: readonly FaultRow[];
  readonly ruleIds: readonly string[];
  /** The result of `assay serve --fault X` and then `assay run`, with further options. */
  readonly show: (row: FaultRow, tried: Tried, options?: Partial<RunOptions>) => Promise<FoundRow>;
  /** Options with which a rule alone is likely to see a fault that attacks it, the least work first. */
  readonly narrow: (rule: string) => readonly Partial<RunOptions>[];
  /** Whether a fault that attacks a rule is shown to all rules at once, and not first to that rule alone. */
  readonly isForAll: (row: FaultRow) => boolean;
  /** Whether a fault is a permitted choice that the rule it names only records [none is]. */
  readonly isChoice?: (row: FaultRow) => boolean;
  /** Whether a rule detects a fault by arrival times. Such rows run alone, because a busy machine reads too late. Default: none. */
  readonly isTimed?: (row: FaultRow) => boolean;
  /** The problem of a tested row, as a clause; undefined if it has the expected result. */
  readonly wrongWith: (row: FaultRow, found: FoundRow) => string | undefined;
}

/** The result of a row, and why its run is incomplete, for a message about an unexpected result. */
export interface FoundRow extends KillMatrixRow {
  readonly incomplete: RunResult["incomplete"];
}

/** How a run ended, and why no better. */
export const endOf = ({ exitCode, incomplete }: FoundRow): string =>
  [`it ended with ${exitCode}`, ...incomplete.map(({ message }) => message)].join(": ");

/** One try of a row. */
export interface Tried {
  /** A name for its files. */
  readonly out: string;
  /** Whether nothing was detected before. Then the server is slower, so that more polls see the fault. */
  readonly isAgain: boolean;
}

/** The expected outcome of a violation: failed, or warned if it is not promised. A new value is neither. */
const exitCodes: Readonly<Record<string, number>> = { stated: 1, schema: 1, derived: 1, inferred: 0, observed: 0 };
const basisOf = new Map<string, string>(ruleCatalogue.map(({ id, basis }) => [id, basis]));

/** The exit code of a run in which only this rule fails; 0 if none does. */
export const exitCodeOf = (rule: string): number => exitCodes[basisOf.get(rule) ?? ""] ?? 0;

const maxTries = 3;

/** The exit code of a run that learned too little. */
const incompleteCode = exitCodeOfOutcome("incomplete");

/**
 * Runs rows. A fault that attacks no rule, and the rows of the published matrix, run against all rules. Others first run against the attacked
 * rule alone, which needs few calls, and against all rules only if it does not detect them.
 */
function trying(matrix: TriedMatrix) {
  const { isForAll, isChoice = () => false, narrow, show, wrongWith } = matrix;
  const found = new Map<FaultRow, FoundRow>();

  async function shown(row: FaultRow, { out, isAgain }: Tried, attacks: string): Promise<FoundRow> {
    for (const [index, options] of (isForAll(row) ? [] : narrow(attacks)).entries()) {
      const one = await show(row, { out: `${out}-alone-${index}`, isAgain }, options);
      if (one.failedRules.includes(attacks)) {
        return one;
      }
    }
    return show(row, { out, isAgain });
  }

  /**
   * A row is tested again if its fault was not detected or its run is incomplete: on a busy machine a poll may miss an answer that takes
   * a quarter of a second. A fault that no rule detects survives every time.
   */
  async function tried(row: FaultRow, tries = maxTries): Promise<FoundRow> {
    const how = { out: `${matrix.rows.indexOf(row)}-${tries}`, isAgain: tries < maxTries };
    const { attacks } = row.fault;
    const isMutant = attacks !== undefined && !isChoice(row);
    const one = isMutant ? await shown(row, how, attacks) : await show(row, how);
    const isUnseen = isMutant && !one.failedRules.includes(attacks);
    const isIncomplete = one.exitCode === incompleteCode && wrongWith(row, one) !== undefined;
    if ((isUnseen || isIncomplete) && tries > 1) {
      return tried(row, tries - 1);
    }
    found.set(row, one);
    return one;
  }

  return { found, tried };
}

/** Tests of a kill matrix: every rule has a mutant, each tested row has its expected result, and the page shows it. */
export function describeKillMatrix(matrix: TriedMatrix): void {
  const { isChoice = () => false, isTimed = () => false, wrongWith } = matrix;
  const rows = matrix.isProvingAll ? matrix.rows : oneForEachKey(matrix.rows, matrix.keysOf);
  const { found, tried } = trying(matrix);
  const isMutant = (row: FaultRow): boolean => row.fault.attacks !== undefined && !isChoice(row);
  const isLegal = (row: FaultRow): boolean => row.fault.kind === "legal";
  const isBroken = ({ fault }: FaultRow): boolean => fault.kind === "transport";
  const groups = [
    { name: "a mutant", says: "is killed by $attacks and by no other rule", has: isMutant },
    { name: "a permitted choice", says: "is recorded and breaks nothing", has: isChoice },
    { name: "a legal variation", says: "makes no rule speak", has: isLegal },
    { name: "a broken exchange", says: "is never green", has: isBroken },
  ].map(({ name, says, has }) => ({
    name,
    says,
    cases: rows.filter((row) => has(row)).map((row) => ({ row, text: row.text, attacks: row.fault.attacks ?? "" })),
  }));
  const groupsOf = (timed: boolean): typeof groups =>
    groups
      .map((group) => ({ ...group, cases: group.cases.filter(({ row }) => isTimed(row) === timed) }))
      .filter(({ cases }) => cases.length > 0);

  const wrong = async (row: FaultRow): Promise<string | undefined> => wrongWith(row, await tried(row));

  test("a mutant exists for every rule", () => {
    const attacked = new Set(matrix.rows.filter((row) => isMutant(row)).map(({ fault }) => fault.attacks));
    expect(matrix.ruleIds.filter((id) => !attacked.has(id))).toEqual([]);
  });

  test("each row that is tried is of a kind that is looked at", () => {
    const looked = new Set(groups.flatMap(({ cases }) => cases.map(({ row }) => row)));
    expect(rows.filter((row) => !looked.has(row)).map(({ text }) => text)).toEqual([]);
  });

  describe.each(groupsOf(true))("by its times, $name", ({ says, cases }) => {
    test.each(cases)(`$text ${says}`, async ({ row }) => {
      expect(await wrong(row)).toBeUndefined();
    });
  });
  describe.concurrent.each(groupsOf(false))("$name", ({ says, cases }) => {
    test.each(cases)(`$text ${says}`, async ({ row }) => {
      expect(await wrong(row)).toBeUndefined();
    });
  });

  describePublishedMatrix({ ...matrix, found });
}
