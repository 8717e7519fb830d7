import { type LoadResult, printableJson } from "@assay/results";
import { bannerLines, incompleteLines } from "../banner-lines.ts";
import { painted, verdictWords } from "../outcome-words.ts";
import { type Page, pageOf, type PageOptions } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { stacked, terminalText } from "../terminal-text.ts";
import { wrapIndented } from "../wrap-text.ts";
import { comparisonLines } from "./comparison-lines.ts";
import { comparisonWords } from "./load-words.ts";
import { loadHeaderLines } from "./load-header-lines.ts";
import { canaryLines, contractLines, outcomeLines } from "./observed-lines.ts";
import { timingLines } from "./timing-lines.ts";
import { thresholdLines, trustLines } from "./trust-lines.ts";

/** Options of `renderLoad`. */
export interface LoadPageOptions extends PageOptions {
  /** Whether conditions that hold have their own line too [false]. */
  readonly verbose?: boolean;
  /** Where the files of the run are, shown in the last line, and where its page is. */
  readonly folder?: string;
  readonly report?: string;
}

const kneeLines = ({ knee }: LoadResult, { columns, paint }: Page): readonly string[] =>
  knee === undefined ? [] : [paint.bold("Knee"), ...wrapIndented(shownText(knee.sentence), { columns, indent: 2 })];

const shownLeft = 10;

const cleanUpLines = ({ cleanUp }: LoadResult, page: Page): readonly string[] => {
  if (cleanUp === undefined || (cleanUp.created === 0 && cleanUp.left.length === 0)) {
    return [];
  }
  const { created, removed, left } = cleanUp;
  const { sign } = left.length === 0 ? verdictWords.passed : verdictWords.warned;
  const more = left.length - shownLeft;
  const within = { columns: page.columns, indent: 2, hanging: 4 };
  return [
    page.paint.bold("Clean-up"),
    painted(sign, `  ${sign} ${created} conversations made, ${removed} removed, ${left.length} left`, page),
    ...left.slice(0, shownLeft).flatMap((what) => wrapIndented(`left: ${shownText(what)}`, within)),
    ...(more > 0 ? [`  and ${more} more; \`assay cleanup\` removes what can be removed`] : []),
  ];
};

/** What a run that is not red says of its comparison: that nothing was decided must not look like success. */
const comparisonBanner = ({ comparison }: LoadResult, page: Page): readonly string[] => {
  if (comparison === undefined) {
    return [];
  }
  const { sign, word } = comparisonWords[comparison.verdict];
  // The summary of a comparison begins with its verdict.
  const why = shownText(comparison.summary).replace(`${word}: `, "");
  return wrapIndented(`${sign} comparison ${word}: ${why}`, {
    columns: page.columns,
    indent: 0,
    hanging: 2,
  }).map((line) => painted(sign, line, page));
};

const endedEarly = ({ complete }: LoadResult, page: Page): readonly string[] =>
  complete
    ? []
    : wrapIndented("? The run ended early; what was recorded until then is stored, and is all that is shown", {
        columns: page.columns,
        indent: 0,
        hanging: 2,
      }).map((line) => painted("?", line, page));

/** Reasons that no condition of trust has told already. */
const otherReasons = ({ incomplete, trust }: LoadResult): LoadResult["incomplete"] =>
  incomplete.filter(({ message }) => !trust.checks.some(({ sentence }) => sentence === message));

/** A load run for people at a terminal. Most severe last, where the eye is, then the outcome with its exit code. */
export const renderLoad = (result: LoadResult, options: LoadPageOptions): string => {
  const page = pageOf(options);
  const verbose = options.verbose ?? false;
  return terminalText(
    stacked([
      loadHeaderLines(result, page),
      timingLines(result, page),
      outcomeLines(result, page),
      kneeLines(result, page),
      result.comparison === undefined ? [] : comparisonLines(result.comparison, page),
      thresholdLines(result.thresholds, page),
      cleanUpLines(result, page),
      canaryLines(result, { page, runFolder: options.folder }),
      trustLines(result, { page, verbose }),
      contractLines(result, page),
      endedEarly(result, page),
      incompleteLines(otherReasons(result), page),
      [...bannerLines(result, options, page), ...comparisonBanner(result, page)],
    ]),
  );
};

/** `load.json`: the result itself, in the published schema. */
export const renderLoadJson = (result: LoadResult): string =>
  `${printableJson(JSON.stringify(result, undefined, 2))}\n`;
