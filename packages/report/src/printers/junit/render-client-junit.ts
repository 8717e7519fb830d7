import { type ClientCheck, type ClientReport, type ClientTrial, toJunitKind, formatTrialLabel } from "@assay/results";
import { createJunitDocument } from "./junit-document.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { checkWords, listVerdictMessages } from "../../document/client-sections.ts";

const listCheckDetails = ({ because, check, requirements, title, verdict }: ClientCheck): readonly string[] => [
  `${check}: ${escapeForDisplay(title)}`,
  ...listVerdictMessages(verdict).map((sentence) => escapeForDisplay(sentence)),
  ...requirements.map(({ specification, section, text }) =>
    escapeForDisplay(`${specification}, section ${section}: ${text}`),
  ),
  ...(because === undefined ? [] : [escapeForDisplay(because)]),
];

const createCheckCase = (trial: ClientTrial, check: ClientCheck): TestCase => {
  const { verdict } = check;
  const kind = toJunitKind(check);
  const identity = {
    suite: `client.${escapeForDisplay(formatTrialLabel(trial), "name")}`,
    name: escapeForDisplay(check.check, "name"),
    kind,
    standing: verdict.outcome,
  };
  if (kind === "passed") {
    return identity;
  }
  const [firstMessage] = listVerdictMessages(verdict);
  const message = firstMessage === undefined ? checkWords[verdict.outcome].word : escapeForDisplay(firstMessage);
  return {
    ...identity,
    message,
    type: check.basis,
    ...(kind === "skipped" ? {} : { details: listCheckDetails(check) }),
  };
};

const createRunCase = (report: ClientReport): TestCase => {
  const { exitCode, incomplete, outcome, summary } = report;
  const identity = { suite: "assay.client", name: "the trials are complete and decide", standing: outcome };
  // A failure is sufficient to explain the outcome.
  if (exitCode === 0 || (outcome === "failed" && incomplete.length === 0)) {
    return { ...identity, kind: "passed" };
  }
  return {
    ...identity,
    kind: "error",
    message: `${outcomeWords[outcome].word}, exit code ${exitCode}: ${escapeForDisplay(summary)}`,
    type: outcome,
    details: incomplete.map(({ code, message }) => `${escapeForDisplay(code, "name")}: ${escapeForDisplay(message)}`),
  };
};

const createClientCases = (report: ClientReport): CaseList => {
  const command = report.run.command.join(" ");
  return {
    id: report.run.startedAt,
    startedAt: report.run.startedAt,
    target: command,
    tool: report.tool,
    exitCode: report.exitCode,
    durationMs: report.trials.reduce((sum, { durationMs }) => sum + durationMs, 0),
    properties: [
      ["tool", `${report.tool.name} ${report.tool.version}`],
      ["client", command],
      ["outcome", outcomeWords[report.outcome].word],
      ["exit-code", String(report.exitCode)],
    ],
    cases: [
      createRunCase(report),
      ...report.trials.flatMap((trial) => trial.checks.map((check) => createCheckCase(trial, check))),
    ],
  };
};

/** Renders `junit.xml` of trials: a suite for each trial, a case for each check. It has a failure or an error if and only if the exit code is not 0. */
export const renderClientJunit = (report: ClientReport): string => createJunitDocument([createClientCases(report)]);
