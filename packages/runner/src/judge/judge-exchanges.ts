import type { RecordedExchange } from "@assay/evidence";
import { concludeRun } from "@assay/results";
import type { IncompleteReason, RunFacts, RunResult } from "@assay/results";
import { allRules, createEvidenceJudge } from "@assay/rules";
import type { EvidenceJudge } from "@assay/rules";
import { answerKind } from "./answer-kind.ts";
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

/** Judges recorded exchanges: the same exchanges and settings give the same result. A web page is no stream to judge. */
export function judgeExchanges(input: JudgeInput): RunResult {
  const { exchanges, settings } = input;
  const rules = allRules.filter(({ id }) => settings.rules.includes(id));
  const judge = createEvidenceJudge(rules, { access: settings.access });
  const root = input.areStreams === true ? undefined : rootReason(exchanges);
  for (const exchange of exchanges) {
    addExchange(judge, exchange, input.areStreams === true || isStream(exchange, root !== undefined));
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

/** A web page is judged as a stream only where others of its kind were streams: then it is a departure. */
const isStream = (exchange: RecordedExchange, hasNoStream: boolean): boolean => {
  const kind = answerKind(exchange);
  return kind === "stream" || (kind === "web-page" && !hasNoStream);
};

function addExchange(judge: EvidenceJudge, exchange: RecordedExchange, isJudged: boolean): void {
  if (!isJudged || exchange.unreadable !== undefined) {
    judge.addWithoutStream(exchange.record);
    return;
  }
  const stream = judge.openStream(exchange.record);
  for (const { bytes, atMicros } of exchange.chunks()) {
    stream.push(bytes, atMicros);
  }
  const missing = failureOf(exchange);
  stream.finish(missing === undefined ? { ended: true } : { ended: false, missing });
}
