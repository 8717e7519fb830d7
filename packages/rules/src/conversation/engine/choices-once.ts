import type { Reporter } from "../../engine/reporter.ts";

/** How rules about several exchanges get their reporters. */
export type ReportFor = (exchange: string) => Reporter;

/** Reporters that tell each choice of the target at most once for each exchange; all else goes through. */
export function choicesOnce(reportFor: ReportFor): ReportFor {
  const reporters = new Map<string, Reporter>();
  return (exchange) => {
    const known = reporters.get(exchange);
    if (known !== undefined) {
      return known;
    }
    const report = onceEach(reportFor(exchange));
    reporters.set(exchange, report);
    return report;
  };
}

function onceEach(report: Reporter): Reporter {
  const noted = new Set<string>();
  return {
    observation: (count) => report.observation(count),
    violation: (finding) => report.violation(finding),
    blocked: (cause) => report.blocked(cause),
    notTested: (reason) => report.notTested(reason),
    note(finding) {
      const choice = `${finding.code ?? ""} ${finding.message}`;
      if (!noted.has(choice)) {
        noted.add(choice);
        report.note(finding);
      }
    },
  };
}
