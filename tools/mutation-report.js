import { findPart } from "./mutated-parts.js";

/**
 * The results of mutation testing, as numbers and as text. They depend on the seed of the sample, and not on the day, the machine or the
 * order in which mutants were tested, except that a mutant killed on a fast machine may time out on a slow one.
 *
 * @typedef {{ line: number, column: number }} Position
 * @typedef {{ mutatorName: string, replacement?: string, status: string, location: { start: Position, end: Position } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: readonly Mutant[] }>, testFiles?: Record<string, unknown> }} StrykerReport
 *
 * A mutant that no test detected: its place, the source text that it replaces, with white space collapsed and truncated, and what
 * replaces it. `isCovered`: a test ran the code.
 * @typedef {{ at: string, original: string, mutator: string, replacement: string, isCovered: boolean }} Survivor
 *
 * Percentages, rounded down, and the interval in which the score of all mutants lies with 95 % certainty.
 * @typedef {{ score: number, atLeast: number, atMost: number }} Score
 *
 * @typedef {{ name: string, oneIn: number, mutants: number, killed: number, timeout: number, survived: number, noCoverage: number } & Score & { survivors: readonly Survivor[] }} PartSummary
 */

const maxLength = 120;

/** @param {string} text */
const shorten = (text) => text.replaceAll(/\s+/gu, " ").trim().slice(0, maxLength);

/**
 * @param {string} left
 * @param {string} right
 */
const compareText = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

const floorPercent = (/** @type {number} */ share) => Math.floor(share * 10_000) / 100;

/**
 * Returns the share of detected mutants, with Wilson's interval for the share among all mutants that the sample stands for.
 * @param {number} detected
 * @param {number} tested
 * @returns {Score}
 */
export function computeScore(detected, tested) {
  if (tested === 0) {
    return { score: 100, atLeast: 0, atMost: 100 };
  }
  // The standard normal distribution has 95 % of its values within this distance of its middle.
  const z = 1.96;
  const share = detected / tested;
  const middle = share + z ** 2 / (2 * tested);
  const halfWidth = z * Math.sqrt((share * (1 - share)) / tested + z ** 2 / (4 * tested ** 2));
  const scale = 1 + z ** 2 / tested;
  const score = floorPercent(share);
  // Rounding must not put an end of the interval on the wrong side of the score.
  return {
    score,
    atLeast: Math.max(0, Math.min(score, floorPercent((middle - halfWidth) / scale))),
    atMost: Math.max(score, floorPercent((middle + halfWidth) / scale)),
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
        .sort(
          (left, right) =>
            left.location.start.line - right.location.start.line ||
            left.location.start.column - right.location.start.column ||
            compareText(left.replacement ?? "", right.replacement ?? ""),
        )
        .map(({ location, mutatorName, replacement, status }) => ({
          at: `${file}:${location.start.line}:${location.start.column}`,
          original: shorten(getTextAt(source, location)),
          mutator: mutatorName,
          replacement: shorten(replacement ?? ""),
          isCovered: status === "Survived",
        })),
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

/**
 * Summarises the mutants that were tested. Those outside the sample, static ones and those that could not be run are not counted.
 * @param {string} name Name of the part.
 * @param {StrykerReport} report
 * @param {number} oneIn One mutant in this number was tested.
 * @returns {PartSummary}
 */
export function summarise(name, report, oneIn) {
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  const count = (/** @type {string} */ expected) => mutants.filter(({ status }) => status === expected).length;
  const killed = count("Killed");
  const timeout = count("Timeout");
  const survived = count("Survived");
  const noCoverage = count("NoCoverage");
  const tested = killed + timeout + survived + noCoverage;
  const score = computeScore(killed + timeout, tested);
  const survivors = listSurvivors(report);
  return { name, oneIn, mutants: tested, killed, timeout, survived, noCoverage, ...score, survivors };
}

/** @param {string} text */
const formatCode = (text) => {
  const escaped = text.replaceAll("|", "\\|");
  return text.includes("`") ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
};

/** @param {PartSummary} summary */
const formatRow = ({ name, oneIn, mutants, killed, timeout, survived, noCoverage, score, atLeast, atMost }) =>
  `| ${name} | ${oneIn} | ${mutants} | ${killed} | ${timeout} | ${survived} | ${noCoverage} | ${score.toFixed(2)} | ${atLeast.toFixed(1)} to ${atMost.toFixed(1)} | ${findPart(name).minimumScore} |`;

/** @param {Survivor} survivor */
export const formatSurvivor = ({ at, mutator, original, replacement, isCovered }) =>
  `- ${at}, ${mutator}: ${formatCode(original)} becomes ${replacement === "" ? "nothing" : formatCode(replacement)}${isCovered ? "" : " (no test runs it)"}`;

/**
 * Formats the report as Markdown.
 * @param {readonly PartSummary[]} summaries
 * @param {string} seed
 */
export function formatReport(summaries, seed) {
  return [
    "# Mutation testing of the code that judges",
    "",
    `\`npm run mutate\` changes one operator, condition, literal or block at a time and runs the tests of the part. A change that no test`,
    `notices has survived. The score is the share of changes that a test noticed, or that ran until the time limit. There are tens of`,
    `thousands of changes, so each part tests a random sample (seed ${seed}), and the table shows the interval in which the score of all`,
    `changes lies with 95 % certainty. A run fails if that interval is below the minimum. Some survivors change nothing that can be observed;`,
    "they count against the score like the others.",
    "",
    "Code that runs while a module loads is left out: ids, constants, patterns, texts and tables. Each such change would need a run of all tests.",
    "",
    "| part | one in | tested | killed | timed out | survived | not covered | score in % | 95 % interval | minimum |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...summaries.map(formatRow),
    ...summaries.flatMap(({ name, survivors }) =>
      survivors.length === 0 ? [] : ["", `## Survivors in ${name}`, "", ...survivors.map(formatSurvivor)],
    ),
    "",
  ].join("\n");
}
