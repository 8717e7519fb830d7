import type { Reporter } from "../../engine/reporter.ts";

/** Returns the reporter for an exchange. */
export type ReportFor = (exchange: string) => Reporter;

/** Wraps reporters so that each note is reported at most once per exchange. */
export function dedupeNotes(reportFor: ReportFor): ReportFor {
  const reporters = new Map<string, Reporter>();
  return (exchange) => {
    const known = reporters.get(exchange);
    if (known !== undefined) {
      return known;
    }
    const report = dedupe(reportFor(exchange));
    reporters.set(exchange, report);
    return report;
  };
}

function dedupe(report: Reporter): Reporter {
  const noted = new Set<string>();
  return {
    observation: (count) => report.observation(count),
    violation: (finding) => report.violation(finding),
    blocked: (cause) => report.blocked(cause),
    notTested: (reason) => report.notTested(reason),
    note(finding) {
      const key = `${finding.code ?? ""} ${finding.message}`;
      if (!noted.has(key)) {
        noted.add(key);
        report.note(finding);
      }
    },
  };
}
