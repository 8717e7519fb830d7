import { failsRun, ruleStanding } from "@assay/results";
import type { RunResult } from "@assay/results";
import { bannerLines } from "./banner-lines.ts";
import type { BannerOptions } from "./banner-lines.ts";
import { counted } from "../document/counted.ts";
import type { Section } from "../document/document.ts";
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
} from "../document/run-sections.ts";
import { headerLines, seenSentence } from "./header-lines.ts";
import { outcomeWords, painted } from "../document/outcome-words.ts";
import { pageOf } from "./page.ts";
import type { Page, PageOptions } from "./page.ts";
import { terminalSection } from "./print-terminal.ts";
import { shownText } from "../document/shown-text.ts";
import { stacked, terminalText } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Whether a run ended before any rule could be judged: then its cause is all there is to tell. */
const isEarlyFailure = ({ outcome, verdicts }: RunResult): boolean =>
  outcome === "incomplete" &&
  verdicts.every(({ verdict: { outcome: end } }) => end !== "passed" && end !== "failed" && end !== "warned");

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
}

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

/** What a list of known failures comes to, most severe last: those that did not show, those that did, in full if that is wanted. */
export const knownSections = (result: RunResult, detail: Detail): readonly Section[] => [
  knownNotesSection(result, detail),
  knownFailuresSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  ...(detail.isWhole ? knownFailures(result.verdicts) : []).flatMap(({ rule }) => failureSection(rule, detail) ?? []),
];

const failuresAs = ({ verdicts, run }: RunResult, fails: boolean, detail: Detail): readonly Section[] =>
  verdicts
    .filter((rule) => ruleStanding(rule) !== "known-failure" && failsRun(rule, run.strict) === fails)
    .flatMap((rule) => failureSection(rule, detail) ?? []);

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
 * A result for people at a terminal: under a screen for a run that holds, and a violation on one screen with what it breaks,
 * where, which bytes, and how to see it again. Most severe last, where the eye is: known failures, warnings, violations, what is
 * wrong with the lists of known failures, what is incomplete, and the outcome with its exit code. Rules that were not judged are always listed with the reason,
 * but where a run failed before anything was judged: that is told in a few lines.
 */
export const renderTerminal = (result: RunResult, options: TerminalOptions): string => {
  const page = pageOf(options);
  const verbose = options.verbose ?? false;
  if (!verbose && isEarlyFailure(result)) {
    return terminalText(earlyFailureLines(result, options, page));
  }
  const { exchanges } = result;
  return terminalText(
    stacked([
      [
        ...headerLines(result, page),
        ...wrapText(`seen: ${seenSentence(exchanges)}`, page.columns),
        ...terminalSection(failedExchangesSection(result), page),
      ],
      ...everySection(result, terminalDetail(verbose)).map((section) => terminalSection(section, page)),
      bannerLines(result, options, page),
    ]),
  );
};
