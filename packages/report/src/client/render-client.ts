import { type ClientCheck, type ClientReport, type ClientTrial, trialLabel } from "@assay/results";
import { durationOf } from "../counted.ts";
import { padded } from "../display-columns.ts";
import { outcomeWords, painted } from "../outcome-words.ts";
import { type Page, type PageOptions, pageOf } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { stacked, terminalText } from "../terminal-text.ts";
import { styledLine, wrapIndented, wrapText } from "../wrap-text.ts";
import { checkWords, trialFacts, trialStanding, verdictSentences } from "./client-words.ts";

/** How many findings of one check are shown; the rest is counted. */
const shownFindings = 3;

/** Options of `renderClient`. */
export interface ClientPageOptions extends PageOptions {
  /** Whether every check has its line. */
  readonly everyCheck: boolean;
}

const headerLines = ({ run, tool }: ClientReport, { columns, paint }: Page): readonly string[] => {
  const command = run.command.map((word) => shownText(word, "name")).join(" ");
  const watched = `a trial ends after ${durationOf(run.timeoutMs * 1000)}, or ${durationOf(run.lingerMs * 1000)} after its task is over`;
  return [
    ...wrapText(`assay ${shownText(tool.version, "name")} · client: ${command}`, columns).map(paint.bold),
    ...wrapText(watched, columns).map(paint.dim),
  ];
};

const sourceLines = ({ because, sentences }: ClientCheck, { columns, paint }: Page): readonly string[] => {
  const sources = sentences
    .slice(0, 1)
    .map(({ document, section, text }) => `${document}, section ${section}: ${text}`);
  return [...sources, ...(because === undefined ? [] : [because])].flatMap((line) =>
    wrapIndented(shownText(line), { columns, indent: 6, hanging: 8 }).map(paint.dim),
  );
};

const checkLines = (check: ClientCheck, page: Page): readonly string[] => {
  const { sign, word } = checkWords[check.verdict.outcome];
  const id = shownText(check.check, "name");
  const head = styledLine(
    {
      plain: `    ${sign} ${word}  ${id}`,
      styled: `    ${painted(sign, `${sign} ${word}`, page)}  ${page.paint.bold(id)}`,
    },
    page.columns,
  );
  const sentences = verdictSentences(check.verdict);
  const more = sentences.length - shownFindings;
  return [
    ...head,
    ...sentences
      .slice(0, shownFindings)
      .flatMap((line) => wrapIndented(line, { columns: page.columns, indent: 6, hanging: 8 })),
    ...(more > 0 ? [`      and ${more} more`] : []),
    ...(["failed", "warned"].includes(check.verdict.outcome) ? sourceLines(check, page) : []),
  ];
};

const isTold = ({ verdict }: ClientCheck): boolean => ["failed", "warned", "could-not-run"].includes(verdict.outcome);

/** What the client said itself, where it helps to see why. */
const lastWordsLines = (trial: ClientTrial, { columns, paint }: Page): readonly string[] => {
  const last = trial.lastWords.split("\n").at(-1) ?? "";
  return last === "" || !["failed", "could-not-run"].includes(trialStanding(trial))
    ? []
    : wrapIndented(`it wrote: ${shownText(last)}`, { columns, indent: 4, hanging: 6 }).map(paint.dim);
};

interface TrialLayout {
  readonly page: Page;
  readonly labelColumns: number;
  readonly everyCheck: boolean;
}

const trialLines = (trial: ClientTrial, { everyCheck, labelColumns, page }: TrialLayout): readonly string[] => {
  const { sign } = checkWords[trialStanding(trial)];
  const label = padded(shownText(trialLabel(trial), "name"), labelColumns);
  const facts = trialFacts(trial);
  const shownChecks = trial.checks
    .filter((check) => everyCheck || isTold(check))
    .flatMap((check) => checkLines(check, page));
  return [
    ...styledLine(
      {
        plain: `${sign} ${label}  ${facts}`,
        styled: `${painted(sign, sign, page)} ${label}  ${page.paint.dim(facts)}`,
      },
      page.columns,
    ),
    ...(shownChecks.length === 0
      ? []
      : wrapIndented(shownText(trial.title), { columns: page.columns, indent: 4, hanging: 6 }).map(page.paint.dim)),
    ...shownChecks,
    ...lastWordsLines(trial, page),
  ];
};

/** Trials that the client left out take a line together. */
const skippedLines = ({ trials }: ClientReport, { columns }: Page): readonly string[] => {
  const left = trials.filter(({ participation }) => participation === "skipped").map((trial) => trialLabel(trial));
  return left.length === 0
    ? []
    : wrapIndented(`? left out by the client (exit status 77): ${left.join(", ")}`, { columns, indent: 0, hanging: 2 });
};

const incompleteLines = ({ incomplete, outcome }: ClientReport, { columns }: Page): readonly string[] =>
  outcome === "incomplete"
    ? []
    : incomplete.flatMap(({ message }) => wrapIndented(`? ${shownText(message)}`, { columns, indent: 0, hanging: 2 }));

const bannerLines = ({ exitCode, outcome, summary }: ClientReport, page: Page): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  const lines = wrapText(`${sign} ${word} (exit code ${exitCode}): ${shownText(summary)}`, page.columns);
  return lines.map((line) => page.paint.bold(painted(sign, line, page)));
};

/** The report of a client for a terminal: a line for each trial, what it does badly below, and the outcome last. */
export const renderClient = (report: ClientReport, { everyCheck, ...options }: ClientPageOptions): string => {
  const page = pageOf(options);
  const tried = report.trials.filter(({ participation }) => participation !== "skipped");
  const labelColumns = Math.max(0, ...tried.map((trial) => trialLabel(trial).length));
  const layout = { page, labelColumns, everyCheck };
  return terminalText(
    stacked([
      headerLines(report, page),
      [...tried.flatMap((trial) => trialLines(trial, layout)), ...skippedLines(report, page)],
      incompleteLines(report, page),
      bannerLines(report, page),
    ]),
  );
};

/** The report as JSON, indented by two spaces. */
export const renderClientJson = (report: ClientReport): string => `${JSON.stringify(report, undefined, 2)}\n`;
