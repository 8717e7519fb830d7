export { allRules } from "./all-rules.ts";
export { createEvidenceJudge } from "./engine/evidence-judge.ts";
export type { EvidenceJudge } from "./engine/evidence-judge.ts";
export type { RuleObstacle } from "./engine/reporter.ts";
export { maxKeptFindings } from "./engine/rule-outcome.ts";
export type { RuleOutcome } from "./engine/rule-outcome.ts";
export type { JudgedExchange, Rule, TargetFacts } from "./engine/rule.ts";
export type { StreamFacts } from "./engine/stream-facts.ts";
export type { StreamJudge } from "./engine/stream-judge.ts";
