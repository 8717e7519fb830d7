import { defined } from "@assay/contract";
import type { Finding, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { runAllowance } from "./allowance.ts";
import { detectAccess } from "./detect-access.ts";
import { createResultCollector } from "./result-facts.ts";
import { createOutcomeBuilder } from "./rule-outcome.ts";
import type { OutcomeBuilder, RuleOutcome } from "./rule-outcome.ts";
import type { AccessFacts, ExchangeRule, JudgedExchange, Rule } from "./rule.ts";
import { createStreamJudge } from "./stream-judge.ts";
import type { StreamJudge } from "./stream-judge.ts";

/** The results of judging the exchanges of a run. */
export interface JudgedEvidence {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  /** Permitted choices of the format that are in no outcome because their rule was not selected. */
  readonly formatChoices: readonly Finding[];
  readonly exchanges: readonly JudgedExchange[];
  /**
   * The access shown by the responses to searches without a token. Absent if access is declared or the responses
   * disagree.
   */
  readonly foundAccess?: AccessFacts["foundAccess"];
}

/** Judges the exchanges of a run one by one. The result depends only on its input. */
export interface EvidenceJudge {
  /** Starts an exchange whose response is a stream. Push its bytes, then call `finish`. */
  openStream(record: ExchangeRecord): StreamJudge;
  /** Adds an exchange without a stream, for example one that was refused, redirected or got no response. */
  addWithoutStream(record: ExchangeRecord): void;
  /** Adds an exchange that is already judged, for rules about several exchanges of which only some changed. */
  addJudgedExchange(exchange: JudgedExchange): void;
  /** Judges the rules that need all exchanges, and returns the outcome of every rule. */
  finish(): JudgedEvidence;
}

/**
 * Creates a judge for the given rules. Its memory use does not depend on the size of the streams. Rules that compare
 * searches need `records`, the records of all exchanges that will follow. Without them these rules are not tested.
 */
export function createEvidenceJudge(
  rules: readonly Rule[],
  target: AccessFacts,
  records: readonly ExchangeRecord[] = [],
): EvidenceJudge {
  const comparedIds = findComparedIds(rules, records);
  const allowance = runAllowance();
  const builders = new Map(rules.map((rule) => [rule.id, createOutcomeBuilder()] as const));
  const formatBuilder = createOutcomeBuilder();
  const exchanges: JudgedExchange[] = [];
  return {
    openStream: (record) =>
      createStreamJudge({
        rules,
        builders,
        formatBuilder,
        record,
        ...(comparedIds.has(record.id) ? { collector: createResultCollector(allowance) } : {}),
        onFinish: (stream, results) => exchanges.push({ record, stream, ...defined({ results }) }),
      }),
    addWithoutStream: (record) => {
      exchanges.push({ record });
    },
    addJudgedExchange: (exchange) => void exchanges.push(exchange),
    finish: () => {
      const foundAccess = target.access === "undeclared" ? (target.foundAccess ?? detectAccess(exchanges)) : undefined;
      return {
        outcomes: buildOutcomes({ rules, target: { ...target, ...defined({ foundAccess }) }, builders, exchanges }),
        formatChoices: formatBuilder.build().findings,
        exchanges,
        ...defined({ foundAccess }),
      };
    },
  };
}

const findComparedIds = (rules: readonly Rule[], records: readonly ExchangeRecord[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap((rule) => (rule.needs === "exchanges" ? [...(rule.comparedExchangeIds?.(records) ?? [])] : [])),
  );

interface Evidence {
  readonly rules: readonly Rule[];
  readonly target: AccessFacts;
  readonly builders: ReadonlyMap<RuleId, OutcomeBuilder>;
  readonly exchanges: readonly JudgedExchange[];
}

function buildOutcomes({ rules, target, builders, exchanges }: Evidence): ReadonlyMap<RuleId, RuleOutcome> {
  const outcomes = new Map<RuleId, RuleOutcome>();
  for (const rule of rules) {
    const builder = builders.get(rule.id) ?? createOutcomeBuilder();
    const notApplicable =
      rule.needs === "exchanges" ? applyExchangeRule(rule, { target, exchanges, builder }) : undefined;
    outcomes.set(rule.id, { ...builder.build(), ...defined({ notApplicable }) });
  }
  return outcomes;
}

function applyExchangeRule(
  rule: ExchangeRule,
  { target, exchanges, builder }: Pick<Evidence, "target" | "exchanges"> & { readonly builder: OutcomeBuilder },
): string | undefined {
  const exclusionReason = rule.exclusionReason?.(target);
  if (exclusionReason === undefined) {
    rule.check(exchanges, (exchange) => builder.reporterFor(exchange));
  }
  return exclusionReason;
}
