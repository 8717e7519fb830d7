import type { Finding, RuleId } from "@assay/contract";
import { isClosedEarly, visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { createEvidenceJudge } from "@assay/rules";
import type { EvidenceJudge, JudgedExchange, Rule, RuleOutcome, TargetFacts } from "@assay/rules";
import type { OnJudgeProgress } from "./judge-progress.ts";
import { failureOf } from "./exchange-failures.ts";

/** How an exchange is read: as a stream, an answer without a stream, or no answer. */
export type Reading = "stream" | "answer" | "nothing";

/** The input of rules. */
export interface ShownEvidence {
  readonly exchanges: readonly RecordedExchange[];
  readonly readingOf: (exchange: RecordedExchange) => Reading;
  readonly target: TargetFacts;
  /** Whether streams that the server closed after `done` count as cut off, as in a load [false]. */
  readonly isOfLoad?: boolean;
  readonly onProgress?: OnJudgeProgress;
}

/** The outcomes of judging. */
export interface JudgedEvidence {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly judged: readonly JudgedExchange[];
  /** Permitted choices of the format that are not in any outcome. */
  readonly formatChoices: readonly Finding[];
  /** How the target answered searches without a token, if that is clear and access was not declared. */
  readonly foundAccess?: TargetFacts["foundAccess"];
  /** A sentence for each rule that threw; its outcome only lacks a result. */
  readonly crashes: readonly string[];
}

/**
 * The outcomes of all rules. A rule that throws is a bug of the harness: it is found by running each rule alone, which gives the same
 * results, and reported. It does not affect the other rules.
 */
export function ruleOutcomes(rules: readonly Rule[], evidence: ShownEvidence): JudgedEvidence {
  try {
    return { ...judgeBy(rules, evidence), crashes: [] };
  } catch (cause) {
    const thrown = new Map(rules.flatMap((rule) => crashOf(rule, evidence)));
    if (thrown.size === 0) {
      throw cause;
    }
    const { outcomes, ...judged } = judgeBy(
      rules.filter(({ id }) => !thrown.has(id)),
      evidence,
    );
    const crashed = [...thrown].map(([id, why]) => [id, crashedOutcome(why)] as const);
    return { ...judged, outcomes: new Map([...outcomes, ...crashed]), crashes: [...thrown.values()] };
  }
}

function judgeBy(
  rules: readonly Rule[],
  { exchanges, readingOf, target, isOfLoad = false, onProgress }: ShownEvidence,
) {
  const records = exchanges.map(({ record }) => record);
  const judge = createEvidenceJudge(rules, target, records);
  for (const [index, exchange] of exchanges.entries()) {
    addExchange(judge, exchange, { reading: readingOf(exchange), isOfLoad });
    onProgress?.({ step: "exchanges", done: index + 1, all: exchanges.length });
  }
  const { exchanges: judged, ...finished } = judge.finish();
  return { ...finished, judged };
}

function crashOf(rule: Rule, evidence: ShownEvidence): readonly (readonly [RuleId, string])[] {
  try {
    judgeBy([rule], evidence);
    return [];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return [[rule.id, `the rule ${rule.id} failed: ${visibleText(why, 200)}`]];
  }
}

/** The outcome of a rule that threw. */
export const crashedOutcome = (missing: string): RuleOutcome => ({
  observations: 0,
  findings: [],
  droppedViolations: 0,
  blockedBy: { kind: "limit", missing },
});

/** Adds one exchange to a judge according to its reading. */
export function addExchange(
  judge: EvidenceJudge,
  exchange: RecordedExchange,
  { reading, isOfLoad = false }: { readonly reading: Reading } & Pick<ShownEvidence, "isOfLoad">,
): void {
  if (reading !== "stream") {
    const { response, ...unanswered } = exchange.record;
    judge.addWithoutStream(reading === "nothing" || response === undefined ? unanswered : exchange.record);
    return;
  }
  const stream = judge.openStream(exchange.record);
  // An unreadable body is a stream without content, never an answer without a stream.
  for (const { bytes, atMicros } of exchange.unreadable === undefined ? exchange.chunks() : []) {
    stream.push(bytes, atMicros);
  }
  const missing = failureOf(exchange);
  const isClosed = !isOfLoad && exchange.unreadable === undefined && isClosedEarly(exchange.record.end);
  stream.finish(missing === undefined ? { ended: true } : { ended: false, missing, isClosed });
}
