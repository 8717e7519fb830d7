import { toPositiveCount } from "../positive-count.ts";
import type { KnownFailure, ReportedFinding, RuleVerdict, Verdict } from "../verdict.ts";

/** A finding with every field, for tests. */
export const violation: ReportedFinding = {
  kind: "violation",
  message: "a comment line",
  code: "comment",
  argument: "keep-alive",
  exchange: "x1",
  event: 2,
  offset: 120,
  length: 6,
  pointer: "/0/type",
  standardClient: "same-events",
  excerpt: { offset: 100, before: "data: {}\\n\\n", marked: ": ping", after: "\\n\\nevent: done" },
  curl: "curl -sN 'http://127.0.0.1:3080/.api/search/stream?q=x'",
};

/** A permitted choice, for tests. */
export const observation: ReportedFinding = { kind: "note", message: "`data` comes before `event`" };

/** The entry of a rule that fails as listed. */
export const knownFailure: KnownFailure = {
  status: "known-failure",
  reason: "The proxy in front of staging sends a comment as keep-alive.",
  owner: "platform-team",
  expires: "2027-01-31",
  source: "known-failures.txt",
  line: 3,
};

/** The entry of a rule that passed although it is listed. */
export const fixedFailure: KnownFailure = { ...knownFailure, status: "fixed", line: 4 };

/** A passed verdict with `count` observations; not tested if the count is not positive. */
export const passedWith = (count: number): Verdict => {
  const observations = toPositiveCount(count);
  return observations === undefined ? { outcome: "not-tested" } : { outcome: "passed", observations };
};

/** One verdict of every outcome and every kind of block, by name. */
export const sampleVerdicts = {
  passed: passedWith(3),
  failed: { outcome: "failed", findings: [violation], moreFindings: 4, affectedExchanges: 3 },
  warned: { outcome: "warned", findings: [violation], moreFindings: 0 },
  "not observed": { outcome: "not-tested" },
  "not applicable": { outcome: "not-applicable", reason: "the target is declared private" },
  "no prerequisite": { outcome: "blocked", blockedBy: "prerequisite", missing: "no OAuth token is set" },
  "no transport": { outcome: "blocked", blockedBy: "transport", missing: "the connection was reset" },
  "over a limit": { outcome: "blocked", blockedBy: "limit", missing: "a line longer than 64 MiB" },
} as const satisfies Record<string, Verdict>;
export type SampleName = keyof typeof sampleVerdicts;

/** A rule with this verdict, for tests. */
export const ruleVerdict = (verdict: Verdict, changes: Partial<RuleVerdict> = {}): RuleVerdict => ({
  rule: "stream/done-is-last",
  interface: "stream",
  operation: "search",
  title: "`done` is the last event of a stream",
  basis: "stated",
  requirements: [
    { id: "search-stream#6.5-done", specification: "search-stream", section: "6", text: "`done` ends a stream" },
  ],
  mustTest: false,
  verdict,
  ...changes,
});
