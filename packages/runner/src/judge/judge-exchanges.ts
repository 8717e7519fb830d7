import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { refusableCredentials, visibleText } from "@assay/evidence";
import type { RecordedExchange, UnsentProbe } from "@assay/evidence";
import { concludeRun } from "@assay/results";
import type {
  ApiDocumentReport,
  ExchangeSummary,
  IncompleteReason,
  RuleVerdict,
  RunFacts,
  RunResult,
} from "@assay/results";
import { allRules, conversationRules, judgeConversations } from "@assay/rules";
import type {
  MutationTrial,
  ConversationRule,
  JudgedExchange,
  JudgedShare,
  RecordedCall,
  Rule,
  RuleOutcome,
  TargetFacts,
} from "@assay/rules";
import { pinnedApi, findUnobservedParts } from "@assay/openapi";
import type { ApiDescription } from "@assay/openapi";
import { applyKnownFailureLists } from "../known-failures/apply-known-failures.ts";
import type { KnownFailureRun } from "../known-failures/apply-known-failures.ts";
import type { KnownFailureList } from "../known-failures/known-failure-entry.ts";
import { findAnswerGroup, isSuccessWithoutStream } from "./answer-group.ts";
import { isInvalidQuerySearch } from "./invalid-query-search.ts";
import { describeFailure, collectFailureReasons } from "./exchange-failures.ts";
import { findCoverageReasons } from "./coverage-reasons.ts";
import { collectUnspecifiedRows } from "./unspecified-observations.ts";
import type { OnJudgeProgress } from "./judge-progress.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import type { StreamArrival, StreamArrivals } from "../timelines/stream-arrival.ts";
import { findRootReason } from "./root-reason.ts";
import { createCrashedOutcome, judgeRules, judgeShare, splitIntoShares } from "./rule-outcomes.ts";
import type { JudgedEvidence, EvidenceKind, RuleInput } from "./rule-outcomes.ts";
import { wasRetried, removeRetriedReads } from "./repeated-calls.ts";
import { createRuleVerdicts } from "./rule-verdicts.ts";
import type { ServedApi } from "./served-api.ts";
import { findUnservedInterfaces } from "./unserved-interfaces.ts";
import type { UnservedInterface } from "./unserved-interfaces.ts";
import { toRecordedCall } from "./recorded-call.ts";
import { isConfirmed, proveRules, proveRulesInTurns, toProofEvidence } from "./prove-rules.ts";
import type { JudgedForProof, StreamsForProof } from "./prove-rules.ts";
import { addProof, describeProofs } from "./with-proof.ts";
import type { ProofsByRule } from "./with-proof.ts";
import { adjustOutcomes, addReasons } from "./not-tested-reasons.ts";
import type { RunStop } from "./not-tested-reasons.ts";

/** The input of rules about conversations. */
interface ConversationInput {
  /** Calls of interfaces that exist. */
  readonly calls: readonly RecordedCall[];
  readonly target: TargetFacts;
  readonly servedApi: Pick<ServedApi, "api" | "reference">;
}

/** The outcomes of judging conversations. */
interface JudgedConversations {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  /** One message for each rule that threw. */
  readonly crashes: readonly string[];
}

/** Runs all rules about conversations. A rule that throws does not affect the others. */
function judgeConversationRules(
  rules: readonly ConversationRule[],
  { calls, target, servedApi: { api, reference = [] } }: ConversationInput,
): JudgedConversations {
  const judge = (rulesToJudge: readonly ConversationRule[]): ReadonlyMap<RuleId, RuleOutcome> =>
    judgeConversations({ rules: rulesToJudge, target, calls, reference, ...defined({ api }) }).outcomes;
  try {
    return { outcomes: judge(rules), crashes: [] };
  } catch {
    return judgeRulesSeparately(rules, judge);
  }
}

function judgeRulesSeparately(
  rules: readonly ConversationRule[],
  judge: (rules: readonly ConversationRule[]) => ReadonlyMap<RuleId, RuleOutcome>,
): JudgedConversations {
  const outcomes = new Map<RuleId, RuleOutcome>();
  const crashes: string[] = [];
  for (const rule of rules) {
    try {
      judge([rule]).forEach((outcome, id) => outcomes.set(id, outcome));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const crash = `the rule ${rule.id} failed: ${visibleText(message, 200)}`;
      outcomes.set(rule.id, createCrashedOutcome(crash));
      crashes.push(crash);
    }
  }
  return { outcomes, crashes };
}

/** Summarizes each request for the report. */
function summarizeExchanges(
  exchanges: readonly RecordedExchange[],
  judgedExchanges: readonly JudgedExchange[],
): readonly ExchangeSummary[] {
  const streamsById = new Map(judgedExchanges.map(({ record, stream }) => [record.id, stream]));
  return exchanges.map((exchange) => summarizeExchange(exchange, streamsById.get(exchange.record.id)));
}

function summarizeExchange(exchange: RecordedExchange, stream: JudgedExchange["stream"]): ExchangeSummary {
  const { id, probe, request, response, times } = exchange.record;
  // Streams that were closed after `done` are reported by a rule.
  const failure = stream?.isComplete === true ? undefined : describeFailure(exchange);
  const { events = 0, matches = 0, firstMatchAtMicros } = stream ?? {};
  return {
    id,
    probe,
    interface: exchange.record.interface,
    operation: exchange.record.operation,
    url: visibleText(request.url, 500),
    ...(response === undefined ? {} : { status: response.status }),
    bytes: response?.body.bytes ?? 0,
    events,
    matches,
    ...(firstMatchAtMicros === undefined ? {} : { firstMatchMicros: firstMatchAtMicros - times.sentAtMicros }),
    durationMicros: times.endedAtMicros - times.sentAtMicros,
    ...defined({ failure }),
  };
}

const noDocumentNote =
  "the target served no OpenAPI document that could be used, so the one that comes with the tool judged; --openapi names another";

/** Returns one sentence for each documented operation and status that does not occur in the exchanges. */
function describeUnseen(api: ApiDescription, exchanges: readonly RecordedExchange[]): readonly string[] {
  const { operations, responses } = findUnobservedParts(api, exchanges.map(toOperationStatus));
  return [
    ...operations.map(({ interface: name, operation }) => `${name} ${operation}: never asked`),
    ...responses.map(({ interface: name, operation, status }) => `${name} ${operation}: status ${status}`),
  ];
}

const toOperationStatus = ({ record }: RecordedExchange) => ({
  interface: record.interface,
  operation: record.operation,
  status: record.response?.status,
});

/** Reports the OpenAPI document used, its differences from the pinned one, and its parts that do not occur in the exchanges. */
function createApiReport(servedApi: ServedApi, exchanges: readonly RecordedExchange[]): ApiDocumentReport {
  const { api = pinnedApi(), address, sha256, notes } = servedApi;
  const isServed = servedApi.api !== undefined;
  return {
    source: isServed ? "served" : "pinned",
    ...defined({ address, sha256 }),
    notes: [...notes, ...api.notes, ...(isServed ? [] : [noDocumentNote])],
    differences: api.differences.map(({ operation, message }) => `${operation}: ${message}`),
    unseen: describeUnseen(api, exchanges),
  };
}

/** The exchanges to judge and all other inputs of the result. */
export interface JudgeInput {
  readonly exchanges: readonly RecordedExchange[];
  readonly settings: JudgeSettings;
  readonly tool: RunResult["tool"];
  readonly run: RunResult["run"];
  /** Reasons for an early end, and problems with the evidence. */
  readonly incomplete?: readonly IncompleteReason[];
  /** Needed probes that were not sent. Default: none. */
  readonly unsent?: readonly UnsentProbe[];
  readonly interrupted?: RunFacts["interrupted"];
  /** Whether every body is judged as a stream regardless of its content. Set it for bytes that are known to be a stream. */
  readonly treatsAllAsStreams?: boolean;
  /** Lists of known failures. */
  readonly knownFailures?: readonly KnownFailureList[];
  /** Selects the applicable entries of the known-failure lists. Default: the target and start of the run. */
  readonly knownFailureRun?: KnownFailureRun;
  /** One sentence that names what could not be removed from the target. */
  readonly cleanupFailure?: string;
  /** The cause if the run ended early. Default: none. */
  readonly stop?: RunStop;
  /** The OpenAPI document of the target, from `findServedApi`. Default: none. */
  readonly api?: ServedApi;
  /** A run with more bytes in streams is judged in two shares. Default: 64 MiB. */
  readonly maxShareBytes?: number;
  /** Implementations of the rules about streams. Default: all. */
  readonly rules?: readonly Rule[];
  /** Implementations of the rules about conversations. Default: all. */
  readonly conversationRules?: readonly ConversationRule[];
  /** Whether each pass is confirmed with mutations of this evidence. Default: false. */
  readonly confirmsPasses?: boolean;
  readonly onProgress?: OnJudgeProgress;
  /** Receives the arrivals of long streams, for `createTimelines`. Default: they are not recorded. */
  readonly arrivals?: Map<string, StreamArrival>;
  /** The searches of this run, if they were judged before it ended. Only for `judgeWithOtherThread`. */
  readonly judgedSearches?: JudgedSearches;
  /** Called with the proofs by rule, including edits, and their input. Not called without `confirmsPasses`. The result contains proofs as text. */
  readonly onProofs?: (proofs: ReadonlyMap<RuleId, readonly MutationTrial[]>, judged: JudgedForProof) => void;
}

/** Returns the HTTP versions of the responses. */
function readHttpVersions(exchanges: readonly RecordedExchange[]): Pick<RunResult["run"], "httpVersions"> {
  const answers = exchanges.filter(({ record }) => record.response !== undefined);
  const versions = [...new Set(answers.flatMap(({ record }) => record.httpVersion ?? []))].toSorted();
  return versions.length === 0 ? {} : { httpVersions: versions };
}

/**
 * Judges recorded exchanges. The same exchanges and settings yield the same result. Searches are not judged if none returned a stream. An
 * interface of the conversation API is not judged if it never sent a response of its own.
 */
export function judgeExchanges(input: JudgeInput): RunResult {
  const streams = judgeStreams(input, selectStreams(input));
  const { proofInput, ...calls } = judgeCalls(input);
  const judgedForProof = { target: streams.target, streams, conversations: proofInput };
  const passedRules = findPassedRules(input, [...streams.outcomes, ...calls.outcomes]);
  const proofs = proveRequested(input, judgedForProof, passedRules);
  return concludeJudging(input, streams, { ...calls, proofs });
}

/** The second share of a large run, and the arrivals of its long streams. */
export interface SecondShare {
  readonly share: JudgedShare;
  readonly arrivals: StreamArrivals;
}

/** The results of another thread, which has the same exchanges. */
export interface OtherThread {
  /** The result of `judgeSecondShare`. */
  readonly secondShare: Promise<SecondShare | undefined>;
  /** The result of `judgeCallsAlone`. */
  readonly calls: Promise<JudgedCalls>;
}

/** The searches of a run that still sends calls, with their results. */
export interface JudgedSearches {
  readonly exchanges: readonly RecordedExchange[];
  readonly results: JudgedEvidence;
  readonly arrivals: StreamArrivals;
  /** The rules that passed, with their numbers of observations. */
  readonly passedRules: ReadonlyMap<string, number>;
  /** The proofs of these rules, if passes are confirmed. */
  readonly proofs?: ProofsByRule;
}

/**
 * Judges the searches of a run that still sends calls. Gives way to other tasks of this thread before each rule that it confirms. Returns
 * undefined for a large run, of which two threads judge a share each.
 */
export async function judgeSearchesEarly(input: JudgeInput): Promise<JudgedSearches | undefined> {
  const arrivals = new Map<string, StreamArrival>();
  const selected = selectStreams({ ...input, arrivals });
  if (selected.shares.length > 1) {
    return undefined;
  }
  const results = judgeRules(selected.rules, selected);
  const streams = describeStreams(input, selected, results);
  const passedRules = findPassedRules(input, streams.outcomes);
  const judgedSearches = { exchanges: selected.exchanges, results, arrivals, passedRules };
  if (input.confirmsPasses !== true) {
    return judgedSearches;
  }
  const trials = await proveRulesInTurns({ target: streams.target, streams, conversations: noCalls }, passedRules);
  return { ...judgedSearches, proofs: describeProofs(trials) };
}

/** Reports whether two readings of a run have the same searches. The lines of a run do not change after they are written. */
const areSameSearches = (left: readonly RecordedExchange[], right: readonly RecordedExchange[]): boolean =>
  left.length === right.length &&
  left.every(
    ({ record, unreadable }, index) => record.id === right[index]?.record.id && unreadable === right[index]?.unreadable,
  );

/** Returns the early proofs if the same rules passed then. A search that was not sent can change that. */
const reuseProofs = (
  { confirmsPasses }: JudgeInput,
  judgedSearches: JudgedSearches | undefined,
  passedRules: ReadonlyMap<string, number>,
): ProofsByRule | undefined =>
  confirmsPasses === true && judgedSearches !== undefined && areSameCounts(judgedSearches.passedRules, passedRules)
    ? judgedSearches.proofs
    : undefined;

const areSameCounts = (left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): boolean =>
  left.size === right.size && [...left].every(([rule, count]) => right.get(rule) === count);

/** Returns the results of searches that were judged early. Returns undefined if the run has other searches by now. */
function reuseSearches({ judgedSearches, arrivals }: JudgeInput, { exchanges }: SelectedStreams) {
  if (judgedSearches === undefined || !areSameSearches(judgedSearches.exchanges, exchanges)) {
    return undefined;
  }
  judgedSearches.arrivals.forEach((arrival, id) => arrivals?.set(id, arrival));
  return judgedSearches;
}

/** Judges recorded exchanges like `judgeExchanges`, while another thread judges the calls and half of a large run. */
export async function judgeWithOtherThread(input: JudgeInput, otherThread: OtherThread): Promise<RunResult> {
  const selected = selectStreams(input);
  const judgedSearches = reuseSearches(input, selected);
  const streams =
    judgedSearches === undefined
      ? await judgeStreamsWithOtherThread(input, selected, otherThread)
      : describeStreams(input, selected, judgedSearches.results);
  const judgedForProof = { target: streams.target, streams, conversations: noCalls };
  const passedRules = findPassedRules(input, streams.outcomes);
  const streamProofs =
    reuseProofs(input, judgedSearches, passedRules) ?? proveRequested(input, judgedForProof, passedRules);
  const calls = await otherThread.calls;
  const { isPartial } = toProofEvidence(judgedForProof);
  // As in `proveRules`, which reads the streams and the calls of a run together.
  const callProofs = [...calls.proofs].filter(([, proof]) => !isPartial || isConfirmed(proof));
  return concludeJudging(input, streams, { ...calls, proofs: new Map([...streamProofs, ...callProofs]) });
}

/** Judges the streams. The other thread judges half of a large run. */
async function judgeStreamsWithOtherThread(
  input: JudgeInput,
  selected: SelectedStreams,
  otherThread: OtherThread,
): Promise<JudgedStreams> {
  // The other thread does not compare the bodies of streams with their digests.
  const canShare = selected.shares.length > 1 && selected.exchanges.every(({ unreadable }) => unreadable === undefined);
  const firstShare = canShare ? tryToJudgeShare(selected, 0) : undefined;
  const secondShare = firstShare && (await otherThread.secondShare);
  secondShare?.arrivals.forEach((arrival, id) => input.arrivals?.set(id, arrival));
  return judgeStreams(input, selected, firstShare && secondShare && [firstShare, secondShare.share]);
}

/** Judges the second share of a large run. Returns undefined for all other runs, and if a rule throws. */
export function judgeSecondShare(input: JudgeInput): SecondShare | undefined {
  const arrivals = new Map<string, StreamArrival>();
  const selected = selectStreams({ ...input, arrivals });
  const share = selected.shares.length > 1 ? tryToJudgeShare(selected, 1) : undefined;
  return share && { share, arrivals };
}

function tryToJudgeShare(selected: SelectedStreams, index: number): JudgedShare | undefined {
  try {
    return judgeShare(selected.rules, selected, index);
  } catch {
    // All shares are judged again, one rule at a time.
    return undefined;
  }
}

/** Judges only the calls of the conversation API. */
export function judgeCallsAlone(input: JudgeInput): JudgedCalls {
  const { proofInput, ...calls } = judgeCalls(input);
  const judgedForProof = { target: toTargetFacts(input.settings), streams: noStreams, conversations: proofInput };
  return { ...calls, proofs: proveRequested(input, judgedForProof, findPassedRules(input, calls.outcomes)) };
}

function createVerdicts(
  { exchanges, settings, unsent = [] }: JudgeInput,
  judgedOutcomes: Iterable<readonly [RuleId, RuleOutcome]>,
): { readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>; readonly verdicts: readonly RuleVerdict[] } {
  const outcomes = adjustOutcomes(settings, new Map(judgedOutcomes), unsent);
  const lookup = new Map(exchanges.map((exchange) => [exchange.record.id, exchange]));
  return { outcomes, verdicts: createRuleVerdicts({ outcomes, settings, lookup }) };
}

/** Creates the result from the judged streams and the judged calls, with the proofs of both. */
function concludeJudging(input: JudgeInput, streams: ReturnType<typeof judgeStreams>, calls: JudgedCalls): RunResult {
  const { exchanges, settings, knownFailures = [], knownFailureRun = input.run } = input;
  const { outcomes, verdicts } = createVerdicts(input, [...streams.outcomes, ...calls.outcomes]);
  const appliedFailures = applyKnownFailureLists(
    addReasons(
      verdicts.map((verdict) => addProof(verdict, calls.proofs)),
      {
        unanswered: findUnansweredReasons(input, streams.rootCause, calls.unservedInterfaces),
        ...defined({ stop: input.stop }),
      },
    ),
    knownFailures,
    knownFailureRun,
  );
  const crashes = [...streams.crashes, ...calls.crashes];
  const { completeInterfaces = new Set() } = settings;
  const conclusion = concludeRun({
    verdicts: appliedFailures.verdicts,
    coverageShortfall: findCoverageReasons({
      verdicts: appliedFailures.verdicts,
      searches: streams.judgedExchanges,
      completeInterfaces,
    }),
    incomplete: [...streams.reasons, ...calls.reasons],
    knownFailureMistakes: appliedFailures.mistakes,
    strict: settings.strict,
    ...(crashes.length === 0 ? {} : { harnessError: crashes.join("; ") }),
    ...defined({ interrupted: input.interrupted, cleanupFailure: input.cleanupFailure }),
  });
  const notes = [...[...outcomes.values()].flatMap(({ findings }) => findings), ...streams.formatChoices].filter(
    ({ kind }) => kind === "note",
  );
  return {
    schemaVersion: 2,
    tool: input.tool,
    run: { ...input.run, ...readHttpVersions(exchanges), ...defined({ foundAccess: streams.foundAccess }) },
    ...conclusion,
    ...(appliedFailures.notes.length === 0 ? {} : { knownFailureNotes: appliedFailures.notes }),
    verdicts: appliedFailures.verdicts,
    unspecified: collectUnspecifiedRows(streams.judgedExchanges, notes),
    ...defined({ openapi: calls.openapi }),
    exchanges: summarizeExchanges(exchanges, streams.judgedExchanges),
  };
}

/**
 * Returns the reasons interfaces did not respond, for interfaces that received requests. If searches received no response, no calls
 * were sent for the same reason. Rules that compare the conversation interfaces require both.
 */
function findUnansweredReasons(
  { exchanges }: JudgeInput,
  rootCause: IncompleteReason | undefined,
  unservedInterfaces: readonly UnservedInterface[],
): ReadonlyMap<string, string> {
  const calledInterfaces = new Set<string>(exchanges.map(({ record }) => record.interface));
  const unservedReasons = new Map<string, string>(
    unservedInterfaces.map(({ interface: name, reason }) => [name, reason.message]),
  );
  const uncalledInterfaces =
    rootCause === undefined ? [] : ["legacy", "current"].filter((name) => !calledInterfaces.has(name));
  const findReason = (name: string): string | undefined =>
    unservedReasons.get(name) ?? (uncalledInterfaces.includes(name) ? rootCause?.message : undefined);
  const [legacy, current] = [findReason("legacy"), findReason("current")];
  const causes = { stream: rootCause?.message, legacy, current, migration: legacy ?? current };
  return new Map(Object.entries(causes).flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])));
}

/** Returns the rules that passed, with their numbers of observations. */
export const collectPassedRules = (verdicts: readonly RuleVerdict[]): ReadonlyMap<string, number> =>
  new Map(
    verdicts.flatMap(({ rule, verdict }) =>
      verdict.outcome === "passed" ? [[rule, verdict.observations] as const] : [],
    ),
  );

/** Returns the rules of some outcomes that passed, with their numbers of observations. */
const findPassedRules = (
  input: JudgeInput,
  outcomes: Iterable<readonly [RuleId, RuleOutcome]>,
): ReadonlyMap<string, number> => collectPassedRules(createVerdicts(input, outcomes).verdicts);

/** Returns the proofs of the rules that passed, if requested. */
function proveRequested(
  input: JudgeInput,
  judgedForProof: JudgedForProof,
  passedRules: ReadonlyMap<string, number>,
): ProofsByRule {
  const { onProgress, onProofs, confirmsPasses = false } = input;
  const trials = confirmsPasses
    ? proveRules(judgedForProof, passedRules, { onProgress })
    : new Map<RuleId, readonly MutationTrial[]>();
  onProofs?.(trials, judgedForProof);
  return describeProofs(trials);
}

const noApi: ServedApi = { notes: [] };

/** Parts of the evidence that another thread judges. */
const noStreams: JudgedForProof["streams"] = {
  rules: [],
  exchanges: [],
  judgedExchanges: [],
  classify: () => "nothing",
};
const noCalls: JudgedForProof["conversations"] = { rules: [], exchanges: [], calls: [], references: [], servedApi: {} };

/** The outcomes of one part of the evidence. */
interface JudgedPart {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly crashes: readonly string[];
  readonly reasons: readonly IncompleteReason[];
}

/** The judged calls of a run. Another thread may judge them, so this contains only values that can be sent. */
export interface JudgedCalls extends JudgedPart {
  readonly unservedInterfaces: readonly UnservedInterface[];
  /** Present if there are calls to judge. */
  readonly openapi?: ApiDocumentReport;
  readonly proofs: ProofsByRule;
}

/** The streams of a run and the rules about them. */
interface SelectedStreams extends RuleInput {
  readonly rules: readonly Rule[];
  readonly shares: readonly (readonly RecordedExchange[])[];
  readonly rootCause: IncompleteReason | undefined;
}

function selectStreams(input: JudgeInput): SelectedStreams {
  const { settings, maxShareBytes = 64 * 1024 * 1024 } = input;
  const exchanges = removeRetried(input.exchanges.filter(({ record }) => record.interface === "stream"));
  const rootCause = input.treatsAllAsStreams === true ? undefined : findRootReason(exchanges);
  return {
    rules: (input.rules ?? allRules).filter(({ id }) => settings.rules.includes(id)),
    exchanges,
    shares: splitIntoShares(exchanges, maxShareBytes),
    classify:
      input.treatsAllAsStreams === true
        ? () => "stream" as const
        : createClassifier({ ...input, exchanges }, rootCause !== undefined),
    target: toTargetFacts(settings),
    rootCause,
    ...defined({ onProgress: input.onProgress, arrivals: input.arrivals }),
  };
}

/** The judged streams of a run. */
interface JudgedStreams
  extends
    JudgedPart,
    Pick<JudgedEvidence, "formatChoices" | "foundAccess">,
    Pick<JudgedForProof, "target">,
    StreamsForProof {
  readonly rootCause?: IncompleteReason;
}

const judgeStreams = (
  input: JudgeInput,
  selected: SelectedStreams,
  judgedShares?: readonly JudgedShare[],
): JudgedStreams => describeStreams(input, selected, judgeRules(selected.rules, selected, judgedShares));

/** Adds the reasons that concern the whole run to the results of its streams, unless a root reason replaces them. */
function describeStreams(
  { incomplete = [] }: JudgeInput,
  selected: SelectedStreams,
  ruleResults: JudgedEvidence,
): JudgedStreams {
  const { rules, exchanges, classify, rootCause } = selected;
  const target = { ...selected.target, ...defined({ foundAccess: ruleResults.foundAccess }) };
  // A stream that was closed after `done` contains all events.
  const endedIds = new Set(
    ruleResults.judgedExchanges.flatMap(({ record, stream }) => (stream?.isComplete === true ? record.id : [])),
  );
  const exchangesToCheck = exchanges.filter(({ record }) => record.end.kind === "complete" || !endedIds.has(record.id));
  const failures = collectFailureReasons(exchangesToCheck);
  const reasons = rootCause === undefined ? [...incomplete, ...failures] : [rootCause];
  return { ...ruleResults, ...defined({ rootCause }), target, reasons, rules, exchanges, classify };
}

/** Removes searches that a busy target refused and that were retried. Only the response to the retry is judged. */
function removeRetried(exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  const retriedIds = new Set(exchanges.map(({ record }) => record.retryOf));
  return exchanges.filter(({ record }) => !retriedIds.has(record.id));
}

/** Judges the calls of one or both interfaces of the conversation API. */
function judgeCalls(
  input: JudgeInput,
): Omit<JudgedCalls, "proofs"> & { readonly proofInput: JudgedForProof["conversations"] } {
  const { settings } = input;
  const calls = input.exchanges.filter(({ record: { interface: name } }) => name === "legacy" || name === "current");
  const unservedInterfaces = findUnservedInterfaces(calls, input.api?.api);
  const absentNames = new Set<string>(unservedInterfaces.map(({ interface: name }) => name));
  const exchanges = removeRetriedReads(calls.filter(({ record }) => !absentNames.has(record.interface)));
  const rules = (input.conversationRules ?? conversationRules).filter(({ id }) => settings.rules.includes(id));
  const evidence = { calls: exchanges.map(toRecordedCall), servedApi: input.api ?? noApi };
  const callResults = judgeConversationRules(rules, { ...evidence, target: toTargetFacts(settings) });
  const isSelected = (name: string): boolean => settings.rules.some((id) => id.startsWith(`${name}/`));
  const reasons = unservedInterfaces.filter(({ interface: name }) => isSelected(name)).map(({ reason }) => reason);
  const judgedErrors = findJudgedErrors(callResults.outcomes, exchanges);
  const failures = collectFailureReasons(
    exchanges.filter(
      (exchange) =>
        !isThrottled(exchange) && !wasRetried(exchange, exchanges) && !judgedErrors.has(describeCallKind(exchange)),
    ),
  );
  return {
    ...callResults,
    reasons: [...reasons, ...failures],
    unservedInterfaces,
    // Confirming passes may add notes to the document, so its report is created first.
    ...(exchanges.length === 0 ? {} : { openapi: createApiReport(input.api ?? noApi, input.exchanges) }),
    proofInput: {
      ...evidence,
      rules,
      exchanges,
      references: input.exchanges.filter(({ record }) => record.interface === "reference"),
    },
  };
}

function describeCallKind({ record }: RecordedExchange): string {
  const credentialGroup = refusableCredentials.has(record.credential) ? "who may be refused" : record.credential;
  return `${record.interface} ${record.operation} ${credentialGroup} ${record.response?.status ?? 0}`;
}

/** Returns the kinds of calls for which a rule reports 5xx responses. Such responses are judged instead of being transport failures. */
function findJudgedErrors(
  outcomes: ReadonlyMap<RuleId, RuleOutcome>,
  exchanges: readonly RecordedExchange[],
): ReadonlySet<string> {
  const reportedIds = new Set(
    [...outcomes.values()].flatMap(({ findings }) =>
      findings.flatMap(({ exchange, kind }) => (kind === "violation" ? exchange : [])),
    ),
  );
  return new Set(
    exchanges
      .filter(({ record }) => (record.response?.status ?? 0) >= 500 && reportedIds.has(record.id))
      .map((exchange) => describeCallKind(exchange)),
  );
}

/** Reports whether the status is 429. That is not a failure: the call is retried, and rules report missing evidence. */
const isThrottled = ({ record }: RecordedExchange): boolean => record.response?.status === 429;

const toTargetFacts = ({ access, sharing = "undeclared" }: JudgeSettings): TargetFacts => ({ access, sharing });

/**
 * Returns a function that decides how responses without a stream are judged:
 *
 * - If other searches returned streams, such a response is judged as a stream and violates rules.
 * - If the search may be refused, the response is a refusal, unless a different search with the same credential returned events.
 * - If the query is invalid, the response is an error report.
 * - If no search returned a stream, the response is not evidence of anything, including access.
 */
function createClassifier(
  { exchanges, settings }: JudgeInput,
  hasNoStream: boolean,
): (exchange: RecordedExchange) => EvidenceKind {
  const groups = new Map(exchanges.map((exchange) => [exchange, findAnswerGroup(exchange)]));
  const hasEvents = (exchange: RecordedExchange): boolean => groups.get(exchange) === "stream" && !isEmpty(exchange);
  const streamingCredentials = new Set(exchanges.filter(hasEvents).map(({ record }) => record.credential));
  const mayRefuse = ({ record: { credential } }: RecordedExchange): boolean =>
    settings.access !== "public" && refusableCredentials.has(credential) && !streamingCredentials.has(credential);
  return (exchange) => {
    const group = groups.get(exchange) ?? findAnswerGroup(exchange);
    const isNotStream = isSuccessWithoutStream(group) || (group === "stream" && isEmpty(exchange));
    if (!isNotStream) {
      return group === "stream" ? "stream" : "answer";
    }
    if (hasNoStream) {
      return "nothing";
    }
    return mayRefuse(exchange) || isInvalidQuerySearch(exchange) ? "answer" : "stream";
  };
}

const isEmpty = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined && record.end.kind === "complete" && record.response?.body.bytes === 0;
