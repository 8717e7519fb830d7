import type { RecordedExchange } from "@assay/evidence";
import { concludeRun } from "@assay/results";
import type { IncompleteReason, RunFacts, RunResult } from "@assay/results";
import { allRules, createEvidenceJudge } from "@assay/rules";
import type { EvidenceJudge } from "@assay/rules";
import { answerKind, isForeign } from "./answer-kind.ts";
import { isDoomed } from "./doomed-search.ts";
import { failureOf, failureReasons } from "./exchange-failures.ts";
import { exchangeSummaries } from "./exchange-summaries.ts";
import { gapRows } from "./gap-observations.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { rootReason } from "./root-reason.ts";
import { ruleVerdicts } from "./rule-verdicts.ts";

/** What is judged, and what else the result depends on. */
export interface JudgeInput {
  readonly exchanges: readonly RecordedExchange[];
  readonly settings: JudgeSettings;
  readonly tool: RunResult["tool"];
  readonly run: RunResult["run"];
  /** Why driving ended early, and what is wrong with the evidence. */
  readonly incomplete?: readonly IncompleteReason[];
  readonly interrupted?: RunFacts["interrupted"];
  /** Whether every body is judged as a stream, whatever it looks like; for bytes that somebody says are one. */
  readonly areStreams?: boolean;
}

/**
 * Judges recorded exchanges: the same exchanges and settings give the same result. What stands in the place of every
 * stream is not judged.
 */
export function judgeExchanges(input: JudgeInput): RunResult {
  const { exchanges, settings } = input;
  const rules = allRules.filter(({ id }) => settings.rules.includes(id));
  const judge = createEvidenceJudge(rules, { access: settings.access });
  const root = input.areStreams === true ? undefined : rootReason(exchanges);
  const readingOf = readings(input, root !== undefined);
  for (const exchange of exchanges) {
    addExchange(judge, exchange, input.areStreams === true ? "stream" : readingOf(exchange));
  }
  const { outcomes, exchanges: judged } = judge.finish();
  const lookup = new Map(exchanges.map((exchange) => [exchange.record.id, exchange]));
  const verdicts = ruleVerdicts({ outcomes, settings, lookup });
  const reasons = root === undefined ? [...(input.incomplete ?? []), ...failureReasons(exchanges)] : [root];
  const { outcome, exitCode, summary, incomplete, counts } = concludeRun({
    verdicts,
    incomplete: reasons,
    strict: settings.strict,
    ...(input.interrupted === undefined ? {} : { interrupted: input.interrupted }),
  });
  const observed = [...outcomes.values()].flatMap(({ findings }) =>
    findings.filter(({ kind }) => kind === "observation"),
  );
  return {
    schemaVersion: 1,
    tool: input.tool,
    run: input.run,
    outcome,
    exitCode,
    summary,
    incomplete,
    counts,
    verdicts,
    gaps: gapRows(judged, observed),
    exchanges: exchangeSummaries(exchanges, judged),
  };
}

/** What an exchange is taken for: a stream to be judged, an answer without one, or no answer. */
type Reading = "stream" | "answer" | "nothing";

/**
 * Content that is no stream is judged as one only where others of its kind were streams: then it is a departure. For a
 * search that may be refused it is a way of refusing, as long as no search with the same credential was answered with
 * events; for the query that cannot be understood it is a way of saying so. In the place of every answer it shows nothing,
 * not even who may search.
 */
function readings({ exchanges, settings }: JudgeInput, hasNoStream: boolean): (exchange: RecordedExchange) => Reading {
  const kinds = new Map(exchanges.map((exchange) => [exchange, answerKind(exchange)]));
  const hasEvents = (exchange: RecordedExchange): boolean => kinds.get(exchange) === "stream" && !isEmpty(exchange);
  const streamed = new Set(exchanges.filter(hasEvents).map(({ record }) => record.credential));
  const mayRefuse = ({ record: { credential } }: RecordedExchange): boolean =>
    settings.access !== "public" &&
    (credential === "none" || credential === "invalid-token") &&
    !streamed.has(credential);
  return (exchange) => {
    const kind = kinds.get(exchange) ?? "nothing";
    const isOther = isForeign(kind) || (kind === "stream" && isEmpty(exchange));
    if (!isOther) {
      return kind === "stream" ? "stream" : "answer";
    }
    if (hasNoStream) {
      return "nothing";
    }
    return mayRefuse(exchange) || isDoomed(exchange) ? "answer" : "stream";
  };
}

const isEmpty = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined && record.end.kind === "complete" && record.response?.body.bytes === 0;

function addExchange(judge: EvidenceJudge, exchange: RecordedExchange, reading: Reading): void {
  if (reading !== "stream") {
    const { response, ...unanswered } = exchange.record;
    judge.addWithoutStream(reading === "nothing" || response === undefined ? unanswered : exchange.record);
    return;
  }
  const stream = judge.openStream(exchange.record);
  // A body that cannot be read is a stream of which nothing arrived, never an answer without a stream.
  for (const { bytes, atMicros } of exchange.unreadable === undefined ? exchange.chunks() : []) {
    stream.push(bytes, atMicros);
  }
  const missing = failureOf(exchange);
  stream.finish(missing === undefined ? { ended: true } : { ended: false, missing });
}
