import type { Reporter } from "../../engine/reporter.ts";

/** Returns the reporter for an exchange. */
export type ReportFor = (exchange: string) => Reporter;

/** Wraps reporters so that each note is reported at most once per exchange. */
export function dedupeNotes(reportFor: ReportFor): ReportFor {
  const reporters = new Map<string, Reporter>();
  return (exchange) => {
    const reporter = reporters.get(exchange) ?? withoutRepeatedNotes(reportFor(exchange));
    reporters.set(exchange, reporter);
    return reporter;
  };
}

function withoutRepeatedNotes(report: Reporter): Reporter {
  const notedKeys = new Set<string>();
  return {
    observation: (count) => report.observation(count),
    violation: (finding) => report.violation(finding),
    blocked: (cause) => report.blocked(cause),
    notTested: (reason) => report.notTested(reason),
    note(finding) {
      const key = `${finding.code ?? ""} ${finding.message}`;
      if (!notedKeys.has(key)) {
        notedKeys.add(key);
        report.note(finding);
      }
    },
  };
}
