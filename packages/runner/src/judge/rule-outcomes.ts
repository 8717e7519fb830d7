import type { Finding, RuleId } from "@assay/contract";
import { isClosedEarly, visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { createEvidenceJudge } from "@assay/rules";
import type { EvidenceJudge, JudgedExchange, Rule, RuleOutcome, TargetFacts } from "@assay/rules";
import type { OnJudgeProgress } from "./judge-progress.ts";
import { describeFailure } from "./exchange-failures.ts";

/** The way an exchange is judged: as a stream, as a response without a stream, or as no response. */
export type Reading = "stream" | "answer" | "nothing";

/** The input of rules. */
export interface ShownEvidence {
  readonly exchanges: readonly RecordedExchange[];
  readonly readingOf: (exchange: RecordedExchange) => Reading;
  readonly target: TargetFacts;
  /** Whether streams that the server closed after `done` are treated as cut off, as in a load [false]. */
  readonly isOfLoad?: boolean;
  readonly onProgress?: OnJudgeProgress;
}

/** The outcomes of judging. */
export interface JudgedEvidence {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly judged: readonly JudgedExchange[];
  /** Permitted format choices that are not part of any outcome. */
  readonly formatChoices: readonly Finding[];
  /** The access mode inferred from searches without a token. Absent if it is unclear or was declared. */
  readonly foundAccess?: TargetFacts["foundAccess"];
  /** One message for each rule that threw. The outcome of such a rule has no result. */
  readonly crashes: readonly string[];
}

/**
 * Runs all rules. A rule that throws is a bug in the harness and is reported. To identify it, each rule is run alone, which yields the
 * same results. The other rules are not affected.
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
    onProgress?.({ step: "exchanges", done: index + 1, total: exchanges.length });
  }
  const { exchanges: judged, ...finished } = judge.finish();
  return { ...finished, judged };
}

function crashOf(rule: Rule, evidence: ShownEvidence): readonly (readonly [RuleId, string])[] {
  try {
    judgeBy([rule], evidence);
    return [];
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return [[rule.id, `the rule ${rule.id} failed: ${visibleText(message, 200)}`]];
  }
}

/** The outcome of a rule that threw. */
export const crashedOutcome = (missing: string): RuleOutcome => ({
  observations: 0,
  findings: [],
  droppedViolations: 0,
  blockedBy: { kind: "limit", missing },
});

/** Adds one exchange to a judge as its reading requires. */
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
  // An unreadable body is judged as an empty stream, not as a response without a stream.
  for (const { bytes, atMicros } of exchange.unreadable === undefined ? exchange.chunks() : []) {
    stream.push(bytes, atMicros);
  }
  const failure = describeFailure(exchange);
  const isClosed = !isOfLoad && exchange.unreadable === undefined && isClosedEarly(exchange.record.end);
  stream.finish(failure === undefined ? { ended: true } : { ended: false, missing: failure, isClosed });
}
