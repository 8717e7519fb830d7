import { type ClientCheck, type ClientReport, type ClientTrial, trialLabel } from "@assay/results";
import { cellName, cellProse, codeSpan, proseText } from "../markdown-text.ts";
import { outcomeWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";
import { terminalText } from "../terminal-text.ts";
import { checkWords, trialFacts, trialStanding, verdictSentences } from "./client-words.ts";

/** How many trials that went badly are told in full. */
const shownTrials = 20;

const prose = (text: string): string => proseText(shownText(text));
const name = (text: string): string => codeSpan(shownText(text, "name"));

const rowOf = (trial: ClientTrial): string => {
  const { sign, word } = checkWords[trialStanding(trial)];
  const label = cellName(shownText(trialLabel(trial), "name"));
  return `| ${label} | ${sign} ${word} | ${cellProse(trialFacts(trial))} | ${cellProse(shownText(trial.title))} |`;
};

const isTold = ({ verdict }: ClientCheck): boolean => verdict.outcome === "failed" || verdict.outcome === "warned";

const checkLines = (check: ClientCheck): readonly string[] => {
  const { sign, word } = checkWords[check.verdict.outcome];
  const because = check.because === undefined ? "" : ` (${prose(check.because)})`;
  return [
    `- ${sign} ${word}: ${name(check.check)}, ${prose(check.title)}${because}`,
    ...verdictSentences(check.verdict)
      .slice(0, 3)
      .map((sentence) => `  - ${prose(sentence)}`),
  ];
};

const badTrials = ({ trials }: ClientReport): readonly string[] => {
  const bad = trials.filter(({ checks }) => checks.some(isTold));
  const more = bad.length - shownTrials;
  return [
    ...bad
      .slice(0, shownTrials)
      .flatMap((trial) => [
        "",
        `### ${name(trialLabel(trial))}`,
        "",
        ...trial.checks.filter(isTold).flatMap((check) => checkLines(check)),
      ]),
    ...(more > 0 ? ["", `and ${more} more trials`] : []),
  ];
};

/** The report of a client for a page: the outcome, a table of trials, and what it does badly. Nothing of the client is markup. */
export const renderClientMarkdown = (report: ClientReport): string => {
  const { sign, word } = outcomeWords[report.outcome];
  const command = report.run.command.map((part) => shownText(part, "name")).join(" ");
  return terminalText([
    `## ${sign} Assay client: ${word} (exit code ${report.exitCode})`,
    "",
    prose(report.summary),
    "",
    `- Client: ${codeSpan(command)}`,
    ...report.incomplete.map(({ message }) => `- Incomplete: ${prose(message)}`),
    "",
    "| trial | outcome | what was seen | what the server did |",
    "|---|---|---|---|",
    ...report.trials.map(rowOf),
    ...badTrials(report),
  ]);
};
