import { failsRun, ruleStanding } from "@assay/results";
import type { RunResult } from "@assay/results";
import { bannerLines, incompleteLines } from "./banner-lines.ts";
import type { BannerOptions } from "./banner-lines.ts";
import { counted, durationOf, sizeOf } from "./counted.ts";
import { failureLines } from "./failure-lines.ts";
import { failedExchangeLines, headerLines, seenSentence } from "./header-lines.ts";
import { fixedFailures, fixedLines, knownFailureLines, knownNoteLines, mistakeLines } from "./known-failure-lines.ts";
import { choiceLines, gapChoices, leftOpenHeading, newValuesHeading, notedChoices } from "./open-choice-lines.ts";
import { pageOf } from "./page.ts";
import type { Page, PageOptions } from "./page.ts";
import { ruleLines } from "./rule-lines.ts";
import { shownText } from "./shown-text.ts";
import { stacked, terminalText } from "./terminal-text.ts";
import { unjudgedLines } from "./unjudged-lines.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";
import { outcomeWords, painted } from "./outcome-words.ts";

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
    ...(verdicts.length === 0 ? [] : [paint.dim(`not judged: ${counted(verdicts.length, "rule")}; ${lists}`)]),
    ...place("report", report),
    ...place("files", folder),
  ];
}

const shownEntries = 3;

/** A list under a few words, cut unless everything is wanted; nothing for an empty one. */
const listLines = (
  entries: readonly string[],
  { words, verbose }: { readonly words: string; readonly verbose: boolean },
  { columns }: Page,
): readonly string[] => {
  const shown = verbose ? entries : entries.slice(0, shownEntries);
  const rest = entries.length - shown.length;
  return [
    ...shown.flatMap((entry) => wrapIndented(`${words}: ${shownText(entry)}`, { columns, indent: 2, hanging: 6 })),
    ...(rest > 0 ? [`  and ${rest} more, all of them with --verbose`] : []),
  ];
};

/** Which OpenAPI document judged the answers, how it differs from the one that comes with the tool, and what was not seen. */
const apiDocumentLines = (
  { openapi }: Pick<RunResult, "openapi">,
  { page, verbose }: { readonly page: Page; readonly verbose: boolean },
): readonly string[] => {
  if (openapi === undefined) {
    return [];
  }
  const { source, address, sha256, notes, differences, unseen } = openapi;
  const origin =
    source === "served"
      ? `the target's own, ${shownText(address ?? "", "url")} (sha256 ${shownText(sha256 ?? "", "name").slice(0, 12)})`
      : "the one that comes with the tool";
  const counts = `${counted(differences.length, "difference")} to the one that comes with the tool`;
  const sum = `${origin}${source === "served" ? `; ${counts}` : ""}; ${unseen.length} documented and not seen`;
  const { columns, paint } = page;
  return [
    paint.bold("OpenAPI document"),
    ...wrapIndented(sum, { columns, indent: 2, hanging: 4 }),
    ...listLines(notes, { words: "note", verbose }, page),
    ...listLines(differences, { words: "differs", verbose }, page),
    ...(verbose ? listLines(unseen, { words: "not seen", verbose }, page) : []),
  ];
};

/** Options of `renderTerminal`. */
export interface TerminalOptions extends PageOptions, BannerOptions {
  /** Whether every rule, every request and every permitted choice has its own line [false]. */
  readonly verbose?: boolean;
}

const requestLines = ({ exchanges }: RunResult, { columns, paint }: Page): readonly string[] => [
  paint.bold("Requests"),
  ...exchanges.flatMap(({ id, probe, url, status, bytes, events, matches, durationMicros }) => {
    const answer = [
      status ?? "no answer",
      sizeOf(bytes),
      counted(events, "event"),
      counted(matches, "match", "matches"),
      durationOf(durationMicros),
    ].join(", ");
    const line = `${shownText(id, "name")} ${shownText(probe, "name")}: ${answer}`;
    return [
      ...wrapIndented(line, { columns, indent: 2, hanging: 4 }),
      ...wrapIndented(shownText(url, "url"), { columns, indent: 4 }).map(paint.dim),
    ];
  }),
];

const rulesAs = ({ verdicts, run }: RunResult, fails: boolean, page: Page): readonly (readonly string[])[] =>
  verdicts
    .filter((rule) => ruleStanding(rule) !== "known-failure" && failsRun(rule, run.strict) === fails)
    .map((rule) => failureLines(rule, page));

/**
 * A result for people at a terminal: under a screen for a run that holds, and a violation on one screen with what it breaks,
 * where, which bytes, and how to see it again. Most severe last, where the eye is: known failures, warnings, violations, what is
 * wrong with the lists of known failures, what is incomplete, and the outcome with its exit code. Rules that were not judged are always listed with the reason,
 * but where a run failed before anything was judged: that is told in a few lines.
 */
export const renderTerminal = (result: RunResult, options: TerminalOptions): string => {
  const page = pageOf(options);
  const verbose = options.verbose ?? false;
  const { verdicts, exchanges, run } = result;
  if (!verbose && isEarlyFailure(result)) {
    return terminalText(earlyFailureLines(result, options, page));
  }
  const seen = [...wrapText(`seen: ${seenSentence(exchanges)}`, page.columns), ...failedExchangeLines(exchanges, page)];
  const gaps = {
    heading: leftOpenHeading,
    choices: gapChoices(result),
    verbose,
  };
  const notes = { heading: newValuesHeading, choices: notedChoices(result, verbose), verbose };
  return terminalText(
    stacked([
      [...headerLines(result, page), ...seen],
      verbose ? requestLines(result, page) : [],
      ruleLines(verdicts, { page, strict: run.strict, everyRule: verbose }),
      unjudgedLines(verdicts, page),
      apiDocumentLines(result, { page, verbose }),
      choiceLines(gaps, page),
      choiceLines(notes, page),
      knownNoteLines(result.knownFailureNotes, { page, verbose }),
      knownFailureLines(verdicts, { page, verbose }),
      ...rulesAs(result, false, page),
      ...fixedFailures(verdicts).map((fixed) => fixedLines(fixed, page)),
      ...rulesAs(result, true, page),
      mistakeLines(result.knownFailureMistakes, { page, verbose }),
      incompleteLines(result.incomplete, page),
      bannerLines(result, options, page),
    ]),
  );
};
