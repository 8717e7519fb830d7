import type { RuleId } from "@assay/contract";
import { allRules } from "../index.ts";
import { judgedBy } from "./judge-streams.ts";
import type { ExchangeSketch } from "./judge-streams.ts";
import { doneEvent, toRuleReport, wireEvent } from "./stream-report.ts";
import type { RuleReport } from "./stream-report.ts";

/** Returns a line match in the format of the API. */
export const lineMatch = (lineNumber: unknown, line: unknown = `line ${String(lineNumber)}`): unknown => ({
  line,
  lineNumber,
  offsetAndLengths: [[0, 4]],
});

/** Returns a line match without marks. Some instances send context lines in this form. */
export const contextLine = (lineNumber: number, line: string): unknown => ({ line, lineNumber, offsetAndLengths: [] });

const inFile = (path: string): object => ({
  type: "content",
  path,
  repositoryID: 1,
  repository: "a/repository",
  hunks: null,
});

/** Returns a content match with line matches. A number means a line with that number. */
export const linesIn = (path: string, lines: readonly unknown[]): object => ({
  ...inFile(path),
  lineMatches: lines.map((line) => (typeof line === "number" ? lineMatch(line) : line)),
});

/** Returns a content match with chunk matches. */
export const chunksIn = (path: string, texts: readonly unknown[]): object => ({
  ...inFile(path),
  chunkMatches: texts.map((context) => ({ context, ranges: [] })),
});

/** Returns a match of a path. */
export const pathMatch = (path: string): object => ({ type: "path", repository: "a/repository", path });

/** Returns one line match in each of `count` files. */
export const files = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => linesIn(`file-${index}`, [1]));

/** The parts of a search result that a test needs. */
export interface FoundSketch {
  readonly matches?: readonly unknown[];
  readonly matchCount?: unknown;
  readonly repositoriesCount?: unknown;
  readonly skipped?: unknown;
  /** Events before the matches. */
  readonly before?: string;
}

/** The skip reason of a search that stopped at a limit. */
export const limitHit = [{ reason: "shard-match-limit", title: "", message: "", severity: "info" }];

/** Returns the stream of a search. */
export const found = ({
  matches = [],
  matchCount = matches.length,
  repositoriesCount = 1,
  skipped = [],
  before = "",
}: FoundSketch): string =>
  [
    before,
    wireEvent("matches", matches),
    wireEvent("progress", { done: true, matchCount, durationMs: 1, skipped, repositoriesCount }),
    doneEvent,
  ].join("");

/** Returns a search with its result. */
export const search = (
  query: Readonly<Record<string, string>>,
  result: FoundSketch = {},
  more: Partial<ExchangeSketch> = {},
): ExchangeSketch => ({ query: { q: "words", ...query }, body: found(result), ...more });

/** Returns the report of one rule about these searches. */
export function reportOf(id: RuleId, sketches: readonly ExchangeSketch[]): RuleReport {
  const rules = allRules.filter((rule) => rule.id === id);
  return toRuleReport(judgedBy(rules, sketches).outcomes.get(id));
}

/** Describes the report of a rule in one word. A violation without an observation is a bug of the rule. */
export function describeReport(id: RuleId, sketches: readonly ExchangeSketch[]): string {
  const { observations, violations, notes } = reportOf(id, sketches);
  const words: readonly (readonly [string, boolean])[] = [
    ["a violation without an observation", violations.length > 0 && observations === 0],
    ["broken", violations.length > 0],
    ["holds with a note", notes.length > 0 && observations > 0],
    ["a note without an observation", notes.length > 0],
    ["holds", observations > 0],
  ];
  return words.find(([, applies]) => applies)?.[0] ?? "not observed";
}

/** Searches by the expected report, then by name. */
type SearchesByReport = Readonly<Record<string, Readonly<Record<string, readonly ExchangeSketch[]>>>>;

/** Returns the rows of a table, for `test.each`. */
export const rowsOf = (table: SearchesByReport) =>
  Object.entries(table).flatMap(([is, named]) =>
    Object.entries(named).map(([name, searches]) => ({ name, searches, is })),
  );
