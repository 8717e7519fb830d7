import {
  type ClientCheck,
  type ClientEnd,
  type ClientReport,
  type ClientTrial,
  trialLabel,
  type Verdict,
  type VerdictOutcome,
} from "@assay/results";
import { counted, durationOf } from "./counted.ts";
import { type Sign, verdictWords } from "./outcome-words.ts";
import { type Block, type Entry, list, type Section, text } from "./document.ts";

/** Sign and word of a verdict on a client. */
export const checkWords: Readonly<Record<VerdictOutcome, { readonly sign: Sign; readonly word: string }>> = {
  passed: { sign: verdictWords.passed.sign, word: "passed" },
  failed: { sign: verdictWords.failed.sign, word: "failed" },
  warned: { sign: verdictWords.warned.sign, word: "warned" },
  "not-tested": { sign: verdictWords["not-tested"].sign, word: "not tested" },
  "not-applicable": { sign: verdictWords["not-applicable"].sign, word: "not applicable" },
  blocked: { sign: verdictWords["blocked"].sign, word: "blocked" },
};

const killedWords = {
  deadline: "killed at the deadline",
  lingering: "killed, still running",
  interrupted: "interrupted",
} as const;

/** Describes the end of a client, such as `exit status 0`. */
const endWords = (end: ClientEnd): string => {
  switch (end.kind) {
    case "exited":
      return `exit status ${end.status}`;
    case "signalled":
      return `ended by ${end.signal}`;
    case "killed":
      return killedWords[end.why];
  }
};

/** Returns the most severe verdict of a trial. */
const trialStanding = ({ checks, participation }: ClientTrial): VerdictOutcome => {
  const has = (outcome: VerdictOutcome): boolean => checks.some(({ verdict }) => verdict.outcome === outcome);
  const worst = (["failed", "blocked", "warned"] as const).find(has);
  if (worst !== undefined) {
    return worst;
  }
  return participation === "took-part" && has("passed") ? "passed" : "not-tested";
};

/** Describes the result of a trial in a few words. */
const trialFacts = (trial: ClientTrial): string => {
  const { checks, durationMs, end, participation, requests } = trial;
  if (participation === "skipped") {
    return "skipped by the client (exit status 77)";
  }
  const took = `${endWords(end)}, ${durationOf(durationMs * 1000)}`;
  if (participation === "no-request") {
    return `${requests === 0 ? "no request arrived" : "only searched, although its task was to ask"}; ${took}`;
  }
  const count = (outcome: VerdictOutcome): number => checks.filter(({ verdict }) => verdict.outcome === outcome).length;
  const parts = [`${counted(count("passed"), "check")} passed`];
  const unseen = count("not-tested");
  return [...parts, ...(unseen === 0 ? [] : [`${unseen} not tested`]), counted(requests, "request"), took].join(", ");
};

/** Returns the messages of a verdict. */
export const verdictMessages = (verdict: Verdict): readonly string[] => {
  switch (verdict.outcome) {
    case "failed":
    case "warned":
      return verdict.findings.map(({ message }) => message);
    case "blocked":
      return [verdict.missing];
    case "not-applicable":
      return [verdict.reason];
    case "passed":
    case "not-tested":
      return [];
  }
};

const maxFindings = 3;

const sourceBlocks = ({ because, requirements }: ClientCheck): readonly Block[] => [
  ...requirements
    .slice(0, 1)
    .map(({ specification, section, text: words }) =>
      text([`${specification}, section ${section}: `, words], { isFaint: true }),
    ),
  ...(because === undefined ? [] : [text(because, { isFaint: true })]),
];

const checkEntry = (check: ClientCheck): Entry => {
  const { sign, word } = checkWords[check.verdict.outcome];
  const isBad = ["failed", "warned"].includes(check.verdict.outcome);
  return {
    sign,
    line: [`${word}  `, { name: check.check }],
    below: [
      ...list(
        verdictMessages(check.verdict).map((line) => ({ line })),
        { max: maxFindings },
      ),
      ...(isBad ? sourceBlocks(check) : []),
    ],
  };
};

const isShown = ({ verdict }: ClientCheck): boolean => ["failed", "warned", "blocked"].includes(verdict.outcome);

/** Matches the line with the error that ended a program, not the stack or versions that runtimes print after it. */
const namesTheFailure = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b.*:|^panic:|panicked at/u;

/** Returns the last line of standard error for trials that failed. */
const lastWords = (trial: ClientTrial): readonly Block[] => {
  const lines = trial.lastWords.split("\n").filter((line) => line.trim() !== "");
  const last = lines.findLast((line) => namesTheFailure.test(line)) ?? lines.at(-1);
  const isWrong = trial.participation === "no-request" || ["failed", "blocked"].includes(trialStanding(trial));
  return last === undefined || !isWrong ? [] : [text(["it wrote: ", last], { isFaint: true })];
};

const trialEntry = (trial: ClientTrial, everyCheck: boolean): Entry => {
  const checks = trial.checks.filter((check) => everyCheck || isShown(check)).map(checkEntry);
  return {
    sign: checkWords[trialStanding(trial)].sign,
    label: trialLabel(trial),
    line: trialFacts(trial),
    below: [
      ...(checks.length === 0 ? [] : [text(trial.title, { isFaint: true })]),
      ...list(checks),
      ...lastWords(trial),
    ],
  };
};

/** Lists trials with their failed checks, or with all checks. Trials that the client skipped share one line. */
export const trialsSection = ({ trials }: ClientReport, everyCheck: boolean): Section => {
  const tried = trials.filter(({ participation }) => participation !== "skipped");
  const left = trials.filter(({ participation }) => participation === "skipped").map((trial) => trialLabel(trial));
  const entries = tried.map((trial) => trialEntry(trial, everyCheck));
  return {
    blocks: [
      ...(entries.length === 0 ? [] : [{ kind: "list", entries, isAligned: true } as const]),
      ...list(
        left.length === 0
          ? []
          : [
              {
                sign: "?",
                line: [
                  "skipped by the client (exit status 77): ",
                  ...left.flatMap((name, index) => [index === 0 ? "" : ", ", { name }]),
                ],
              },
            ],
      ),
    ],
  };
};
