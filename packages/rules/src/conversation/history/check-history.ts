import { currentMachine, defined, legacyMachine } from "@assay/contract";
import { isRecord, member, stringMember } from "@assay/reading";
import { mergeHistoryReports, prepareHistoryCheckers } from "@assay/state-machine";
import type { HistoryReport, QuestionSnapshot, Read, ShownOutcome, Snapshot, Write } from "@assay/state-machine";
import type { ConversationMachine } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { RecordedConversation } from "../engine/recorded-conversations.ts";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import { identifyClient } from "../../engine/identify-client.ts";
import { findCancelledQuestions, isCancelled, findDroppedQuestions } from "../engine/cancelled-questions.ts";
import type { CancelledQuestions } from "../engine/cancelled-questions.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { listView } from "../engine/list-view.ts";
import { canonicalText } from "../engine/canonical-text.ts";

/** Members of a legacy question that do not change after its completion. */
const unchangingMembers = ["answer", "title", "sources", "error"] as const;

/**
 * Returns the content of a finished question that must not change, as one string. In the current interface this is the
 * text of the answer: an empty string without an answer, and undefined for an answer without readable text.
 */
function serializeFinalContent(
  { json, answer, facts }: QuestionView,
  machine: ConversationMachine,
): string | undefined {
  if (machine.interface === "legacy") {
    return canonicalText(unchangingMembers.map((name) => member(json, name)));
  }
  return answer ?? (facts.has("answer") ? undefined : "");
}

/** Returns the outcome of a question, for use in findings. */
function describeOutcome({ json, answer }: QuestionView): ShownOutcome | undefined {
  const error = member(json, "error");
  if (isRecord(error)) {
    return { kind: "error", text: stringMember(error, "message") ?? stringMember(error, "title") ?? "" };
  }
  return answer === undefined ? undefined : { kind: "answer", text: answer };
}

/** The id of a conversation, and the questions that the run may have cancelled. */
interface QuestionContext {
  readonly conversationId: string;
  readonly cancelledQuestions: CancelledQuestions;
}

const listedState = (state: string | undefined, { states }: ConversationMachine): string | undefined =>
  state !== undefined && states.includes(state) ? state : undefined;

/**
 * Returns a snapshot of a conversation for the history checker. Unlisted states are omitted: `legacy/status-is-listed`
 * and `current/state-is-listed` report them.
 */
function createSnapshot(view: ConversationView, machine: ConversationMachine, context: QuestionContext): Snapshot {
  const { state, createdAt, updatedAt } = view;
  return {
    state: listedState(state, machine),
    createdAt,
    updatedAt,
    questions: Array.isArray(member(view.json, "questions"))
      ? view.questions.map((question) => questionSnapshot(question, machine, context))
      : undefined,
  };
}

/**
 * Returns a snapshot of a list entry for the history checker. The specification does not say whether lists contain
 * questions and full answers, so an entry without questions is ignored, and the content of finished questions is not
 * read from lists.
 */
function createListSnapshot(view: ConversationView, machine: ConversationMachine, context: QuestionContext): Snapshot {
  const snapshot = createSnapshot(view, machine, context);
  const { questions = [] } = snapshot;
  return {
    ...snapshot,
    questions:
      questions.length === 0
        ? undefined
        : questions.map((question) => ({ ...question, content: undefined, outcome: undefined })),
  };
}

/** Returns a snapshot of a question for the history checker. */
function questionSnapshot(
  question: QuestionView,
  machine: ConversationMachine,
  { conversationId, cancelledQuestions }: QuestionContext,
): QuestionSnapshot {
  const { id, text, status = question.state, createdAt, updatedAt, facts } = question;
  return {
    id,
    text,
    status: listedState(status, machine),
    createdAt,
    updatedAt,
    facts: isCancelled(question, conversationId, cancelledQuestions) ? new Set([...facts, "cancelled"]) : facts,
    content: serializeFinalContent(question, machine),
    outcome: describeOutcome(question),
  };
}

/** The calls of one interface for the history checker. */
interface HistoryCalls {
  readonly machine: ConversationMachine;
  readonly calls: readonly ConversationCall[];
  readonly conversationsOf: (interfaceName: ConversationInterface) => readonly RecordedConversation[];
}

interface SnapshotContext extends QuestionContext {
  readonly machine: ConversationMachine;
}

/** What the observations of a conversation depend on. */
interface ConversationHistory extends SnapshotContext {
  /** Sorted by sending time. */
  readonly calls: readonly ConversationCall[];
  /** Ids of cancelled questions that later reads no longer return. */
  readonly droppedQuestions: ReadonlySet<string>;
}

/**
 * Returns the histories of all conversations. Writes through the other interface are included: a follow-up there reopens the conversation
 * here. A conversation is assumed to have the same id in both interfaces; otherwise the write belongs to a conversation that is never read.
 */
function collectHistories({ machine, calls, conversationsOf }: HistoryCalls): readonly ConversationHistory[] {
  const cancelledQuestions = findCancelledQuestions(conversationsOf);
  const droppedQuestions = new Map<string, Set<string>>();
  for (const { conversationId, questionId } of machine.interface === "legacy"
    ? findDroppedQuestions(conversationsOf)
    : []) {
    addTo(droppedQuestions, conversationId, new Set<string>()).add(questionId);
  }
  const callsById = new Map<string, ConversationCall[]>();
  // The response to a cancellation is unspecified. A change after a late cancellation is still a violation.
  for (const call of calls.filter((candidate) => !cancelledQuestions.lateCancellations.has(candidate))) {
    for (const id of listObservedIds(call, machine)) {
      addTo(callsById, id, []).push(call);
    }
  }
  return [...callsById].map(([conversationId, callsOfConversation]) => ({
    machine,
    conversationId,
    cancelledQuestions,
    calls: callsOfConversation,
    droppedQuestions: droppedQuestions.get(conversationId) ?? noQuestions,
  }));
}

const noQuestions: ReadonlySet<string> = new Set();

/** Returns the value of a key, which is `initial` if it has none yet. */
function addTo<Value>(map: Map<string, Value>, key: string, initial: Value): Value {
  const value = map.get(key) ?? initial;
  map.set(key, value);
  return value;
}

/** The entries of a list by id, without those that have none. Cached. */
const entriesById = cachePerObject((call: ConversationCall): ReadonlyMap<string, readonly ConversationView[]> => {
  const entries = new Map<string, ConversationView[]>();
  for (const entry of listView(call)?.entries ?? []) {
    if (entry.id !== undefined) {
      addTo(entries, entry.id, []).push(entry);
    }
  }
  return entries;
});

/** Returns the ids of the conversations that a call reads or changes. */
function listObservedIds(call: ConversationCall, machine: ConversationMachine): Iterable<string> {
  if (call.interface !== machine.interface) {
    return isWriteOfOtherInterface(call) ? [call.request.conversationId] : [];
  }
  const id = findRequestedId(call);
  return call.operation === "list" ? entriesById(call).keys() : id === undefined ? [] : [id];
}

/** Returns the id of the conversation that a call creates or names. */
const findRequestedId = (call: ConversationCall): string | undefined =>
  call.operation === "create" ? conversationView(call)?.id : call.request.conversationId;

/** A call that may change a conversation of the other interface. */
interface WriteOfOtherInterface extends ConversationCall {
  readonly operation: Write["write"];
  readonly request: ConversationCall["request"] & { readonly conversationId: string };
}

const isWriteOfOtherInterface = (call: ConversationCall): call is WriteOfOtherInterface =>
  call.request.conversationId !== undefined &&
  call.operation !== "get" &&
  call.operation !== "list" &&
  call.operation !== "create";

/** Returns reads and writes, sorted by sending time. */
function createObservations(history: ConversationHistory): readonly (Read | Write)[] {
  const { calls, droppedQuestions } = history;
  return calls
    .flatMap((call) => observeCall(call, history))
    .map((observation) =>
      droppedQuestions.size === 0 ? observation : withoutDroppedQuestions(observation, droppedQuestions),
    );
}

/**
 * Removes cancelled questions that later reads no longer return. If a write contains such a question, its request text
 * is removed too.
 */
function withoutDroppedQuestions(observation: Read | Write, droppedQuestions: ReadonlySet<string>): Read | Write {
  const { snapshot } = observation;
  const questions = snapshot?.questions ?? [];
  const remainingQuestions = questions.filter(({ id }) => id === undefined || !droppedQuestions.has(id));
  if (remainingQuestions.length === questions.length) {
    return observation;
  }
  const change = { snapshot: { ...snapshot, questions: remainingQuestions } };
  if (observation.kind === "read") {
    return { ...observation, ...change };
  }
  const { text: _text, ...write } = observation;
  return { ...write, ...change };
}

function observeCall(call: ConversationCall, history: ConversationHistory): readonly (Read | Write)[] {
  if (call.interface !== history.machine.interface) {
    return isWriteOfOtherInterface(call) ? [createWriteOfOtherInterface(call)] : [];
  }
  if (call.operation === "list") {
    return createListReads(call, history);
  }
  const observation = createReadOrWrite(call, call.operation, history);
  return observation === undefined ? [] : [observation];
}

interface ObservationBase {
  readonly exchange: string;
  readonly session: string;
  readonly conversation: string;
  readonly sentAtMicros: number;
}

const createObservationBase = (call: ConversationCall, conversation: string): ObservationBase => ({
  exchange: call.record.id,
  session: call.record.session ?? identifyClient(call),
  conversation,
  sentAtMicros: call.record.times.sentAtMicros,
});

/** Returns one read for each list entry of a conversation. */
function createListReads(call: ConversationCall, history: ConversationHistory): readonly Read[] {
  const { conversationId, machine } = history;
  return (entriesById(call).get(conversationId) ?? []).map((entry) => ({
    kind: "read",
    ...createObservationBase(call, conversationId),
    endedAtMicros: call.record.times.endedAtMicros,
    snapshot: createListSnapshot(entry, machine, history),
  }));
}

function createReadOrWrite(
  call: ConversationCall,
  operation: Exclude<ConversationCall["operation"], "list">,
  history: ConversationHistory,
): Read | Write | undefined {
  const { conversationId } = history;
  const snapshot = readSnapshot(call, history);
  if (operation === "get") {
    const { endedAtMicros } = call.record.times;
    return snapshot && { kind: "read", ...createObservationBase(call, conversationId), endedAtMicros, snapshot };
  }
  return {
    kind: "write",
    write: operation,
    ...createObservationBase(call, conversationId),
    ...classifyOutcome(call),
    ...defined({ snapshot }),
    ...findRequestedText(call),
  };
}

/**
 * Returns the requested text. Omitted if the response shows it in a position other than the last, which
 * `questions-keep-their-order` reports.
 */
function findRequestedText(call: ConversationCall): { readonly text?: string } {
  const text = call.request.question;
  const questions = conversationView(call)?.questions ?? [];
  const isNotLast = questions.some((question) => question.text === text) && questions.at(-1)?.text !== text;
  return text === undefined || isNotLast ? {} : { text };
}

/**
 * Returns undefined for a response about a different conversation, which the rules about stable ids and names report.
 */
function readSnapshot(call: ConversationCall, context: SnapshotContext): Snapshot | undefined {
  const { conversationId, machine } = context;
  const view = conversationView(call);
  if (view === undefined) {
    return readNewQuestion(call, context);
  }
  return (view.id ?? conversationId) === conversationId ? createSnapshot(view, machine, context) : undefined;
}

/** Returns the new question, if the response to a follow-up contains nothing else. */
function readNewQuestion(call: ConversationCall, context: SnapshotContext): Snapshot | undefined {
  const { conversationId, machine } = context;
  const question = call.operation === "follow-up" ? questionView(call) : undefined;
  return question !== undefined && (question.conversationId ?? conversationId) === conversationId
    ? { questions: [questionSnapshot(question, machine, context)] }
    : undefined;
}

const createWriteOfOtherInterface = (call: WriteOfOtherInterface): Write => ({
  kind: "write",
  write: call.operation,
  ...createObservationBase(call, call.request.conversationId),
  ...classifyOutcome(call),
});

function classifyOutcome({ response, record }: ConversationCall): Pick<Write, "outcome" | "endedAtMicros"> {
  const { endedAtMicros } = record.times;
  switch (response.kind) {
    case "success":
      return { outcome: "accepted", endedAtMicros };
    case "refused":
      return { outcome: "refused", endedAtMicros };
    case "server-failure":
    case "not-api":
      return { outcome: "unknown", endedAtMicros };
    case "none":
      return { outcome: "unknown" };
  }
}

const machines = { legacy: legacyMachine, current: currentMachine } as const;

/** Maximum number of findings for each code, far more than a verdict keeps. The checker counts the rest. */
const maxFindingsPerCode = 1_000;

/** The report on a conversation, and what it depends on. */
interface JudgedHistory {
  readonly history: ConversationHistory;
  readonly report: HistoryReport;
}

/**
 * The latest two results for each conversation: usually of its calls as they were recorded, and with an edited one. Where evidence is judged
 * again with one edited call, only the conversations of that call need the history checker.
 */
export class HistoryCache {
  readonly #results = new Map<string, readonly JudgedHistory[]>();
  readonly #newCheckerOf = cachePerObject((machine: ConversationMachine) =>
    prepareHistoryCheckers(machine, { maxFindingsPerCode }),
  );

  /** Returns the report of a conversation, which is computed if anything that it depends on changed. */
  reportOn(history: ConversationHistory): HistoryReport {
    const key = `${history.machine.interface} ${history.conversationId}`;
    const latest = this.#results.get(key) ?? [];
    const result = latest.find((known) => dependOnTheSame(known.history, history)) ?? {
      history,
      report: this.#judge(history),
    };
    this.#results.set(key, [result, ...latest.filter((known) => known !== result)].slice(0, 2));
    return result.report;
  }

  #judge(history: ConversationHistory): HistoryReport {
    const checker = this.#newCheckerOf(history.machine)();
    createObservations(history).forEach((observation) => checker.observe(observation));
    return checker.finish();
  }
}

const dependOnTheSame = (left: ConversationHistory, right: ConversationHistory): boolean =>
  left.calls.length === right.calls.length &&
  left.calls.every((call, index) => call === right.calls[index]) &&
  describeCancelled(left) === describeCancelled(right) &&
  describeTexts(left.cancelledQuestions) === describeTexts(right.cancelledQuestions);

/** The cancelled questions of a conversation, as text. */
const describeCancelled = ({ conversationId, cancelledQuestions, droppedQuestions }: ConversationHistory): string => {
  const cancelled = cancelledQuestions.byConversation.get(conversationId);
  const own =
    cancelled === undefined
      ? []
      : "ids" in cancelled
        ? ["ids", ...cancelled.ids]
        : ["all except", ...cancelled.exceptTexts];
  return JSON.stringify([own, [...droppedQuestions]]);
};

/** The texts of cancelled questions, which can be those of any conversation, as text. Cached. */
const describeTexts = cachePerObject(({ texts }: CancelledQuestions): string => JSON.stringify([...texts]));

/** Returns the result of the history checker for all reads of one interface. Conversations in `cache` are not judged again. */
export function checkHistory(
  interfaceName: ConversationInterface,
  { calls, conversationsOf }: Omit<HistoryCalls, "machine">,
  cache: HistoryCache = new HistoryCache(),
): HistoryReport {
  const histories = collectHistories({ machine: machines[interfaceName], calls, conversationsOf });
  return mergeHistoryReports(
    histories.map((history) => cache.reportOn(history)),
    maxFindingsPerCode,
  );
}
