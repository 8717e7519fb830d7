import { historyCodes } from "./history-report.ts";
import type { HistoryCode, HistoryFinding } from "./history-report.ts";

/** Keeps the earliest findings of each code and counts the rest. Which ones it keeps does not depend on their order. */
export interface FindingCollector {
  add(finding: HistoryFinding): void;
  readonly findings: () => readonly HistoryFinding[];
  readonly dropped: () => Readonly<Partial<Record<HistoryCode, number>>>;
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const byTime = (a: HistoryFinding, b: HistoryFinding): number =>
  a.second.sentAtMicros - b.second.sentAtMicros ||
  a.first.endedAtMicros - b.first.endedAtMicros ||
  byText(a.conversation, b.conversation) ||
  (a.question ?? -1) - (b.question ?? -1) ||
  historyCodes.indexOf(a.code) - historyCodes.indexOf(b.code) ||
  byText(a.message, b.message);

export function createFindingCollector(maxFindingsPerCode: number): FindingCollector {
  const kept = new Map<HistoryCode, HistoryFinding[]>();
  const counts = new Map<HistoryCode, number>();
  const trimmed = (findings: HistoryFinding[]): HistoryFinding[] => findings.sort(byTime).slice(0, maxFindingsPerCode);
  return {
    add(finding) {
      const { code } = finding;
      const findings = kept.get(code) ?? [];
      findings.push(finding);
      counts.set(code, (counts.get(code) ?? 0) + 1);
      // Sorting only when there are twice too many keeps the work linear but for a logarithm.
      kept.set(code, findings.length > 2 * maxFindingsPerCode + 64 ? trimmed(findings) : findings);
    },
    findings: () => [...kept.values()].flatMap(trimmed).sort(byTime),
    dropped: () =>
      Object.fromEntries(
        Array.from(counts, ([code, count]) => [code, Math.max(0, count - maxFindingsPerCode)] as const).filter(
          ([, count]) => count > 0,
        ),
      ),
  };
}
