import { failsRun, ruleStanding, type RunResult } from "@assay/results";
import { apiDocumentLines } from "./api-document-lines.ts";
import { type BannerOptions, bannerLines, incompleteLines } from "./banner-lines.ts";
import { earlyFailureLines, isEarlyFailure } from "./early-failure-lines.ts";
import { counted, durationOf, sizeOf } from "./counted.ts";
import { failureLines } from "./failure-lines.ts";
import { failedExchangeLines, headerLines, seenSentence } from "./header-lines.ts";
import { fixedFailures, fixedLines, knownFailureLines, knownNoteLines, mistakeLines } from "./known-failure-lines.ts";
import { choiceLines, gapChoices, leftOpenHeading, newValuesHeading, notedChoices } from "./open-choice-lines.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { ruleLines } from "./rule-lines.ts";
import { shownText } from "./shown-text.ts";
import { stacked, terminalText } from "./terminal-text.ts";
import { unjudgedLines } from "./unjudged-lines.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

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
