import {
  type ClientReport,
  type DoctorReport,
  doctorStatuses,
  provenCount,
  ruleStanding,
  type ReportedFinding,
  type RuleVerdict,
  type RunChange,
  type RunOutcome,
  type RunResult,
  trialLabel,
} from "@assay/results";
import { outcomeWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { verdictSentences } from "../../document/client-sections.ts";
import type { CheckedFile } from "./render-check.ts";
import { terminalText } from "./terminal-text.ts";

/** How many findings of one rule are told; the others are counted. */
const mostFindings = 3;

const placeOf = ({ event, exchange, offset }: ReportedFinding): string =>
  [
    ...(exchange === undefined ? [] : [`exchange=${shownText(exchange, "name")}`]),
    ...(event === undefined ? [] : [`event=${event}`]),
    ...(offset === undefined ? [] : [`offset=${offset}`]),
  ].join(" ");

function linesOf(rule: RuleVerdict, isBlind: boolean): readonly string[] {
  const { verdict } = rule;
  const standing = ruleStanding(rule);
  const id = shownText(rule.rule, "name");
  if (verdict.outcome === "failed" || verdict.outcome === "warned") {
    const told = verdict.findings.slice(0, mostFindings);
    const more = verdict.findings.length - told.length + verdict.moreFindings;
    return [
      ...told.map((finding) => `${standing} ${id} ${placeOf(finding)}: ${shownText(finding.message)}`),
      ...(more > 0 ? [`${standing} ${id}: and ${more} more`] : []),
    ];
  }
  if (standing === "fixed") {
    return [`${standing} ${id}`];
  }
  // Where nothing was judged, the reason of the run is that of every rule.
  if (isBlind) {
    return [];
  }
  if (verdict.outcome === "blocked") {
    return [`${standing} ${id}: ${shownText(verdict.missing)}`];
  }
  return verdict.outcome === "not-tested" && rule.mustTest
    ? [`${standing} ${id}: demanded${verdict.reason === undefined ? "" : `; ${shownText(verdict.reason)}`}`]
    : [];
}

/** What is told besides the result. */
export interface AgentOptions {
  /** Where the files of the run are, as its reader names it. */
  readonly folder: string;
  /** What changed since a baseline. */
  readonly change?: RunChange | undefined;
}

/** The first line: the verdict, the exit code, and how many there are of each kind. */
function headLine(
  { outcome, exitCode }: { readonly outcome: RunOutcome; readonly exitCode: number },
  counts: Readonly<Record<string, number>>,
): string {
  const told = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ` ${kind}=${count}`);
  return `${outcomeWords[outcome].sign} verdict=${outcome} exit=${exitCode}${told.join("")}`;
}

const incompleteLines = ({ incomplete }: Pick<RunResult, "incomplete">): readonly string[] =>
  incomplete.map(({ code, message }) => `incomplete ${code}: ${shownText(message)}`);

/** A line for each finding, and for each rule that kept the run from being green. */
function findingLines(result: RunResult): readonly string[] {
  const { counts, verdicts } = result;
  const isBlind = counts.passed + counts.failed + counts.warned === 0;
  return [...incompleteLines(result), ...verdicts.flatMap((rule) => linesOf(rule, isBlind))];
}

const firstLine = (result: RunResult): string =>
  `${headLine(result, result.counts)} confirmed=${provenCount(result.verdicts) ?? 0}`;

/**
 * A result for programs that read text, and for people who want little of it: one line for the verdict, one for each finding and
 * for each rule that kept the run from being green, and where more is found. A run that passed is one line. Nothing in colour,
 * nothing drawn; no line break and no control character of a target.
 */
export const renderAgent = (result: RunResult, { folder, change }: AgentOptions): string => {
  const files = `files=${shownText(folder, "url")}`;
  const first = firstLine(result);
  const changed = change === undefined ? [] : [`changed: ${shownText(change.sentence)}`];
  const findings = findingLines(result);
  return terminalText(
    findings.length === 0 && result.outcome === "passed"
      ? [`${first} ${files}`, ...changed]
      : [first, ...findings, ...changed, `${files} explain="npx assay explain ${shownText(folder, "url")} RULE"`],
  );
};

/** The same of recordings: one line for each file, with its findings below. */
export const renderCheckAgent = (checked: readonly CheckedFile[]): string =>
  terminalText(
    checked.flatMap(({ file, result }) => [
      `${firstLine(result)} file=${shownText(file, "url")}`,
      ...findingLines(result),
    ]),
  );

/** The same of a client: one line for the verdict, and one for each check that failed, warned or was blocked in a trial. */
export const renderClientAgent = (report: ClientReport): string =>
  terminalText([
    headLine(report, report.counts),
    ...incompleteLines(report),
    ...report.trials.flatMap((trial) =>
      trial.checks
        .filter(({ verdict }) => ["failed", "warned", "blocked"].includes(verdict.outcome))
        .flatMap(({ check, verdict }) =>
          verdictSentences(verdict).map(
            (sentence) =>
              `${verdict.outcome} ${shownText(check, "name")} trial=${shownText(trialLabel(trial), "name")}: ${shownText(sentence)}`,
          ),
        ),
    ),
  ]);

/** The same of a doctor: one line for the verdict, one for each problem, note and unknown with what to do. */
export const renderDoctorAgent = (report: DoctorReport): string =>
  terminalText([
    headLine(
      report,
      Object.fromEntries(
        doctorStatuses.map((status) => [status, report.checks.filter((check) => check.status === status).length]),
      ),
    ),
    ...report.checks.flatMap((check) =>
      "advice" in check
        ? [`${check.status} ${check.id}: ${shownText(check.found)}; ${shownText(check.advice, "command")}`]
        : [],
    ),
  ]);
