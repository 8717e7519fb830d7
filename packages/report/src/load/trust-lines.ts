import type { LoadResult, LoadThreshold, TrustCheck } from "@assay/results";
import { sizeOf } from "../counted.ts";
import { painted } from "../outcome-words.ts";
import type { Page } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { wrapIndented } from "../wrap-text.ts";
import { conditionWords } from "./load-words.ts";
import { msText, shareText } from "./shown-number.ts";

/** A threshold with what was measured, one clause. */
export const thresholdSentence = ({ threshold, valueMs, valueFraction, ok }: LoadThreshold): string => {
  const value = valueFraction === undefined ? `${msText(valueMs)} ms` : shareText(valueFraction, 2);
  const measured = ok === undefined ? "too few samples to say" : value;
  return `${shownText(threshold, "name")}: ${measured}`;
};

/** The absolute limits of the run, each with what was measured. */
export const thresholdLines = (thresholds: readonly LoadThreshold[], page: Page): readonly string[] =>
  thresholds.length === 0
    ? []
    : [
        page.paint.bold("Thresholds"),
        ...thresholds.flatMap((threshold) => {
          const { sign, word } = conditionWords(threshold.ok);
          const text = `${sign} ${word}  ${thresholdSentence(threshold)}`;
          return wrapIndented(text, { columns: page.columns, indent: 2, hanging: 4 }).map((line) =>
            painted(sign, line, page),
          );
        }),
      ];

const checkLines = ({ check, ok, sentence }: TrustCheck, page: Page): readonly string[] => {
  const { sign } = conditionWords(ok);
  return wrapIndented(`${sign} ${shownText(check, "name")}: ${shownText(sentence)}`, {
    columns: page.columns,
    indent: 2,
    hanging: 4,
  }).map((line) => painted(sign, line, page));
};

/** The machine that made the load, and how much of it was used, one clause. */
export const generatorText = ({ generator, environment }: LoadResult): string => {
  const machine = `${shownText(environment.cpuModel, "name")}, ${environment.cores} cores, k6 ${shownText(environment.k6Version, "name")}`;
  if (generator === undefined) {
    return machine;
  }
  const { cpuSeconds, wallSeconds, cores, maxRssBytes } = generator;
  const share = cpuSeconds / Math.max(0.001, wallSeconds * cores);
  return `${machine}; k6 used ${shareText(share)} of the processor and ${sizeOf(maxRssBytes)}`;
};

/**
 * Whether the figures mean something: in one line where all is well, else with every condition that is not met or could not
 * be checked.
 */
export const trustLines = (
  result: LoadResult,
  { page, verbose }: { page: Page; verbose: boolean },
): readonly string[] => {
  const { checks, valid } = result.trust;
  const { columns, paint } = page;
  const shown = verbose ? checks : checks.filter(({ ok }) => ok !== true);
  const met = checks.filter(({ ok }) => ok === true).length;
  const { sign } = conditionWords(valid);
  const heading = valid
    ? `${sign} The figures can be trusted: ${met} of ${checks.length} conditions were checked and hold`
    : `${sign} The figures cannot be trusted, so nothing is said about speed`;
  return [
    ...wrapIndented(heading, { columns, indent: 0, hanging: 2 }).map((line) => painted(sign, paint.bold(line), page)),
    ...shown.flatMap((check) => checkLines(check, page)),
    ...wrapIndented(generatorText(result), { columns, indent: 2, hanging: 4 }).map(paint.dim),
  ];
};
