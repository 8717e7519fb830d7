import type { RecordedExchange } from "@assay/evidence";
import { concludeRun } from "@assay/results";
import type { IncompleteReason, RuleVerdict, RunFacts, RunResult } from "@assay/results";
import { allRules } from "@assay/rules";
import type { Rule } from "@assay/rules";
import { applyKnownFailures } from "../known-failures/apply-known-failures.ts";
import type { KnownFailureList } from "../known-failures/known-failure-entry.ts";
import { answerKind, isForeign } from "./answer-kind.ts";
import { isDoomed } from "./doomed-search.ts";
import { failureReasons } from "./exchange-failures.ts";
import { exchangeSummaries } from "./exchange-summaries.ts";
import { gapRows } from "./gap-observations.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { rootReason } from "./root-reason.ts";
import { ruleOutcomes } from "./rule-outcomes.ts";
import type { Reading } from "./rule-outcomes.ts";
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
  /** What is known to fail on which targets. */
  readonly knownFailures?: readonly KnownFailureList[];
  /** Implementations of the rules [all that there are]. */
  readonly rules?: readonly Rule[];
}

/**
 * Judges recorded exchanges: the same exchanges and settings give the same result. What stands in the place of every
 * stream is not judged.
 */
export function judgeExchanges(input: JudgeInput): RunResult {
  const { exchanges, settings } = input;
  const rules = (input.rules ?? allRules).filter(({ id }) => settings.rules.includes(id));
  const root = input.areStreams === true ? undefined : rootReason(exchanges);
  const readingOf = input.areStreams === true ? () => "stream" as const : readings(input, root !== undefined);
  const { outcomes, judged, crashes } = ruleOutcomes(rules, { exchanges, readingOf, access: settings.access });
  const lookup = new Map(exchanges.map((exchange) => [exchange.record.id, exchange]));
  const known = withKnownFailures(ruleVerdicts({ outcomes, settings, lookup }), input);
  const reasons = root === undefined ? [...(input.incomplete ?? []), ...failureReasons(exchanges)] : [root];
  const conclusion = concludeRun({
    verdicts: known.verdicts,
    incomplete: reasons,
    knownFailureMistakes: known.mistakes,
    strict: settings.strict,
    ...(crashes.length === 0 ? {} : { harnessError: crashes.join("; ") }),
    ...(input.interrupted === undefined ? {} : { interrupted: input.interrupted }),
  });
  const observed = [...outcomes.values()].flatMap(({ findings }) =>
    findings.filter(({ kind }) => kind === "observation"),
  );
  return {
    schemaVersion: 1,
    tool: input.tool,
    run: input.run,
    ...conclusion,
    ...(known.notes.length === 0 ? {} : { knownFailureNotes: known.notes }),
    verdicts: known.verdicts,
    gaps: gapRows(judged, observed),
    exchanges: exchangeSummaries(exchanges, judged),
  };
}

/** The verdicts with what is known of them; what is wrong with a list, and what of it did not show, as sentences. */
function withKnownFailures(verdicts: readonly RuleVerdict[], { knownFailures = [], run }: JudgeInput) {
  const entries = knownFailures.flatMap((list) => list.entries);
  const applied = applyKnownFailures(verdicts, entries, { target: run.target, startedAt: run.startedAt });
  return { ...applied, mistakes: [...knownFailures.flatMap(({ mistakes }) => mistakes), ...applied.mistakes] };
}

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
    settings.access !== "public" && badCredentials.has(credential) && !streamed.has(credential);
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

/** Credentials that a target need not accept. */
const badCredentials: ReadonlySet<string> = new Set(["none", "invalid-token", "unscoped-token"]);

const isEmpty = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined && record.end.kind === "complete" && record.response?.body.bytes === 0;
