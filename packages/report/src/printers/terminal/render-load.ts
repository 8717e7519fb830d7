import { describeArrival, getLoadWords, listRunDetails, describeTarget } from "../../document/load-facts.ts";
import { createJudgementSection, createLoadJudgementSection } from "../../document/load-judgement-section.ts";
import { type LoadJudgement, type LoadResult, printableJson } from "@assay/results";
import { renderBannerLines } from "./banner-lines.ts";
import { createComparisonSection } from "../../document/comparison-section.ts";
import {
  createCanarySection,
  createCleanUpSection,
  createContractSection,
  createEndedEarlySection,
  createKneeSection,
  createLoadRequestsSection,
  createThresholdsSection,
  createTimingsSection,
  createTrustSection,
  createWarningSection,
} from "../../document/load-sections.ts";
import { createKnownFailureSections } from "../../document/load-known-sections.ts";
import { hasComparisonHeadline, findLoadHeadline, describeLoad } from "../../document/load-headline.ts";
import { comparisonWords } from "../../document/load-words.ts";
import { createIncompleteSection } from "../../document/run-sections.ts";
import { paintBySign } from "../../document/outcome-words.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { renderTerminalSection } from "./print-terminal.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** Options of `renderLoad`. */
export interface LoadPageOptions extends TerminalLayoutOptions {
  /** Whether conditions that passed are printed too. Default: false. */
  readonly verbose?: boolean;
  /** The folder of the run, which is printed in the last line. */
  readonly folder?: string;
  /** The path of its page. */
  readonly report?: string;
}

/** Returns lines with version, target, scenario, arrivals and run. */
const renderHeaderLines = (result: LoadResult, { columns, paint }: TerminalLayout): readonly string[] => [
  ...wrapText(
    `assay ${escapeForDisplay(result.tool.version, "name")} · ${escapeForDisplay(describeTarget(result), "command")}`,
    columns,
  ).map(paint.bold),
  ...wrapText(escapeForDisplay(describeArrival(result.plan)), columns).map(paint.dim),
  ...wrapText(escapeForDisplay(listRunDetails(result).join(" · ")), columns).map(paint.dim),
];

/** Formats the speed, or the comparison with its sign. */
const renderHeadlineLines = (result: LoadResult, layout: TerminalLayout): readonly string[] => {
  const sign = hasComparisonHeadline(result) ? comparisonWords[result.comparison.verdict].sign : undefined;
  return findLoadHeadline(result).flatMap((line) =>
    wrapIndented(`${sign === undefined ? "" : `${sign} `}${escapeForDisplay(line, "summary")}`, {
      columns: layout.columns,
      indent: 0,
      hanging: 2,
    }).map((text) => layout.paint.bold(sign === undefined ? text : paintBySign(sign, text, layout))),
  );
};

/** Returns the reasons that are not printed as a failed condition. */
const listOtherReasons = ({ incomplete, trust }: LoadResult): LoadResult["incomplete"] =>
  incomplete.filter(({ message }) => !trust.checks.some(({ sentence }) => sentence === message));

/** Renders a load run for a terminal, with the most severe parts last, followed by the outcome and exit code. */
export const renderLoad = (result: LoadResult, options: LoadPageOptions): string => {
  const layout = createTerminalLayout(options);
  const verbose = options.verbose ?? false;
  return joinTerminalLines(
    joinBlocks([
      renderHeaderLines(result, layout),
      renderTerminalSection(createWarningSection(result), layout),
      ...[
        createTimingsSection(result),
        createLoadRequestsSection(result),
        createKneeSection(result),
        ...(result.comparison === undefined ? [] : [createComparisonSection(result.comparison)]),
        createThresholdsSection(result),
        createCleanUpSection(result),
        createCanarySection(result, options.folder),
        createTrustSection(result, verbose),
        createLoadJudgementSection(result, verbose),
        ...createKnownFailureSections(result),
        createContractSection(result),
        createEndedEarlySection(result),
        createIncompleteSection(listOtherReasons(result)),
      ].map((section) => renderTerminalSection(section, layout)),
      renderBannerLines(
        { ...result, words: getLoadWords(result), headlines: renderHeadlineLines(result, layout) },
        options,
        layout,
      ),
    ]),
  );
};

/** Renders a load on one line: outcome, figures and summary. */
export const renderLoadLine = (result: LoadResult): string => {
  const { sign, word } = getLoadWords(result);
  return joinTerminalLines([`${sign} ${word.toUpperCase()} ${escapeForDisplay(describeLoad(result), "summary")}`]);
};

/** Renders the verdicts on the exchanges of a load for a terminal. */
export const renderLoadJudgement = (judgement: LoadJudgement, options: TerminalLayoutOptions): string =>
  joinTerminalLines(
    joinBlocks(
      [
        createJudgementSection({ judgement }, { hasCanary: undefined, showUntested: true }),
        ...createKnownFailureSections({ judgement }),
      ].map((section) => renderTerminalSection(section, createTerminalLayout(options))),
    ),
  );

/** Renders `load.json`, in the published schema. */
export const renderLoadJson = (result: LoadResult): string =>
  `${printableJson(JSON.stringify(result, undefined, 2))}\n`;
