import { setImmediate as nextTurn } from "node:timers/promises";
import { defined, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import {
  cachePerObject,
  createEvidenceJudge,
  HistoryCache,
  judgeConversations,
  mutationsOf,
  proofEvidence,
  proveRule,
} from "@assay/rules";
import type {
  Mutation,
  MutationTrial,
  ConversationRule,
  Edit,
  JudgedExchange,
  ProofEvidence,
  RecordedCall,
  Rule,
  RuleOutcome,
  TargetFacts,
} from "@assay/rules";
import type { OnJudgeProgress } from "./judge-progress.ts";
import { addExchange } from "./rule-outcomes.ts";
import type { EvidenceKind } from "./rule-outcomes.ts";
import type { ServedApi } from "./served-api.ts";
import { toRecordedCall } from "./recorded-call.ts";

/** The streams on which rules are judged again. */
export interface StreamsForProof {
  readonly rules: readonly Rule[];
  readonly exchanges: readonly RecordedExchange[];
  readonly judgedExchanges: readonly JudgedExchange[];
  readonly classify: (exchange: RecordedExchange) => EvidenceKind;
}

/** The evidence on which rules are judged again. */
export interface JudgedForProof {
  readonly target: TargetFacts;
  readonly streams: StreamsForProof;
  readonly conversations: {
    readonly rules: readonly ConversationRule[];
    readonly exchanges: readonly RecordedExchange[];
    readonly calls: readonly RecordedCall[];
    /** Requests for the OpenAPI document of the target. */
    readonly references: readonly RecordedExchange[];
    readonly servedApi: Pick<ServedApi, "api" | "reference">;
  };
}

/**
 * Budget for the proofs about streams, and again for those about conversations: the bytes of edited responses, plus an equivalent number
 * of bytes for every other exchange that is judged again. An ordinary run uses a fifth of it. The budget is in bytes and not in time, so
 * that verdicts are reproducible.
 */
const maxProofBytes = 256 * 1024 * 1024;
const bytesPerExchange = 1024;

/**
 * Proves the rules in `passedRules`, a map from rule to number of observations. Judges each rule alone, on edited evidence. A rule has no
 * proof if streams were too large to edit, the budget was used up, or the rule threw.
 */
export function proveRules(...input: Parameters<typeof startProofs>): Proofs {
  const steps = startProofs(...input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

/** Like `proveRules`, but gives way to other tasks of this thread before each rule. */
export async function proveRulesInTurns(...input: Parameters<typeof startProofs>): Promise<Proofs> {
  const steps = startProofs(...input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
    await nextTurn();
  }
}

/** The trials of each proven rule. */
type Proofs = ReadonlyMap<RuleId, readonly MutationTrial[]>;

/** Yields before each rule. Returns the proofs. */
function* startProofs(
  judged: JudgedForProof,
  passedRules: ReadonlyMap<string, number>,
  { mutationsOf: mutationsFor = mutationsOf, evidence = toProofEvidence(judged), onProgress }: ProofOptions = {},
): Generator<undefined, Proofs> {
  const { streams, conversations } = judged;
  const originals = new Map(
    [...streams.exchanges, ...conversations.exchanges, ...conversations.references].map((exchange) => [
      exchange.record.id,
      exchange,
    ]),
  );
  const judgeStreams = createStreamJudge(judged);
  const proofs = new Map<RuleId, readonly MutationTrial[]>();
  let remainingBytes = maxProofBytes;
  let doneCount = 0;
  const prove = (rule: RuleId, ruleJudge: RuleJudge): void => {
    const observations = passedRules.get(rule);
    if (observations === undefined) {
      return;
    }
    onProgress?.({ step: "rules", done: doneCount, total: passedRules.size });
    doneCount += 1;
    let hasCrashed = false;
    const judgeEdit = (edit: Edit): RuleOutcome | undefined => {
      remainingBytes -= countBytes(edit) + ruleJudge.exchangeCount * bytesPerExchange;
      try {
        return remainingBytes < 0 ? undefined : ruleJudge.judge(edit);
      } catch {
        // A rule that throws on edited evidence has no proof. The run is not affected.
        hasCrashed = true;
        return undefined;
      }
    };
    // Rules about open sets only report notes, so a new note is treated as a failure.
    const isOpenSet = ruleRecord(rule).basis === "observed";
    const detects = (edit: Edit, mutation: Mutation): boolean => {
      const outcome = judgeEdit(edit);
      if (outcome === undefined) {
        return false;
      }
      return isOpenSet
        ? hasNewMessage(outcome, judgeEdit(restoreOriginals(edit, originals)))
        : hasViolation(outcome) || losesObservation(mutation, outcome.observations, observations);
    };
    const proof = remainingBytes < 0 ? [] : proveRule(mutationsFor(rule), evidence, detects);
    const isPartial = evidence.isPartial || remainingBytes < 0 || hasCrashed;
    if (!isPartial || isConfirmed(proof)) {
      proofs.set(rule, proof);
    }
  };
  for (const rule of streams.rules) {
    const exchangeCount = rule.needs === "exchanges" ? streams.exchanges.length : 0;
    yield;
    prove(rule.id, { exchangeCount, judge: (edit) => judgeStreams([rule], edit).get(rule.id) });
  }
  remainingBytes = maxProofBytes;
  for (const rule of conversations.rules) {
    const exchangeCount = conversations.exchanges.length;
    yield;
    prove(rule.id, { exchangeCount, judge: (edit) => judgeEditedConversations(judged, [rule], edit).get(rule.id) });
  }
  return proofs;
}

/** Reports whether a rule has mutations and detects each that is not optional. */
export const isConfirmed = (
  proof: readonly { readonly confirmed?: object | undefined; readonly isOptional?: boolean }[],
): boolean =>
  proof.length > 0 && proof.every(({ confirmed, isOptional }) => confirmed !== undefined || isOptional === true);

/** Options of `proveRules`. */
interface ProofOptions {
  /** Returns the mutations to try for a rule. Default: all. */
  readonly mutationsOf?: (rule: RuleId) => readonly Mutation[];
  /** The evidence to edit. Default: the judged one. */
  readonly evidence?: ProofEvidence;
  readonly onProgress?: OnJudgeProgress | undefined;
}

/** Judges one rule again, on edited evidence. */
interface RuleJudge {
  /** Number of exchanges it reads in addition to the edited ones. */
  readonly exchangeCount: number;
  readonly judge: (edit: Edit) => RuleOutcome | undefined;
}

const countBytes = ({ replacements }: Edit): number =>
  replacements.reduce((sum, { record }) => sum + (record.response?.body.bytes ?? 0), 0);

/** Reports whether a rule lost an observation, or all observations if the mutation requires that. */
const losesObservation = ({ removesObservations }: Mutation, remainingCount: number, originalCount: number): boolean =>
  removesObservations === "all" ? remainingCount === 0 : removesObservations === true && remainingCount < originalCount;

/** Reports whether a rule has a violation. */
export const hasViolation = ({ findings }: RuleOutcome): boolean => findings.some(({ kind }) => kind === "violation");

/** Reports whether a rule has a message that it did not have before. */
function hasNewMessage(outcome: RuleOutcome, originalOutcome: RuleOutcome | undefined): boolean {
  const messagesBefore = new Set(originalOutcome?.findings.map(({ message }) => message));
  return outcome.findings.some(({ message }) => !messagesBefore.has(message));
}

/** Returns an edit with the original exchanges. */
function restoreOriginals({ effect, replacements }: Edit, originals: ReadonlyMap<string, RecordedExchange>): Edit {
  const [first, ...others] = replacements;
  const findOriginal = (exchange: RecordedExchange): RecordedExchange => originals.get(exchange.record.id) ?? exchange;
  return { effect, replacements: [findOriginal(first), ...others.map(findOriginal)] };
}

/** Marks streams that the server closed after `done` as complete, because an edit may remove `done`. */
function markClosedAfterDone({ exchanges, judgedExchanges }: JudgedForProof["streams"]): readonly RecordedExchange[] {
  const endedIds = new Set(
    judgedExchanges.flatMap(({ record, stream }) => (stream?.isComplete === true ? record.id : [])),
  );
  return exchanges.map((exchange) => {
    const { record } = exchange;
    return record.end.kind === "failed" && endedIds.has(record.id)
      ? { ...exchange, record: { ...record, end: { kind: "complete" } } }
      : exchange;
  });
}

/** Returns the part of the judged evidence that proofs edit. */
export function toProofEvidence({ streams, conversations }: JudgedForProof): ProofEvidence {
  const { classify } = streams;
  const exchanges = markClosedAfterDone(streams);
  const isStream = (exchange: RecordedExchange): boolean => classify(exchange) === "stream";
  return proofEvidence({
    streams: exchanges.filter(isStream),
    searchesWithoutStream: exchanges.filter((exchange) => !isStream(exchange)),
    calls: conversations.exchanges.flatMap((exchange, index) => {
      const call = conversations.calls[index];
      return call === undefined ? [] : [[exchange, call] as const];
    }),
    reference: {
      exchanges: conversations.references,
      responses: conversations.servedApi.reference ?? [],
      api: conversations.servedApi.api,
    },
  });
}

/** Creates a function that judges rules about streams again. Reuses the results of unedited streams. */
export function createStreamJudge({ target, streams: { exchanges, judgedExchanges, classify } }: JudgedForProof) {
  const exchangesById = new Map(judgedExchanges.map((exchange) => [exchange.record.id, exchange]));
  const records = exchanges.map(({ record }) => record);
  return (rules: readonly Rule[], { replacements }: Edit): ReadonlyMap<RuleId, RuleOutcome> => {
    const replacementsById = new Map(replacements.map((exchange) => [exchange.record.id, exchange]));
    const areIndependent = rules.every(({ needs }) => needs !== "exchanges");
    const judge = createEvidenceJudge(rules, target, areIndependent ? {} : { records });
    for (const exchange of areIndependent ? replacements : exchanges) {
      const replacement = replacementsById.get(exchange.record.id);
      const originalExchange = exchangesById.get(exchange.record.id);
      if (replacement !== undefined) {
        addExchange(judge, replacement, { kind: classify(replacement) });
      } else if (originalExchange !== undefined) {
        judge.addJudgedExchange(originalExchange);
      }
    }
    return judge.finish().outcomes;
  };
}

const historyCacheOf = cachePerObject<JudgedForProof["conversations"], HistoryCache>(() => new HistoryCache());

/** Judges rules about conversations again. Unedited calls are not read again. */
export function judgeEditedConversations(
  { target, conversations }: JudgedForProof,
  rules: readonly ConversationRule[],
  { replacements, ...edit }: Edit,
): ReadonlyMap<RuleId, RuleOutcome> {
  const { exchanges, calls, servedApi } = conversations;
  const historyCache = historyCacheOf(conversations);
  const replacementsById = new Map(replacements.map((exchange) => [exchange.record.id, exchange]));
  const editedCalls = exchanges.flatMap(({ record }, index) => {
    const replacement = replacementsById.get(record.id);
    return replacement === undefined ? (calls[index] ?? []) : toRecordedCall(replacement);
  });
  const { api = servedApi.api, reference = servedApi.reference ?? [] } = edit;
  return judgeConversations({ rules, target, calls: editedCalls, reference, historyCache, ...defined({ api }) })
    .outcomes;
}
