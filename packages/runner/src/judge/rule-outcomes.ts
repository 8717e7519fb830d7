import type { Finding, RuleId } from "@assay/contract";
import { isClosedEarly, visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { createEvidenceJudge, mergeShares } from "@assay/rules";
import type { EvidenceJudge, JudgedExchange, JudgedShare, Rule, RuleOutcome, TargetFacts } from "@assay/rules";
import type { OnJudgeProgress } from "./judge-progress.ts";
import { describeFailure } from "./exchange-failures.ts";
import { createJudgedArrival } from "../timelines/stream-arrival.ts";
import type { JudgedArrival, StreamArrival } from "../timelines/stream-arrival.ts";

/** The way an exchange is judged: as a stream, as a response without a stream, or as no response. */
export type EvidenceKind = "stream" | "answer" | "nothing";

/** The input of rules. */
export interface RuleInput {
  readonly exchanges: readonly RecordedExchange[];
  /** The exchanges in consecutive shares, which different threads may judge. Default: one share. */
  readonly shares?: readonly (readonly RecordedExchange[])[];
  readonly classify: (exchange: RecordedExchange) => EvidenceKind;
  readonly target: TargetFacts;
  /** Whether streams that the server closed after `done` are treated as cut off, as in a load. Default: false. */
  readonly isFromLoad?: boolean;
  readonly onProgress?: OnJudgeProgress;
  /** Receives the arrivals of long streams, for their timelines. Default: they are not recorded. */
  readonly arrivals?: Map<string, StreamArrival>;
}

/** The outcomes of judging. */
export interface JudgedEvidence {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly judgedExchanges: readonly JudgedExchange[];
  /** Permitted format choices that are not part of any outcome. */
  readonly formatChoices: readonly Finding[];
  /** The access mode inferred from searches without a token. Absent if it is unclear or was declared. */
  readonly foundAccess?: TargetFacts["foundAccess"];
  /** One message for each rule that threw. The outcome of such a rule has no result. */
  readonly crashes: readonly string[];
}

/** Part of the bytes in the first share. Its thread also compares the bodies of both shares with their digests. */
const firstPart = 0.38;

/** Cuts exchanges into two shares of about the same work, or into one if all bodies together have at most `maxShareBytes`. */
export function splitIntoShares(
  exchanges: readonly RecordedExchange[],
  maxShareBytes: number,
): readonly (readonly RecordedExchange[])[] {
  const sizes = exchanges.map(({ record }) => record.response?.body.bytes ?? 0);
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (totalBytes <= maxShareBytes) {
    return [exchanges];
  }
  let bytesBefore = 0;
  const end = sizes.findIndex((bytes) => (bytesBefore += bytes) >= totalBytes * firstPart) + 1;
  return [exchanges.slice(0, end), exchanges.slice(end)];
}

/**
 * Runs all rules. `judgedShares` contains the shares if they are already judged. A rule that throws is a bug in the harness and is reported. To identify it, each rule is run alone, which yields the
 * same results. The other rules are not affected.
 */
export function judgeRules(
  rules: readonly Rule[],
  evidence: RuleInput,
  judgedShares?: readonly JudgedShare[],
): JudgedEvidence {
  try {
    return { ...judgeWith(rules, evidence, judgedShares), crashes: [] };
  } catch (cause) {
    const crashMessages = new Map(rules.flatMap((rule) => findCrash(rule, evidence)));
    if (crashMessages.size === 0) {
      throw cause;
    }
    const { outcomes, ...judged } = judgeWith(
      rules.filter(({ id }) => !crashMessages.has(id)),
      evidence,
    );
    const crashedOutcomes = [...crashMessages].map(([id, message]) => [id, createCrashedOutcome(message)] as const);
    return { ...judged, outcomes: new Map([...outcomes, ...crashedOutcomes]), crashes: [...crashMessages.values()] };
  }
}

function judgeWith(rules: readonly Rule[], evidence: RuleInput, judgedShares?: readonly JudgedShare[]) {
  const { shares = [evidence.exchanges], target } = evidence;
  const { exchanges: judgedExchanges, ...merged } = mergeShares(
    rules,
    target,
    judgedShares ?? shares.map((_, index) => judgeShare(rules, evidence, index)),
  );
  return { ...merged, judgedExchanges };
}

/** Judges one share of the exchanges. A rule may throw. */
export function judgeShare(rules: readonly Rule[], evidence: RuleInput, index: number): JudgedShare {
  const { exchanges, shares = [exchanges], classify, target, isFromLoad = false, onProgress, arrivals } = evidence;
  const records = exchanges.map(({ record }) => record);
  const judge = createEvidenceJudge(rules, target, { records, shares: shares.length });
  const judgedBefore = index === 0 ? 0 : (shares[0]?.length ?? 0);
  for (const [position, exchange] of (shares[index] ?? []).entries()) {
    addWithArrival(judge, exchange, { kind: classify(exchange), isFromLoad, arrivals });
    onProgress?.({ step: "exchanges", done: judgedBefore + position + 1, total: exchanges.length });
  }
  return judge.finishShare();
}

/** Streams below this size are read again for their timelines, so that a run of many streams does not keep an arrival of each. */
const minArrivalBytes = 1024 * 1024;

/** Adds one exchange to a judge. Records the arrival of a long stream. */
function addWithArrival(
  judge: EvidenceJudge,
  exchange: RecordedExchange,
  { arrivals, ...added }: AddedExchange & { readonly arrivals: RuleInput["arrivals"] | undefined },
): void {
  const { id, response, end } = exchange.record;
  if (arrivals === undefined || end.kind !== "complete" || (response?.body.bytes ?? 0) < minArrivalBytes) {
    addExchange(judge, exchange, added);
    return;
  }
  const recorder = createJudgedArrival();
  addExchange(judge, exchange, { ...added, arrival: recorder });
  const arrival = recorder.build();
  if (arrival !== undefined) {
    arrivals.set(id, arrival);
  }
}

function findCrash(rule: Rule, evidence: RuleInput): readonly (readonly [RuleId, string])[] {
  try {
    judgeWith([rule], evidence);
    return [];
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return [[rule.id, `the rule ${rule.id} failed: ${visibleText(message, 200)}`]];
  }
}

/** Returns the outcome of a rule that threw. */
export const createCrashedOutcome = (crash: string): RuleOutcome => ({
  observations: 0,
  findings: [],
  droppedViolations: 0,
  blockedBy: { kind: "limit", missing: crash },
});

/** The way an exchange is added to a judge. */
interface AddedExchange extends Pick<RuleInput, "isFromLoad"> {
  readonly kind: EvidenceKind;
  /** Records the events of a stream. */
  readonly arrival?: JudgedArrival | undefined;
}

/** Adds one exchange to a judge, as a stream or without one. */
export function addExchange(
  judge: EvidenceJudge,
  exchange: RecordedExchange,
  { kind, isFromLoad = false, arrival }: AddedExchange,
): void {
  if (kind !== "stream") {
    const { response, ...unanswered } = exchange.record;
    judge.addWithoutStream(kind === "nothing" || response === undefined ? unanswered : exchange.record);
    return;
  }
  const stream = judge.openStream(exchange.record, arrival?.addEvent);
  // An unreadable body is judged as an empty stream, not as a response without a stream.
  for (const { bytes, atMicros } of exchange.unreadable === undefined ? exchange.chunks() : []) {
    arrival?.addChunk(bytes.length, atMicros);
    stream.push(bytes, atMicros);
  }
  const failure = describeFailure(exchange);
  const isClosedByServer = !isFromLoad && exchange.unreadable === undefined && isClosedEarly(exchange.record.end);
  stream.finish(
    failure === undefined ? { isComplete: true } : { isComplete: false, missing: failure, isClosedByServer },
  );
}
