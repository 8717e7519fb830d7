import type { Reporter } from "../../engine/reporter.ts";

/** Returns the reporter for an exchange. */
export type ReportFor = (exchange: string) => Reporter;

/** Reporters that pass each note on at most once per exchange, and everything else unchanged. */
export function notesOnce(reportFor: ReportFor): ReportFor {
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
