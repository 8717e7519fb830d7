import { defined } from "@assay/contract";
import type { Finding, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { runAllowance } from "./allowance.ts";
import { detectAccess } from "./detect-access.ts";
import { createResultCollector } from "./result-facts.ts";
import { createOutcomeBuilder, maxKeptFindings, mergeOutcomes } from "./rule-outcome.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import type { AccessFacts, ExchangeRule, JudgedExchange, Rule } from "./rule.ts";
import { createStreamJudge } from "./stream-judge.ts";
import type { StreamJudge, StreamJudgeOptions } from "./stream-judge.ts";

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

/** The results of judging some of the exchanges of a run. It contains only values that can be sent to another thread. */
export interface JudgedShare {
  /** The outcomes of the rules about single streams. */
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly formatChoices: readonly Finding[];
  readonly exchanges: readonly JudgedExchange[];
}

/** Judges the exchanges of a run one by one. The result depends only on its input. */
export interface EvidenceJudge {
  /** Starts an exchange whose response is a stream. Push its bytes, then call `finish`. `onEvent` is called with each event. */
  openStream(record: ExchangeRecord, onEvent?: StreamJudgeOptions["onEvent"]): StreamJudge;
  /** Adds an exchange without a stream, for example one that was refused, redirected or got no response. */
  addWithoutStream(record: ExchangeRecord): void;
  /** Adds an exchange that is already judged, for rules about several exchanges of which only some changed. */
  addJudgedExchange(exchange: JudgedExchange): void;
  /** Returns the outcomes so far of the rules about single streams, for `mergeShares`. */
  finishShare(): JudgedShare;
  /** Judges the rules that need all exchanges, and returns the outcome of every rule. */
  finish(): JudgedEvidence;
}

/**
 * Creates a judge for the given rules. Its memory use does not depend on the size of the streams. Rules that compare
 * searches need `records`, the records of all exchanges of the run. Without them these rules are not tested. `shares` is
 * the number of judges for the run.
 */
export function createEvidenceJudge(
  rules: readonly Rule[],
  target: AccessFacts,
  { records = [], shares = 1 }: { readonly records?: readonly ExchangeRecord[]; readonly shares?: number } = {},
): EvidenceJudge {
  const comparedIds = findComparedIds(rules, records);
  const allowance = runAllowance(shares);
  const builders = new Map(
    rules.flatMap(({ id, needs }) => (needs === "exchanges" ? [] : [[id, createOutcomeBuilder()] as const])),
  );
  const formatBuilder = createOutcomeBuilder();
  const exchanges: JudgedExchange[] = [];
  const finishShare = (): JudgedShare => ({
    outcomes: new Map([...builders].map(([id, builder]) => [id, builder.build()])),
    formatChoices: formatBuilder.build().findings,
    exchanges,
  });
  return {
    openStream: (record, onEvent) =>
      createStreamJudge({
        rules,
        builders,
        formatBuilder,
        record,
        onEvent,
        ...(comparedIds.has(record.id) ? { collector: createResultCollector(allowance) } : {}),
        onFinish: (stream, results) => exchanges.push({ record, stream, ...defined({ results }) }),
      }),
    addWithoutStream: (record) => {
      exchanges.push({ record });
    },
    addJudgedExchange: (exchange) => void exchanges.push(exchange),
    finishShare,
    finish: () => mergeShares(rules, target, [finishShare()]),
  };
}

const findComparedIds = (rules: readonly Rule[], records: readonly ExchangeRecord[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap((rule) => (rule.needs === "exchanges" ? [...(rule.comparedExchangeIds?.(records) ?? [])] : [])),
  );

/** Merges the shares of a run, in the order of the evidence, and judges the rules that need all exchanges. */
export function mergeShares(
  rules: readonly Rule[],
  target: AccessFacts,
  shares: readonly JudgedShare[],
): JudgedEvidence {
  const exchanges = shares.flatMap((share) => share.exchanges);
  const foundAccess = target.access === "undeclared" ? (target.foundAccess ?? detectAccess(exchanges)) : undefined;
  const targetWithAccess = { ...target, ...defined({ foundAccess }) };
  const judgeRule = (rule: Rule): RuleOutcome =>
    rule.needs === "exchanges"
      ? applyExchangeRule(rule, targetWithAccess, exchanges)
      : shares.flatMap(({ outcomes }) => outcomes.get(rule.id) ?? []).reduce(mergeOutcomes);
  return {
    outcomes: new Map(rules.map((rule) => [rule.id, judgeRule(rule)])),
    formatChoices: shares.flatMap(({ formatChoices }) => formatChoices).slice(0, maxKeptFindings),
    exchanges,
    ...defined({ foundAccess }),
  };
}

function applyExchangeRule(rule: ExchangeRule, target: AccessFacts, exchanges: readonly JudgedExchange[]): RuleOutcome {
  const builder = createOutcomeBuilder();
  const notApplicable = rule.exclusionReason?.(target);
  if (notApplicable === undefined) {
    rule.check(exchanges, (exchange) => builder.reporterFor(exchange));
  }
  return { ...builder.build(), ...defined({ notApplicable }) };
}
