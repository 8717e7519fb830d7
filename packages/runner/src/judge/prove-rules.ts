import { defined, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { mutationsOf, createEvidenceJudge, judgeConversations, proofEvidence, proveRule } from "@assay/rules";
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
import type { Reading } from "./rule-outcomes.ts";
import type { ServedApi } from "./served-api.ts";
import { recordedCall } from "./recorded-call.ts";

/** The evidence on which rules are judged again. */
export interface JudgedForProof {
  readonly target: TargetFacts;
  readonly streams: {
    readonly rules: readonly Rule[];
    readonly exchanges: readonly RecordedExchange[];
    readonly judged: readonly JudgedExchange[];
    readonly readingOf: (exchange: RecordedExchange) => Reading;
  };
  readonly conversations: {
    readonly rules: readonly ConversationRule[];
    readonly exchanges: readonly RecordedExchange[];
    readonly calls: readonly RecordedCall[];
    /** Requests for the OpenAPI document of the target. */
    readonly references: readonly RecordedExchange[];
    readonly served: Pick<ServedApi, "api" | "reference">;
  };
}

/**
 * Budget for the proofs of one run: the bytes of edited responses, plus an equivalent number of bytes for every other exchange that is
 * judged again. An ordinary run uses a fifth of it. The budget is in bytes and not in time, so that verdicts are reproducible.
 */
const maxProofBytes = 512 * 1024 * 1024;
const bytesOfExchange = 1024;

/**
 * Proves the rules that passed, which `held` contains with their numbers of observations. Judges each rule alone, on edited evidence. A
 * rule has no proof if streams were too large to edit, the budget was used up, or the rule threw.
 */
export function proveRules(
  judged: JudgedForProof,
  passedRules: ReadonlyMap<string, number>,
  { mutationsOf: mutationsFor = mutationsOf, evidence = toProofEvidence(judged), onProgress }: ProofOptions = {},
): ReadonlyMap<RuleId, readonly MutationTrial[]> {
  const { streams, conversations } = judged;
  const originals = new Map(
    [...streams.exchanges, ...conversations.exchanges, ...conversations.references].map((exchange) => [
      exchange.record.id,
      exchange,
    ]),
  );
  const streamOutcome = streamJudge(judged);
  const proofs = new Map<RuleId, readonly MutationTrial[]>();
  let remainingBytes = maxProofBytes;
  let done = 0;
  const prove = (rule: RuleId, judgeAgain: JudgeAgain): void => {
    const observations = passedRules.get(rule);
    if (observations === undefined) {
      return;
    }
    onProgress?.({ step: "rules", done, total: passedRules.size });
    done += 1;
    let hasCrashed = false;
    const judgeEdit = (edit: Edit): RuleOutcome | undefined => {
      remainingBytes -= countBytes(edit) + judgeAgain.exchanges * bytesOfExchange;
      try {
        return remainingBytes < 0 ? undefined : judgeAgain.outcomeOf(edit);
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
        ? hasNewMessage(outcome, judgeEdit(unedited(edit, originals)))
        : isBroken(outcome) || losesObservation(mutation, outcome.observations, observations);
    };
    const proof = remainingBytes < 0 ? [] : proveRule(mutationsFor(rule), evidence, detects);
    const isPartial = evidence.isPartial || remainingBytes < 0 || hasCrashed;
    if (
      !isPartial ||
      (proof.length > 0 && proof.every((mutation) => mutation.confirmed !== undefined || mutation.isOptional))
    ) {
      proofs.set(rule, proof);
    }
  };
  for (const rule of streams.rules) {
    const exchanges = rule.needs === "exchanges" ? streams.exchanges.length : 0;
    prove(rule.id, { exchanges, outcomeOf: (edit) => streamOutcome([rule], edit).get(rule.id) });
  }
  for (const rule of conversations.rules) {
    const exchanges = conversations.exchanges.length;
    prove(rule.id, { exchanges, outcomeOf: (edit) => conversationOutcomes(judged, [rule], edit).get(rule.id) });
  }
  return proofs;
}

/** Options of `proveRules`. */
interface ProofOptions {
  /** Returns the mutations to try for a rule [all]. */
  readonly mutationsOf?: (rule: RuleId) => readonly Mutation[];
  /** The evidence to edit [the judged one]. */
  readonly evidence?: ProofEvidence;
  readonly onProgress?: OnJudgeProgress | undefined;
}

/** Judges one rule again, on edited evidence. */
interface JudgeAgain {
  /** Number of exchanges it reads in addition to the edited ones. */
  readonly exchanges: number;
  readonly outcomeOf: (edit: Edit) => RuleOutcome | undefined;
}

const countBytes = ({ instead }: Edit): number =>
  instead.reduce((sum, { record }) => sum + (record.response?.body.bytes ?? 0), 0);

/** Reports whether a rule lost an observation, or all observations if the mutation requires that. */
const losesObservation = ({ removesObservations }: Mutation, after: number, before: number): boolean =>
  removesObservations === "all" ? after === 0 : removesObservations === true && after < before;

/** Reports whether a rule has a violation. */
export const isBroken = ({ findings }: RuleOutcome): boolean => findings.some(({ kind }) => kind === "violation");

/** Reports whether a rule has a message that it did not have before. */
function hasNewMessage(outcome: RuleOutcome, before: RuleOutcome | undefined): boolean {
  const messagesBefore = new Set(before?.findings.map(({ message }) => message));
  return outcome.findings.some(({ message }) => !messagesBefore.has(message));
}

/** Returns an edit with the original exchanges. */
function unedited({ effect, instead }: Edit, originals: ReadonlyMap<string, RecordedExchange>): Edit {
  const [first, ...more] = instead;
  const original = (exchange: RecordedExchange): RecordedExchange => originals.get(exchange.record.id) ?? exchange;
  return { effect, instead: [original(first), ...more.map(original)] };
}

/** Marks streams that the server closed after `done` as complete, because an edit may remove `done`. */
function asEnded({ exchanges, judged }: JudgedForProof["streams"]): readonly RecordedExchange[] {
  const endedIds = new Set(judged.flatMap(({ record, stream }) => (stream?.isEnded === true ? record.id : [])));
  return exchanges.map((exchange) => {
    const { record } = exchange;
    return record.end.kind === "failed" && endedIds.has(record.id)
      ? { ...exchange, record: { ...record, end: { kind: "complete" } } }
      : exchange;
  });
}

/** Returns the part of the judged evidence that proofs edit. */
export function toProofEvidence({ streams, conversations }: JudgedForProof): ProofEvidence {
  const { readingOf } = streams;
  const exchanges = asEnded(streams);
  const isStream = (exchange: RecordedExchange): boolean => readingOf(exchange) === "stream";
  return proofEvidence({
    streams: exchanges.filter(isStream),
    answers: exchanges.filter((exchange) => !isStream(exchange)),
    calls: conversations.exchanges.flatMap((exchange, index) => {
      const call = conversations.calls[index];
      return call === undefined ? [] : [[exchange, call] as const];
    }),
    reference: {
      exchanges: conversations.references,
      answers: conversations.served.reference ?? [],
      api: conversations.served.api,
    },
  });
}

/** Creates a function that judges rules about streams again. Reuses the results of unedited streams. */
export function streamJudge({ target, streams: { exchanges, judged, readingOf } }: JudgedForProof) {
  const exchangesById = new Map(judged.map((exchange) => [exchange.record.id, exchange]));
  const records = exchanges.map(({ record }) => record);
  return (rules: readonly Rule[], { instead }: Edit): ReadonlyMap<RuleId, RuleOutcome> => {
    const edited = new Map(instead.map((exchange) => [exchange.record.id, exchange]));
    const areAlone = rules.every(({ needs }) => needs !== "exchanges");
    const judge = createEvidenceJudge(rules, target, areAlone ? [] : records);
    for (const exchange of areAlone ? instead : exchanges) {
      const replacement = edited.get(exchange.record.id);
      const before = exchangesById.get(exchange.record.id);
      if (replacement !== undefined) {
        addExchange(judge, replacement, { reading: readingOf(replacement) });
      } else if (before !== undefined) {
        judge.addJudged(before);
      }
    }
    return judge.finish().outcomes;
  };
}

/** Judges rules about conversations again. Unedited calls are not read again. */
export function conversationOutcomes(
  { target, conversations: { exchanges, calls, served } }: JudgedForProof,
  rules: readonly ConversationRule[],
  { instead, ...edit }: Edit,
): ReadonlyMap<RuleId, RuleOutcome> {
  const edited = new Map(instead.map((exchange) => [exchange.record.id, exchange]));
  const replacements = exchanges.flatMap(({ record }, index) => {
    const replacement = edited.get(record.id);
    return replacement === undefined ? (calls[index] ?? []) : recordedCall(replacement);
  });
  const { api = served.api, reference = served.reference ?? [] } = edit;
  return judgeConversations({ rules, target, calls: replacements, reference, ...defined({ api }) }).outcomes;
}
