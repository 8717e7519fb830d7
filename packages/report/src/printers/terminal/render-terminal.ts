import { shellWord } from "@assay/evidence";
import { failsRun, ruleStanding } from "@assay/results";
import type { RunResult } from "@assay/results";
import { bannerLines } from "./banner-lines.ts";
import type { BannerOptions } from "./banner-lines.ts";
import { counted } from "../../document/counted.ts";
import type { Section } from "../../document/document.ts";
import {
  failedSections,
  interfaceBlocks,
  leftOut,
  otherReasonsSection,
  requiredSection,
  warnedSections,
} from "../../document/brief-sections.ts";
import {
  apiDocumentSection,
  type Detail,
  failedExchangesSection,
  failureSection,
  fixedFailures,
  fixedSection,
  incompleteSection,
  knownFailures,
  knownFailuresSection,
  knownNotesSection,
  leftOpenSection,
  mistakesSection,
  newValuesSection,
  requestsSection,
  ruleSections,
  unjudgedSection,
} from "../../document/run-sections.ts";
import { nextSteps } from "./next-steps.ts";
import { briefHeaderLines, headerLines, seenSentence } from "./header-lines.ts";
import { isEarlyFailure } from "../../document/early-failure.ts";
import { outcomeWords, painted } from "../../document/outcome-words.ts";
import { pageOf } from "./page.ts";
import type { Page, PageOptions } from "./page.ts";
import { blockLines, terminalSection } from "./print-terminal.ts";
import { shownText } from "../../document/shown-text.ts";
import { stacked, terminalText } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Whether the OpenAPI document differs from the one that comes with the tool, or could not be used as it is. */
const hasOpenApiNews = ({ openapi }: RunResult): boolean =>
  openapi !== undefined && openapi.differences.length + openapi.notes.length > 0;

/** Lines that the cause may take, of ten in all. */
const causeLines = 4;

/** The cause of an early failure with the next step, how many rules were not judged, and where more stands; ten lines at most. */
function earlyFailureLines(
  { outcome, exitCode, summary, verdicts, run, tool }: RunResult,
  { report, folder }: BannerOptions,
  page: Page,
): readonly string[] {
  const { columns, paint } = page;
  const { sign, word } = outcomeWords[outcome];
  const cause = wrapText(shownText(summary), columns);
  const shown = cause.length > causeLines ? [...cause.slice(0, causeLines - 1), "…"] : cause;
  const place = (what: string, path: string | undefined): readonly string[] =>
    path === undefined ? [] : [paint.dim(`${what}: ${shownText(path, "url")}`)];
  const lists = report === undefined ? "--verbose lists them" : "the report lists them";
  const [header] = wrapText(`assay ${shownText(tool.version, "name")} · ${shownText(run.target, "url")}`, columns);
  return [
    paint.bold(header),
    painted(sign, "─".repeat(columns), page),
    `${painted(sign, paint.bold(`${sign} ${word.toUpperCase()}`), page)}  exit code ${exitCode}`,
    ...shown,
    ...(verdicts.length === 0 ? [] : [paint.dim(`not tested: ${counted(verdicts.length, "rule")}; ${lists}`)]),
    ...place("report", report),
    ...place("files", folder),
  ];
}

/** Options of `renderTerminal`. */
export interface TerminalOptions extends PageOptions, BannerOptions {
  /** Whether every rule, every request and every permitted choice has its own line [false]. */
  readonly verbose?: boolean;
  /** The folder with the evidence of the run, as its reader names it: the next commands need it [none is named]. */
  readonly evidence?: string;
}

/** The page is in the folder of the run: one path is enough. */
const briefPlaces = ({ folder, report, change }: BannerOptions): BannerOptions =>
  report === undefined ? { folder, change } : { report, change };

/** What the full form adds. A stored run is judged again for that, so that nothing is sent twice. */
const moreOf = (result: RunResult, { evidence }: TerminalOptions): NonNullable<BannerOptions["more"]> => ({
  by: evidence === undefined ? "--verbose" : `npx assay judge ${shellWord(shownText(evidence, "url"))} -v`,
  parts: leftOut(result),
});

/** How much of a result a terminal shows. */
export const terminalDetail = (verbose: boolean): Detail => ({
  entries: verbose ? Number.POSITIVE_INFINITY : 10,
  choices: verbose ? Number.POSITIVE_INFINITY : 5,
  messages: verbose ? Number.POSITIVE_INFINITY : 2,
  findings: 3,
  rules: Number.POSITIVE_INFINITY,
  where: ", all of them with --verbose",
  isWhole: verbose,
});

/** Known failures, most severe last; with all detail also those of the tool's own lists that did not occur. */
export const knownSections = (result: RunResult, detail: Detail): readonly Section[] => [
  ...(detail.isWhole ? [knownNotesSection(result, detail)] : []),
  knownFailuresSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  ...(detail.isWhole ? knownFailures(result.verdicts) : []).flatMap(({ rule }) => failureSection(rule, detail) ?? []),
];

const failuresAs = ({ verdicts, run }: RunResult, fails: boolean, detail: Detail): readonly Section[] =>
  verdicts
    .filter((rule) => ruleStanding(rule) !== "known-failure" && failsRun(rule, run.strict) === fails)
    .flatMap((rule) => failureSection(rule, detail) ?? []);

const briefSections = (result: RunResult, detail: Detail): readonly Section[] => [
  requiredSection(result.verdicts),
  ...(hasOpenApiNews(result) ? [apiDocumentSection(result, { ...detail, entries: 3 })] : []),
  ...knownSections(result, detail),
  ...warnedSections(result),
  ...fixedFailures(result.verdicts).map(fixedSection),
  ...failedSections(result),
  mistakesSection(result, detail),
  otherReasonsSection(result),
];

const everySection = (result: RunResult, detail: Detail): readonly Section[] => [
  ...(detail.isWhole ? [requestsSection(result)] : []),
  ...ruleSections(result, detail.isWhole),
  unjudgedSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  apiDocumentSection(result, { ...detail, entries: detail.isWhole ? detail.entries : 3 }),
  leftOpenSection(result, detail),
  newValuesSection(result, detail),
  ...knownSections(result, detail),
  ...failuresAs(result, false, detail),
  ...fixedFailures(result.verdicts).map(fixedSection),
  ...failuresAs(result, true, detail),
  mistakesSection(result, detail),
  incompleteSection(result.incomplete),
];

/**
 * A result for people at a terminal: a dozen lines for a run that passed; for each rule that failed one example with its bytes and
 * the command that repeats it, and the next commands. Most severe last, where the eye is: known failures, warnings, failures,
 * mistakes in the lists of known failures, what is incomplete, and the outcome with its exit code. Why a rule was not tested is
 * shown where the profile requires it. `verbose` shows all of it.
 */
export const renderTerminal = (result: RunResult, options: TerminalOptions): string => {
  const page = pageOf(options);
  const verbose = options.verbose ?? false;
  if (!verbose && isEarlyFailure(result)) {
    return terminalText(earlyFailureLines(result, options, page));
  }
  const head = verbose
    ? [...headerLines(result, page), ...wrapText(`seen: ${seenSentence(result.exchanges)}`, page.columns)]
    : briefHeaderLines(result, page);
  const detail = terminalDetail(verbose);
  const sections = verbose ? everySection(result, detail) : briefSections(result, detail);
  const overview = verbose ? [] : interfaceBlocks(result).flatMap((block) => blockLines(block, page));
  const steps = nextSteps(result, options);
  return terminalText(
    stacked([
      [...head, ...terminalSection(failedExchangesSection(result), page)],
      overview,
      ...sections.map((section) => terminalSection(section, page)),
      bannerLines(
        result,
        verbose ? { ...options, steps } : { ...briefPlaces(options), steps, more: moreOf(result, options) },
        page,
      ),
    ]),
  );
};
