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
  RecordedCall,
  Rule,
  RuleOutcome,
  TargetFacts,
} from "@assay/rules";
import { pinnedApi, unseenOperations } from "@assay/openapi";
import type { ApiDescription } from "@assay/openapi";
import { applyKnownFailureLists } from "../known-failures/apply-known-failures.ts";
import type { KnownFailureRun } from "../known-failures/apply-known-failures.ts";
import type { KnownFailureList } from "../known-failures/known-failure-entry.ts";
import { answerGroup, isForeign } from "./answer-group.ts";
import { isInvalidQueryProbe } from "./invalid-query-search.ts";
import { describeFailure, failureReasons } from "./exchange-failures.ts";
import { floorReasons } from "./floor-reasons.ts";
import { unspecifiedRows } from "./unspecified-observations.ts";
import type { OnJudgeProgress } from "./judge-progress.ts";
import type { JudgeSettings } from "./judge-settings.ts";
import { rootReason } from "./root-reason.ts";
import { crashedOutcome, ruleOutcomes } from "./rule-outcomes.ts";
import type { JudgedEvidence, Reading } from "./rule-outcomes.ts";
import { isRepeated, withoutRepeatedReads } from "./repeated-calls.ts";
import { ruleVerdicts } from "./rule-verdicts.ts";
import type { ServedApi } from "./served-api.ts";
import { unservedInterfaces } from "./unserved-interfaces.ts";
import type { UnservedInterface } from "./unserved-interfaces.ts";
import { recordedCall } from "./recorded-call.ts";
import { proveRules } from "./prove-rules.ts";
import type { JudgedForProof } from "./prove-rules.ts";
import { withProof } from "./with-proof.ts";
import { adjustOutcomes, withReasons } from "./why-not-tested.ts";
import type { RunStop } from "./why-not-tested.ts";

/** The input of rules about conversations. */
interface ShownConversations {
  /** Calls of interfaces that exist. */
  readonly calls: readonly RecordedCall[];
  readonly target: TargetFacts;
  readonly served: Pick<ServedApi, "api" | "reference">;
}

/** The outcomes of judging conversations. */
interface JudgedConversations {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  /** One message for each rule that threw. */
  readonly crashes: readonly string[];
}

/** Runs all rules about conversations. A rule that throws does not affect the others. */
function conversationOutcomes(
  rules: readonly ConversationRule[],
  { calls, target, served: { api, reference = [] } }: ShownConversations,
): JudgedConversations {
  const judge = (some: readonly ConversationRule[]): ReadonlyMap<RuleId, RuleOutcome> =>
    judgeConversations({ rules: some, target, calls, reference, ...defined({ api }) }).outcomes;
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
      outcomes.set(rule.id, crashedOutcome(crash));
      crashes.push(crash);
    }
  }
  return { outcomes, crashes };
}

/** Summarizes each request for the report. */
function exchangeSummaries(
  exchanges: readonly RecordedExchange[],
  judged: readonly JudgedExchange[],
): readonly ExchangeSummary[] {
  const facts = new Map(judged.map(({ record, stream }) => [record.id, stream]));
  return exchanges.map((exchange) => exchangeSummary(exchange, facts.get(exchange.record.id)));
}

function exchangeSummary(exchange: RecordedExchange, stream: JudgedExchange["stream"]): ExchangeSummary {
  const { id, probe, request, response, times } = exchange.record;
  // Streams that were closed after `done` are reported by a rule.
  const failure = stream?.isEnded === true ? undefined : describeFailure(exchange);
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

const noDocument =
  "the target served no OpenAPI document that could be used, so the one that comes with the tool judged; --openapi names another";

/** Returns one sentence for each documented operation and status that does not occur in the exchanges. */
function describeUnseen(api: ApiDescription, exchanges: readonly RecordedExchange[]): readonly string[] {
  const { operations, responses } = unseenOperations(api, exchanges.map(seenOf));
  return [
    ...operations.map(({ interface: name, operation }) => `${name} ${operation}: never asked`),
    ...responses.map(({ interface: name, operation, status }) => `${name} ${operation}: status ${status}`),
  ];
}

const seenOf = ({ record }: RecordedExchange) => ({
  interface: record.interface,
  operation: record.operation,
  status: record.response?.status,
});

/** Reports the OpenAPI document used, its differences from the pinned one, and its parts that do not occur in the exchanges. */
function apiReport(served: ServedApi, exchanges: readonly RecordedExchange[]): ApiDocumentReport {
  const { api = pinnedApi(), address, sha256, notes } = served;
  const isServed = served.api !== undefined;
  return {
    source: isServed ? "served" : "pinned",
    ...defined({ address, sha256 }),
    notes: [...notes, ...api.notes, ...(isServed ? [] : [noDocument])],
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
  /** Needed probes that were not sent [none]. */
  readonly unsent?: readonly UnsentProbe[];
  readonly interrupted?: RunFacts["interrupted"];
  /** Whether every body is judged as a stream regardless of its content. Set it for bytes that are known to be a stream. */
  readonly areStreams?: boolean;
  /** Lists of known failures. */
  readonly knownFailures?: readonly KnownFailureList[];
  /** Selects the applicable entries of the known-failure lists [the target and start of the run]. */
  readonly knownFailureRun?: KnownFailureRun;
  /** One sentence that names what could not be removed from the target. */
  readonly cleanupFailure?: string;
  /** The cause of an early end of the run [none]. */
  readonly stop?: RunStop;
  /** The OpenAPI document of the target, from `servedApi` [none]. */
  readonly api?: ServedApi;
  /** Implementations of the rules about streams [all]. */
  readonly rules?: readonly Rule[];
  /** Implementations of the rules about conversations [all]. */
  readonly conversationRules?: readonly ConversationRule[];
  /** Whether each pass is confirmed with mutations of this evidence [false]. */
  readonly proves?: boolean;
  readonly onProgress?: OnJudgeProgress;
  /** Called with the proofs by rule, including edits, and their input. Not called without `proves`. The result contains proofs as text. */
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
  const { exchanges, settings } = input;
  const streams = streamPart(input);
  const conversations = conversationPart(input);
  const allOutcomes = new Map([...streams.outcomes, ...conversations.outcomes]);
  const outcomes = adjustOutcomes(settings, allOutcomes, input.unsent ?? []);
  const lookup = new Map(exchanges.map((exchange) => [exchange.record.id, exchange]));
  // Confirming passes may add notes to the document, so its report is created first.
  const openapi = conversations.hasCalls ? { openapi: apiReport(input.api ?? noApi, exchanges) } : {};
  const verdicts = ruleVerdicts({ outcomes, settings, lookup });
  const { foundAccess } = streams;
  const judged = {
    target: { ...toTargetFacts(settings), ...defined({ foundAccess }) },
    streams,
    conversations: conversations.again,
  };
  const { knownFailures = [], knownFailureRun = input.run } = input;
  const known = applyKnownFailureLists(
    withReasons(createVerdicts(verdicts, judged, input), {
      unanswered: findUnanswered(input, streams.root, conversations.unserved),
      ...defined({ stop: input.stop }),
    }),
    knownFailures,
    knownFailureRun,
  );
  const crashes = [...streams.crashes, ...conversations.crashes];
  const { whole = new Set() } = settings;
  const conclusion = concludeRun({
    verdicts: known.verdicts,
    coverageShortfall: floorReasons({ verdicts: known.verdicts, searches: streams.judged, whole }),
    incomplete: [...streams.reasons, ...conversations.reasons],
    knownFailureMistakes: known.mistakes,
    strict: settings.strict,
    ...(crashes.length === 0 ? {} : { harnessError: crashes.join("; ") }),
    ...defined({ interrupted: input.interrupted, cleanupFailure: input.cleanupFailure }),
  });
  const observed = [...[...outcomes.values()].flatMap(({ findings }) => findings), ...streams.formatChoices].filter(
    ({ kind }) => kind === "note",
  );
  return {
    schemaVersion: 2,
    tool: input.tool,
    run: { ...input.run, ...readHttpVersions(exchanges), ...defined({ foundAccess }) },
    ...conclusion,
    ...(known.notes.length === 0 ? {} : { knownFailureNotes: known.notes }),
    verdicts: known.verdicts,
    unspecified: unspecifiedRows(streams.judged, observed),
    ...openapi,
    exchanges: exchangeSummaries(exchanges, streams.judged),
  };
}

/**
 * Returns the reasons why interfaces did not respond, for interfaces that received requests. If searches received no response, no calls
 * were sent for the same reason. Rules that compare the conversation interfaces require both.
 */
function findUnanswered(
  { exchanges }: JudgeInput,
  root: IncompleteReason | undefined,
  unserved: readonly UnservedInterface[],
): ReadonlyMap<string, string> {
  const calledInterfaces = new Set<string>(exchanges.map(({ record }) => record.interface));
  const unservedReasons = new Map<string, string>(
    unserved.map(({ interface: name, reason }) => [name, reason.message]),
  );
  const unsent = root === undefined ? [] : ["legacy", "current"].filter((name) => !calledInterfaces.has(name));
  const findReason = (name: string): string | undefined =>
    unservedReasons.get(name) ?? (unsent.includes(name) ? root?.message : undefined);
  const [legacy, current] = [findReason("legacy"), findReason("current")];
  const causes = { stream: root?.message, legacy, current, migration: legacy ?? current };
  return new Map(Object.entries(causes).flatMap(([name, why]) => (why === undefined ? [] : [[name, why]])));
}

/** Returns the rules that passed, with their numbers of observations. */
export const collectPassed = (verdicts: readonly RuleVerdict[]): ReadonlyMap<string, number> =>
  new Map(
    verdicts.flatMap(({ rule, verdict }) =>
      verdict.outcome === "passed" ? [[rule, verdict.observations] as const] : [],
    ),
  );

/** Returns the verdicts, with proofs if requested. */
function createVerdicts(
  verdicts: readonly RuleVerdict[],
  judged: JudgedForProof,
  { onProgress, onProofs, proves = false }: Pick<JudgeInput, "onProgress" | "onProofs" | "proves">,
): readonly RuleVerdict[] {
  const passedRules = collectPassed(verdicts);
  const proofs = proves ? proveRules(judged, passedRules, { onProgress }) : new Map<RuleId, readonly MutationTrial[]>();
  onProofs?.(proofs, judged);
  return verdicts.map((verdict) => withProof(verdict, proofs));
}

const noApi: ServedApi = { notes: [] };

/** The outcomes of one part of the evidence. */
interface JudgedPart {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly crashes: readonly string[];
  readonly reasons: readonly IncompleteReason[];
}

/** Judges the streams. Adds the reasons that concern the whole run unless a root reason replaces them. */
function streamPart(
  input: JudgeInput,
): JudgedPart & { readonly root?: IncompleteReason } & Pick<
    JudgedEvidence,
    "judged" | "formatChoices" | "foundAccess"
  > &
  JudgedForProof["streams"] {
  const { settings, incomplete = [] } = input;
  const exchanges = withoutRetried(input.exchanges.filter(({ record }) => record.interface === "stream"));
  const rules = (input.rules ?? allRules).filter(({ id }) => settings.rules.includes(id));
  const root = input.areStreams === true ? undefined : rootReason(exchanges);
  const readExchange =
    input.areStreams === true ? () => "stream" as const : createReading({ ...input, exchanges }, root !== undefined);
  const ruleResults = ruleOutcomes(rules, {
    exchanges,
    readingOf: readExchange,
    target: toTargetFacts(settings),
    ...defined({ onProgress: input.onProgress }),
  });
  // A stream that was closed after `done` contains all events.
  const endedIds = new Set(
    ruleResults.judged.flatMap(({ record, stream }) => (stream?.isEnded === true ? record.id : [])),
  );
  const failed = exchanges.filter(({ record }) => record.end.kind === "complete" || !endedIds.has(record.id));
  const failures = failureReasons(failed);
  const reasons = root === undefined ? [...incomplete, ...failures] : [root];
  return { ...ruleResults, ...defined({ root }), reasons, rules, exchanges, readingOf: readExchange };
}

/** Removes searches that a busy target refused and that were retried. Only the response to the retry is judged. */
function withoutRetried(exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  const retried = new Set(exchanges.map(({ record }) => record.retryOf));
  return exchanges.filter(({ record }) => !retried.has(record.id));
}

/** Judges the calls of one or both interfaces of the conversation API. */
function conversationPart(input: JudgeInput): JudgedPart & {
  readonly hasCalls: boolean;
  readonly unserved: readonly UnservedInterface[];
  readonly again: JudgedForProof["conversations"];
} {
  const { settings } = input;
  const calls = input.exchanges.filter(({ record: { interface: name } }) => name === "legacy" || name === "current");
  const unserved = unservedInterfaces(calls, input.api?.api);
  const absent = new Set<string>(unserved.map(({ interface: name }) => name));
  const exchanges = withoutRepeatedReads(calls.filter(({ record }) => !absent.has(record.interface)));
  const rules = (input.conversationRules ?? conversationRules).filter(({ id }) => settings.rules.includes(id));
  const evidence = { calls: exchanges.map(recordedCall), served: input.api ?? noApi };
  const callResults = conversationOutcomes(rules, { ...evidence, target: toTargetFacts(settings) });
  const isWanted = (name: string): boolean => settings.rules.some((id) => id.startsWith(`${name}/`));
  const reasons = unserved.filter(({ interface: name }) => isWanted(name)).map(({ reason }) => reason);
  const judgedErrors = errorsJudgedIn(callResults.outcomes, exchanges);
  const failures = failureReasons(
    exchanges.filter(
      (exchange) => !isThrottled(exchange) && !isRepeated(exchange, exchanges) && !judgedErrors.has(callKind(exchange)),
    ),
  );
  return {
    ...callResults,
    reasons: [...reasons, ...failures],
    hasCalls: exchanges.length > 0,
    unserved,
    again: {
      ...evidence,
      rules,
      exchanges,
      references: input.exchanges.filter(({ record }) => record.interface === "reference"),
    },
  };
}

function callKind({ record }: RecordedExchange): string {
  const credentialGroup = refusableCredentials.has(record.credential) ? "who may be refused" : record.credential;
  return `${record.interface} ${record.operation} ${credentialGroup} ${record.response?.status ?? 0}`;
}

/** Returns the kinds of calls for which a rule reports 5xx responses. Such responses are judged instead of being transport failures. */
function errorsJudgedIn(
  outcomes: ReadonlyMap<RuleId, RuleOutcome>,
  exchanges: readonly RecordedExchange[],
): ReadonlySet<string> {
  const reported = new Set(
    [...outcomes.values()].flatMap(({ findings }) =>
      findings.flatMap(({ exchange, kind }) => (kind === "violation" ? exchange : [])),
    ),
  );
  return new Set(
    exchanges
      .filter(({ record }) => (record.response?.status ?? 0) >= 500 && reported.has(record.id))
      .map((exchange) => callKind(exchange)),
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
function createReading(
  { exchanges, settings }: JudgeInput,
  hasNoStream: boolean,
): (exchange: RecordedExchange) => Reading {
  const kinds = new Map(exchanges.map((exchange) => [exchange, answerGroup(exchange)]));
  const hasEvents = (exchange: RecordedExchange): boolean => kinds.get(exchange) === "stream" && !isEmpty(exchange);
  const streamed = new Set(exchanges.filter(hasEvents).map(({ record }) => record.credential));
  const mayRefuse = ({ record: { credential } }: RecordedExchange): boolean =>
    settings.access !== "public" && refusableCredentials.has(credential) && !streamed.has(credential);
  return (exchange) => {
    const kind = kinds.get(exchange) ?? answerGroup(exchange);
    const isOther = isForeign(kind) || (kind === "stream" && isEmpty(exchange));
    if (!isOther) {
      return kind === "stream" ? "stream" : "answer";
    }
    if (hasNoStream) {
      return "nothing";
    }
    return mayRefuse(exchange) || isInvalidQueryProbe(exchange) ? "answer" : "stream";
  };
}

const isEmpty = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined && record.end.kind === "complete" && record.response?.body.bytes === 0;
