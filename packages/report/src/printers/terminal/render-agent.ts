import {
  type ClientReport,
  type DoctorReport,
  doctorStatuses,
  countConfirmed,
  ruleStanding,
  type ReportedFinding,
  type RuleVerdict,
  type RunChange,
  type RunOutcome,
  type RunResult,
  formatTrialLabel,
} from "@assay/results";
import { outcomeWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { listVerdictMessages } from "../../document/client-sections.ts";
import type { CheckedFile } from "./render-check.ts";
import { joinTerminalLines } from "./terminal-text.ts";

const maxFindings = 3;

const formatFindingLocation = ({ event, exchange, offset }: ReportedFinding): string =>
  [
    ...(exchange === undefined ? [] : [`exchange=${escapeForDisplay(exchange, "name")}`]),
    ...(event === undefined ? [] : [`event=${event}`]),
    ...(offset === undefined ? [] : [`offset=${offset}`]),
  ].join(" ");

function renderRuleLines(rule: RuleVerdict, isNothingJudged: boolean): readonly string[] {
  const { verdict } = rule;
  const standing = ruleStanding(rule);
  const id = escapeForDisplay(rule.rule, "name");
  if (verdict.outcome === "failed" || verdict.outcome === "warned") {
    const shownFindings = verdict.findings.slice(0, maxFindings);
    const moreCount = verdict.findings.length - shownFindings.length + verdict.moreFindings;
    return [
      ...shownFindings.map(
        (finding) => `${standing} ${id} ${formatFindingLocation(finding)}: ${escapeForDisplay(finding.message)}`,
      ),
      ...(moreCount > 0 ? [`${standing} ${id}: and ${moreCount} more`] : []),
    ];
  }
  if (standing === "fixed") {
    return [`${standing} ${id}`];
  }
  // If nothing was judged, the run contains the reason for every rule.
  if (isNothingJudged) {
    return [];
  }
  if (verdict.outcome === "blocked") {
    return [`${standing} ${id}: ${escapeForDisplay(verdict.missing)}`];
  }
  return verdict.outcome === "not-tested" && rule.mustTest
    ? [`${standing} ${id}: demanded${verdict.reason === undefined ? "" : `; ${escapeForDisplay(verdict.reason)}`}`]
    : [];
}

/** Options of `renderAgent`. */
export interface AgentOptions {
  /** The folder of the run, as passed by the user. */
  readonly folder: string;
  /** The changes since a baseline. */
  readonly change?: RunChange | undefined;
}

/** Returns the first line: outcome, exit code and counts. */
function renderHeadLine(
  { outcome, exitCode }: { readonly outcome: RunOutcome; readonly exitCode: number },
  counts: Readonly<Record<string, number>>,
): string {
  const countTexts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ` ${kind}=${count}`);
  return `${outcomeWords[outcome].sign} verdict=${outcome} exit=${exitCode}${countTexts.join("")}`;
}

const renderIncompleteLines = ({ incomplete }: Pick<RunResult, "incomplete">): readonly string[] =>
  incomplete.map(({ code, message }) => `incomplete ${code}: ${escapeForDisplay(message)}`);

/** Returns one line for each finding, and for each rule that prevented the run from passing. */
function renderFindingLines(result: RunResult): readonly string[] {
  const { counts, verdicts } = result;
  const isNothingJudged = counts.passed + counts.failed + counts.warned === 0;
  return [...renderIncompleteLines(result), ...verdicts.flatMap((rule) => renderRuleLines(rule, isNothingJudged))];
}

const renderFirstLine = (result: RunResult): string =>
  `${renderHeadLine(result, result.counts)} confirmed=${countConfirmed(result.verdicts) ?? 0}`;

/**
 * Renders a result for programs that read text, and for users who want a short one: a line for the outcome, a line for each finding and each
 * rule that prevented the run from passing, and a line with the folder. A run that passed has one line. The output contains no colours, and no
 * line breaks or control characters of a target.
 */
export const renderAgent = (result: RunResult, { folder, change }: AgentOptions): string => {
  const files = `files=${escapeForDisplay(folder, "url")}`;
  const summaryLine = renderFirstLine(result);
  const changeLines = change === undefined ? [] : [`changed: ${escapeForDisplay(change.sentence)}`];
  const findings = renderFindingLines(result);
  return joinTerminalLines(
    findings.length === 0 && result.outcome === "passed"
      ? [`${summaryLine} ${files}`, ...changeLines]
      : [
          summaryLine,
          ...findings,
          ...changeLines,
          `${files} explain="npx assay explain ${escapeForDisplay(folder, "url")} RULE"`,
        ],
  );
};

/** Like `renderAgent`, for recordings: one line for each file, followed by its findings. */
export const renderCheckAgent = (files: readonly CheckedFile[]): string =>
  joinTerminalLines(
    files.flatMap(({ file, result }) => [
      `${renderFirstLine(result)} file=${escapeForDisplay(file, "url")}`,
      ...renderFindingLines(result),
    ]),
  );

/** Like `renderAgent`, for a client: a line for the outcome, and one for each check that failed, warned or was blocked in a trial. */
export const renderClientAgent = (report: ClientReport): string =>
  joinTerminalLines([
    renderHeadLine(report, report.counts),
    ...renderIncompleteLines(report),
    ...report.trials.flatMap((trial) =>
      trial.checks
        .filter(({ verdict }) => ["failed", "warned", "blocked"].includes(verdict.outcome))
        .flatMap(({ check, verdict }) =>
          listVerdictMessages(verdict).map(
            (sentence) =>
              `${verdict.outcome} ${escapeForDisplay(check, "name")} trial=${escapeForDisplay(formatTrialLabel(trial), "name")}: ${escapeForDisplay(sentence)}`,
          ),
        ),
    ),
  ]);

/** Like `renderAgent`, for `assay doctor`: a line for the outcome, and one for each problem, note and unknown, with advice. */
export const renderDoctorAgent = (report: DoctorReport): string =>
  joinTerminalLines([
    renderHeadLine(
      report,
      Object.fromEntries(
        doctorStatuses.map((status) => [status, report.checks.filter((check) => check.status === status).length]),
      ),
    ),
    ...report.checks.flatMap((check) =>
      "advice" in check
        ? [
            `${check.status} ${check.id}: ${escapeForDisplay(check.found)}; ${escapeForDisplay(check.advice, "command")}`,
          ]
        : [],
    ),
  ]);
