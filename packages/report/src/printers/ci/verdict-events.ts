import { defined } from "@assay/contract";
import {
  failsRun,
  type LoadResult,
  type LogEvent,
  ruleStanding,
  type RuleVerdict,
  type RunResult,
} from "@assay/results";

const findVerdictMessage = ({ verdict }: RuleVerdict): string | undefined => {
  switch (verdict.outcome) {
    case "failed":
    case "warned":
      return verdict.findings[0].message;
    case "not-applicable":
    case "not-tested":
      return verdict.reason;
    case "blocked":
      return verdict.missing;
    case "passed":
      return undefined;
  }
};

const createVerdictEvent = (rule: RuleVerdict, strict: boolean): LogEvent => {
  const message = findVerdictMessage(rule);
  return {
    event: "verdict",
    rule: rule.rule,
    interface: rule.interface,
    operation: rule.operation,
    standing: ruleStanding(rule),
    red: failsRun(rule, strict),
    ...defined({ message }),
  };
};

const listIncompleteEvents = ({ incomplete }: Pick<RunResult, "incomplete">): readonly LogEvent[] =>
  incomplete.map(({ code, message }) => ({ event: "incomplete", code, message }));

/** Creates the log events of a judged run except the last: each verdict, and each reason the run is incomplete. */
export const listVerdictEvents = (result: RunResult): readonly LogEvent[] => [
  ...result.verdicts.map((rule) => createVerdictEvent(rule, result.run.strict)),
  ...listIncompleteEvents(result),
];

/** Creates the log events of a load run: its thresholds, and the reasons it is incomplete. */
export const loadEvents = (result: LoadResult): readonly LogEvent[] => [
  ...result.thresholds.map(({ threshold, severity, ok }): LogEvent => ({
    event: "threshold",
    threshold,
    ...defined({ severity, ok }),
  })),
  ...listIncompleteEvents(result),
];
