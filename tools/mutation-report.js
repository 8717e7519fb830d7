import { belongsToPart, findPart } from "./mutated-parts.js";

/**
 * The results of mutation testing, as numbers and as text. They do not depend on the day, the machine or the order in which
 * mutants were tested, except that a mutant killed on a fast machine may time out on a slow one.
 *
 * @typedef {{ line: number, column: number }} Position
 * @typedef {{ mutatorName: string, replacement?: string, status: string, location: { start: Position, end: Position } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: readonly Mutant[] }>, testFiles?: Record<string, unknown> }} StrykerReport
 *
 * A mutant that no test detected. `line` and `original` are the source text of its line and of the replaced code, with white
 * space collapsed and truncated. They identify the mutant even if lines above it are added or removed.
 * @typedef {{ file: string, line: string, original: string, mutator: string, replacement: string }} Identity
 * @typedef {Identity & { at: string, covered: boolean }} Survivor
 *
 * Reasons why survivors are acceptable: `equivalent` mutants do not change observable behaviour, `accepted` mutants change behaviour
 * that is not guaranteed.
 * `alike` groups survivors with the same reason: those of one part and one mutator whose `original` and `line`
 * match these patterns. They count as survivors in the score.
 * @typedef {{ package: string, mutator: string, line?: string, original?: string }} Alike
 * @typedef {{ kind: "equivalent" | "accepted", reason: string, mutants?: readonly Identity[], alike?: Alike }} Review
 * @typedef {Survivor & { kind: string, reason: string, alike?: Alike }} Reviewed
 *
 * Mutants excluded by the settings are `ignored`, and mutants that could not be run are `errors`. Neither is in the score.
 * @typedef {{ mutants: number, killed: number, timeout: number, survived: number, noCoverage: number, ignored: number, errors: number, score: number }} Counts
 * @typedef {Counts & { name: string, files: readonly (Counts & { file: string })[], reviewed: readonly Reviewed[] }} PackageSummary
 */

/** A package fails if it detects a lower percentage of mutants. */
export const minimumScore = 90;

const maxLength = 120;

/** @param {string} text */
const shorten = (text) => text.replaceAll(/\s+/gu, " ").trim().slice(0, maxLength);

/**
 * @param {string} left
 * @param {string} right
 */
const compareText = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

/**
 * Counts the outcomes. Mutants that were not or could not be run are counted separately and excluded from the score.
 * @param {readonly Mutant[]} mutants
 * @returns {Counts}
 */
export function countOutcomes(mutants) {
  /** @param {readonly string[]} statuses */
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed");
  const timeout = count("Timeout");
  const survived = count("Survived");
  const noCoverage = count("NoCoverage");
  const validCount = killed + timeout + survived + noCoverage;
  const score = validCount === 0 ? 100 : Math.floor(((killed + timeout) / validCount) * 10_000) / 100;
  return {
    mutants: validCount,
    killed,
    timeout,
    survived,
    noCoverage,
    ignored: count("Ignored"),
    errors: count("CompileError", "RuntimeError"),
    score,
  };
}

/**
 * @param {string} source
 * @param {{ start: Position, end: Position }} location Both counted from 1; the end is after the last character.
 */
function getTextAt(source, { start, end }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const lastIndex = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === lastIndex ? end.column - 1 : line.length),
    )
    .join("\n");
}

/**
 * Returns all mutants that no test detected, sorted by file and position.
 * @param {StrykerReport} report
 * @returns {readonly Survivor[]}
 */
export function listSurvivors({ files }) {
  return Object.entries(files)
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([file, { source, mutants }]) =>
      mutants
        .filter(({ status }) => status === "Survived" || status === "NoCoverage")
        .map(({ location, mutatorName, replacement, status }) => ({
          start: location.start,
          survivor: {
            file,
            at: `${file}:${location.start.line}:${location.start.column}`,
            line: shorten(source.split("\n")[location.start.line - 1] ?? ""),
            original: shorten(getTextAt(source, location)),
            mutator: mutatorName,
            replacement: shorten(replacement ?? ""),
            covered: status === "Survived",
          },
        }))
        .sort(
          (a, b) =>
            a.start.line - b.start.line ||
            a.start.column - b.start.column ||
            compareText(createMutantKey(a.survivor), createMutantKey(b.survivor)),
        )
        .map(({ survivor }) => survivor),
    );
}

/**
 * Returns the test files without an executed test, in order. A file that cannot be loaded fails without a failing test. Stryker continues
 * without it and, because the first failure ends a run, without the files after it.
 * @param {StrykerReport} report
 * @param {readonly string[]} files
 */
export const findSilentTestFiles = ({ testFiles = {} }, files) =>
  files.filter((file) => !Object.hasOwn(testFiles, file)).toSorted(compareText);

/** @param {Identity} identity */
const createMutantKey = ({ file, line, original, mutator, replacement }) =>
  JSON.stringify([file, line, original, mutator, replacement]);

/**
 * @param {Alike} alike
 * @param {Identity} survivor
 */
const matchesAlike = ({ mutator, line = "", original = "" }, survivor) =>
  survivor.mutator === mutator &&
  new RegExp(line, "u").test(survivor.line) &&
  new RegExp(original, "u").test(survivor.original);

/**
 * Matches survivors with reviews. A review of the mutant itself takes precedence over one of similar mutants. Reviews of a different
 * part are ignored.
 * @param {string} name Name of the part.
 * @param {readonly Survivor[]} survivors
 * @param {readonly Review[]} reviews
 * @returns {{ reviewed: readonly Reviewed[], unreviewed: readonly Survivor[], stale: readonly (Identity | Alike)[] }}
 */
export function reviewSurvivors(name, survivors, reviews) {
  const entries = reviews.flatMap(({ kind, reason, mutants = [] }) =>
    mutants
      .filter(({ file }) => belongsToPart(name, file))
      .map((mutant) => ({ key: createMutantKey(mutant), kind, reason, mutant })),
  );
  const patterns = reviews.flatMap(({ kind, reason, alike }) =>
    alike?.package === name ? [{ kind, reason, alike }] : [],
  );
  const reviewsByKey = new Map(entries.map((entry) => [entry.key, entry]));
  const survivorKeys = new Set(survivors.map(createMutantKey));
  const matches = survivors.map((survivor) => ({
    survivor,
    review: reviewsByKey.get(createMutantKey(survivor)) ?? patterns.find(({ alike }) => matchesAlike(alike, survivor)),
  }));
  return {
    reviewed: matches.flatMap(({ survivor, review }) => {
      if (review === undefined) {
        return [];
      }
      const { kind, reason } = review;
      return [{ ...survivor, kind, reason, ...("alike" in review ? { alike: review.alike } : {}) }];
    }),
    unreviewed: matches.flatMap(({ survivor, review }) => (review === undefined ? [survivor] : [])),
    stale: [
      ...entries.filter(({ key }) => !survivorKeys.has(key)).map(({ mutant }) => mutant),
      ...patterns.filter((pattern) => !matches.some(({ review }) => review === pattern)).map(({ alike }) => alike),
    ],
  };
}

/**
 * @param {string} name Name of the part.
 * @param {StrykerReport} report
 * @param {readonly Reviewed[]} reviewed
 * @returns {PackageSummary}
 */
export function summarise(name, { files }, reviewed) {
  const fileSummaries = Object.entries(files)
    .map(([file, { mutants }]) => ({
      file: file.replace(`packages/${findPart(name).package}/`, ""),
      ...countOutcomes(mutants),
    }))
    .filter(({ mutants, ignored, errors }) => mutants + ignored + errors > 0)
    .sort((left, right) => compareText(left.file, right.file));
  const totals = countOutcomes(Object.values(files).flatMap(({ mutants }) => mutants));
  return { name, ...totals, files: fileSummaries, reviewed };
}

/** @param {string} text */
const formatCode = (text) => {
  const escaped = text.replaceAll("|", "\\|");
  return text.includes("`") ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
};

/** @param {Counts & { label: string }} counts */
const formatRow = ({ label, mutants, killed, timeout, survived, noCoverage, ignored, score }) =>
  `| ${label} | ${mutants} | ${killed} | ${timeout} | ${survived} | ${noCoverage} | ${ignored} | ${score.toFixed(2)} |`;

/** @param {readonly string[]} rows */
const formatTable = (first, rows) => [
  `| ${first} | mutants | killed | timed out | survived | not covered | not run | score in % |`,
  "| --- | --- | --- | --- | --- | --- | --- | --- |",
  ...rows,
];

/** @param {Alike} alike */
const formatAlike = ({ mutator, line, original }) =>
  [
    ` (reviewed together: ${mutator}`,
    ...(original === undefined ? [] : [` of ${formatCode(original)}`]),
    ...(line === undefined ? [] : [` in lines with ${formatCode(line)}`]),
    ")",
  ].join("");

/** @param {PackageSummary} summary */
function formatSurvivors({ reviewed }) {
  return [...new Set(reviewed.map(({ kind, reason, alike }) => JSON.stringify([kind, reason, alike])))].flatMap(
    (group) => {
      const [kind, reason, alike] = JSON.parse(group);
      const mutants = reviewed.filter((mutant) => JSON.stringify([mutant.kind, mutant.reason, mutant.alike]) === group);
      return [
        `- ${kind}: ${reason}${alike === null ? "" : formatAlike(alike)}`,
        ...mutants.map(
          ({ at, mutator, original, replacement }) =>
            `  - ${at}, ${mutator}: ${formatCode(original)} becomes ${replacement === "" ? "nothing" : formatCode(replacement)}`,
        ),
      ];
    },
  );
}

/**
 * Formats the report as Markdown.
 * @param {readonly PackageSummary[]} summaries
 */
export function formatReport(summaries) {
  return [
    "# Mutation testing of the judges",
    "",
    "Written by `npm run mutate`; the same in numbers is in `mutation.json` beside this file. Every operator, condition,",
    "literal and block of the packages that decide is changed, one at a time, and the tests of the package are run: a change",
    "that no test notices has survived. Each survivor is looked at, and stands below with the reason why it may survive;",
    `one without a reason fails the run, as do a reason without its survivor and a score below ${minimumScore} %. The score is`,
    "the share of mutants killed or timed out; survivors count against it, those that change nothing and those that are",
    "reviewed together included.",
    "",
    "Of the rules the static mutants are not run: those in code that is evaluated while a module loads, such as the ids of",
    "rules, constants, patterns, and the texts and tables that rules are defined with. One cannot be switched on for a",
    "single test, so each would need a run of all tests. They are counted as not run, and are not in the score. Lists of",
    "names (`index.ts`, `all-rules.ts`) and the tools of tests (`testing/`) are not mutated.",
    "",
    ...formatTable(
      "package",
      summaries.map((summary) => formatRow({ ...summary, label: summary.name })),
    ),
    ...summaries.flatMap((summary) => [
      "",
      `## ${summary.name}`,
      "",
      ...formatTable(
        "file",
        summary.files.map((counts) => formatRow({ ...counts, label: counts.file })),
      ),
      ...(summary.reviewed.length === 0 ? [] : ["", "Survivors, and why:", "", ...formatSurvivors(summary)]),
    ]),
    "",
  ].join("\n");
}
