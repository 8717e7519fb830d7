import { arrivalSentence, loadWords, runDetails, targetSentence } from "../../document/load-facts.ts";
import { judgementSection, loadJudgementSection } from "../../document/load-judgement-section.ts";
import { type LoadJudgement, type LoadResult, printableJson } from "@assay/results";
import { bannerLines } from "./banner-lines.ts";
import { comparisonSection } from "../../document/comparison-section.ts";
import {
  canarySection,
  cleanUpSection,
  contractSection,
  endedEarlySection,
  kneeSection,
  loadRequestsSection,
  thresholdsSection,
  timingsSection,
  trustSection,
  warningSection,
} from "../../document/load-sections.ts";
import { knownFailureSections } from "../../document/load-known-sections.ts";
import { hasComparisonHeadline, findLoadHeadline, describeLoad } from "../../document/load-headline.ts";
import { comparisonWords } from "../../document/load-words.ts";
import { incompleteSection } from "../../document/run-sections.ts";
import { paintBySign } from "../../document/outcome-words.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { terminalSection } from "./print-terminal.ts";
import { shownText } from "../../document/shown-text.ts";
import { joinBlocks, terminalText } from "./terminal-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** Options of `renderLoad`. */
export interface LoadPageOptions extends TerminalLayoutOptions {
  /** Whether conditions that passed are printed too. Default: false. */
  readonly verbose?: boolean;
  /** The folder of the run, which is printed in the last line. */
  readonly folder?: string;
  readonly report?: string;
}

/** Returns lines with version, target, scenario, arrivals and run. */
const headerLines = (result: LoadResult, { columns, paint }: TerminalLayout): readonly string[] => [
  ...wrapText(
    `assay ${shownText(result.tool.version, "name")} · ${shownText(targetSentence(result), "command")}`,
    columns,
  ).map(paint.bold),
  ...wrapText(shownText(arrivalSentence(result.plan)), columns).map(paint.dim),
  ...wrapText(shownText(runDetails(result).join(" · ")), columns).map(paint.dim),
];

/** Formats the speed, or the comparison with its sign. */
const headlineLines = (result: LoadResult, layout: TerminalLayout): readonly string[] => {
  const sign = hasComparisonHeadline(result) ? comparisonWords[result.comparison.verdict].sign : undefined;
  return findLoadHeadline(result).flatMap((line) =>
    wrapIndented(`${sign === undefined ? "" : `${sign} `}${shownText(line, "summary")}`, {
      columns: layout.columns,
      indent: 0,
      hanging: 2,
    }).map((text) => layout.paint.bold(sign === undefined ? text : paintBySign(sign, text, layout))),
  );
};

/** Returns the reasons that are not printed as a failed condition. */
const otherReasons = ({ incomplete, trust }: LoadResult): LoadResult["incomplete"] =>
  incomplete.filter(({ message }) => !trust.checks.some(({ sentence }) => sentence === message));

/** Renders a load run for a terminal, with the most severe parts last, followed by the outcome and exit code. */
export const renderLoad = (result: LoadResult, options: LoadPageOptions): string => {
  const layout = createTerminalLayout(options);
  const verbose = options.verbose ?? false;
  return terminalText(
    joinBlocks([
      headerLines(result, layout),
      terminalSection(warningSection(result), layout),
      ...[
        timingsSection(result),
        loadRequestsSection(result),
        kneeSection(result),
        ...(result.comparison === undefined ? [] : [comparisonSection(result.comparison)]),
        thresholdsSection(result),
        cleanUpSection(result),
        canarySection(result, options.folder),
        trustSection(result, verbose),
        loadJudgementSection(result, verbose),
        ...knownFailureSections(result),
        contractSection(result),
        endedEarlySection(result),
        incompleteSection(otherReasons(result)),
      ].map((section) => terminalSection(section, layout)),
      bannerLines({ ...result, words: loadWords(result), headlines: headlineLines(result, layout) }, options, layout),
    ]),
  );
};

/** Renders a load on one line: outcome, figures and summary. */
export const renderLoadLine = (result: LoadResult): string => {
  const { sign, word } = loadWords(result);
  return terminalText([`${sign} ${word.toUpperCase()} ${shownText(describeLoad(result), "summary")}`]);
};

/** Renders the verdicts on the exchanges of a load for a terminal. */
export const renderLoadJudgement = (judgement: LoadJudgement, options: TerminalLayoutOptions): string =>
  terminalText(
    joinBlocks(
      [
        judgementSection({ judgement }, { hasCanary: undefined, showUntested: true }),
        ...knownFailureSections({ judgement }),
      ].map((section) => terminalSection(section, createTerminalLayout(options))),
    ),
  );

/** Renders `load.json`, in the published schema. */
export const renderLoadJson = (result: LoadResult): string =>
  `${printableJson(JSON.stringify(result, undefined, 2))}\n`;
