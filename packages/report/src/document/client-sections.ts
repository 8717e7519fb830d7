import {
  type ClientCheck,
  type ClientEnd,
  type ClientReport,
  type ClientTrial,
  formatTrialLabel,
  type Verdict,
  type VerdictOutcome,
} from "@assay/results";
import { counted, formatDuration } from "./counted.ts";
import { type Sign, verdictWords } from "./outcome-words.ts";
import { type Block, type Entry, list, type Section, paragraph } from "./document.ts";

/** Sign and word of a verdict on a client. */
export const checkWords: Readonly<Record<VerdictOutcome, { readonly sign: Sign; readonly word: string }>> = {
  passed: { sign: verdictWords.passed.sign, word: "passed" },
  failed: { sign: verdictWords.failed.sign, word: "failed" },
  warned: { sign: verdictWords.warned.sign, word: "warned" },
  "not-tested": { sign: verdictWords["not-tested"].sign, word: "not tested" },
  "not-applicable": { sign: verdictWords["not-applicable"].sign, word: "not applicable" },
  blocked: { sign: verdictWords["blocked"].sign, word: "blocked" },
};

const killReasons = {
  deadline: "killed at the deadline",
  lingering: "killed, still running",
  interrupted: "interrupted",
} as const;

/** Describes the end of a client, such as `exit status 0`. */
const describeEnd = (end: ClientEnd): string => {
  switch (end.kind) {
    case "exited":
      return `exit status ${end.status}`;
    case "signalled":
      return `ended by ${end.signal}`;
    case "killed":
      return killReasons[end.why];
  }
};

/** Returns the most severe verdict of a trial. */
const findTrialOutcome = ({ checks, participation }: ClientTrial): VerdictOutcome => {
  const hasOutcome = (outcome: VerdictOutcome): boolean => checks.some(({ verdict }) => verdict.outcome === outcome);
  const worstOutcome = (["failed", "blocked", "warned"] as const).find(hasOutcome);
  if (worstOutcome !== undefined) {
    return worstOutcome;
  }
  return participation === "took-part" && hasOutcome("passed") ? "passed" : "not-tested";
};

/** Describes the result of a trial in a few words. */
const describeTrial = (trial: ClientTrial): string => {
  const { checks, durationMs, end, participation, requests } = trial;
  if (participation === "skipped") {
    return "skipped by the client (exit status 77)";
  }
  const endAndDuration = `${describeEnd(end)}, ${formatDuration(durationMs * 1000)}`;
  if (participation === "no-request") {
    return `${requests === 0 ? "no request arrived" : "only searched, although its task was to ask"}; ${endAndDuration}`;
  }
  const countChecks = (outcome: VerdictOutcome): number =>
    checks.filter(({ verdict }) => verdict.outcome === outcome).length;
  const parts = [`${counted(countChecks("passed"), "check")} passed`];
  const untestedCount = countChecks("not-tested");
  return [
    ...parts,
    ...(untestedCount === 0 ? [] : [`${untestedCount} not tested`]),
    counted(requests, "request"),
    endAndDuration,
  ].join(", ");
};

/** Returns the messages of a verdict. */
export const listVerdictMessages = (verdict: Verdict): readonly string[] => {
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

const createRequirementBlocks = ({ because, requirements }: ClientCheck): readonly Block[] => [
  ...requirements
    .slice(0, 1)
    .map(({ specification, section, text: requirementText }) =>
      paragraph([`${specification}, section ${section}: `, requirementText], { isFaint: true }),
    ),
  ...(because === undefined ? [] : [paragraph(because, { isFaint: true })]),
];

const checkEntry = (check: ClientCheck): Entry => {
  const { sign, word } = checkWords[check.verdict.outcome];
  const hasFindings = ["failed", "warned"].includes(check.verdict.outcome);
  return {
    sign,
    line: [`${word}  `, { name: check.check }],
    children: [
      ...list(
        listVerdictMessages(check.verdict).map((line) => ({ line })),
        { max: maxFindings },
      ),
      ...(hasFindings ? createRequirementBlocks(check) : []),
    ],
  };
};

const needsAttention = ({ verdict }: ClientCheck): boolean => ["failed", "warned", "blocked"].includes(verdict.outcome);

/** Matches the line with the error that ended a program, not the stack or versions that runtimes print after it. */
const failureLinePattern = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b.*:|^panic:|panicked at/u;

/** Returns the last line of standard error for trials that failed. */
const createLastErrorLine = (trial: ClientTrial): readonly Block[] => {
  const lines = trial.lastWords.split("\n").filter((line) => line.trim() !== "");
  const errorLine = lines.findLast((line) => failureLinePattern.test(line)) ?? lines.at(-1);
  const hasProblem = trial.participation === "no-request" || ["failed", "blocked"].includes(findTrialOutcome(trial));
  return errorLine === undefined || !hasProblem ? [] : [paragraph(["it wrote: ", errorLine], { isFaint: true })];
};

const createTrialEntry = (trial: ClientTrial, showAllChecks: boolean): Entry => {
  const checks = trial.checks.filter((check) => showAllChecks || needsAttention(check)).map(checkEntry);
  return {
    sign: checkWords[findTrialOutcome(trial)].sign,
    label: formatTrialLabel(trial),
    line: describeTrial(trial),
    children: [
      ...(checks.length === 0 ? [] : [paragraph(trial.title, { isFaint: true })]),
      ...list(checks),
      ...createLastErrorLine(trial),
    ],
  };
};

/** Lists trials with their failed checks, or with all checks. Trials that the client skipped share one line. */
export const createTrialsSection = ({ trials }: ClientReport, showAllChecks: boolean): Section => {
  const attemptedTrials = trials.filter(({ participation }) => participation !== "skipped");
  const skippedLabels = trials
    .filter(({ participation }) => participation === "skipped")
    .map((trial) => formatTrialLabel(trial));
  const entries = attemptedTrials.map((trial) => createTrialEntry(trial, showAllChecks));
  return {
    blocks: [
      ...(entries.length === 0 ? [] : [{ kind: "list", entries, isAligned: true } as const]),
      ...list(
        skippedLabels.length === 0
          ? []
          : [
              {
                sign: "?",
                line: [
                  "skipped by the client (exit status 77): ",
                  ...skippedLabels.flatMap((name, index) => [index === 0 ? "" : ", ", { name }]),
                ],
              },
            ],
      ),
    ],
  };
};
