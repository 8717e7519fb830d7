import { currentMachine, defined, legacyMachine } from "@assay/contract";
import { isRecord, member, stringMember } from "@assay/reading";
import { createHistoryChecker } from "@assay/state-machine";
import type { HistoryReport, QuestionSnapshot, Read, ShownOutcome, Snapshot, Write } from "@assay/state-machine";
import type { ConversationMachine } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { RecordedConversation } from "../engine/recorded-conversations.ts";
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

/**
 * Returns reads and writes, sorted by sending time. Writes through the other interface are included: a follow-up there
 * reopens the conversation here. A conversation is assumed to have the same id in both interfaces; otherwise the write
 * belongs to a conversation that is never read.
 */
function* createObservations({ machine, calls, conversationsOf }: HistoryCalls): Generator<Read | Write> {
  const cancelledQuestions = findCancelledQuestions(conversationsOf);
  const droppedLegacyQuestions = machine.interface === "legacy" ? findDroppedQuestions(conversationsOf) : [];
  const droppedKeys = new Set(
    droppedLegacyQuestions.map(({ conversationId, questionId }) => `${conversationId} ${questionId}`),
  );
  for (const observation of observeCalls({ machine, calls, cancelledQuestions })) {
    yield droppedKeys.size === 0 ? observation : withoutDroppedQuestions(observation, droppedKeys);
  }
}

/**
 * Removes cancelled questions that later reads no longer return. If a write contains such a question, its request text
 * is removed too.
 */
function withoutDroppedQuestions(observation: Read | Write, droppedKeys: ReadonlySet<string>): Read | Write {
  const { conversation, snapshot } = observation;
  const questions = snapshot?.questions ?? [];
  const remainingQuestions = questions.filter(({ id }) => !droppedKeys.has(`${conversation} ${id}`));
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

interface CallsToObserve extends Pick<HistoryCalls, "machine" | "calls"> {
  readonly cancelledQuestions: CancelledQuestions;
}

function* observeCalls({ machine, calls, cancelledQuestions }: CallsToObserve): Generator<Read | Write> {
  // The response to a cancellation is unspecified. A change after a late cancellation is still a violation.
  for (const call of calls.filter((candidate) => !cancelledQuestions.lateCancellations.has(candidate))) {
    if (call.interface === machine.interface && call.operation === "list") {
      yield* createListReads(call, machine, cancelledQuestions);
      continue;
    }
    const observation =
      call.interface === machine.interface
        ? createReadOrWrite(call, machine, cancelledQuestions)
        : createWriteOfOtherInterface(call);
    if (observation !== undefined) {
      yield observation;
    }
  }
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

/** Returns one read for each list entry. */
function createListReads(
  call: ConversationCall,
  machine: ConversationMachine,
  cancelledQuestions: CancelledQuestions,
): readonly Read[] {
  return (listView(call)?.entries ?? []).flatMap((entry) =>
    entry.id === undefined
      ? []
      : [
          {
            kind: "read",
            ...createObservationBase(call, entry.id),
            endedAtMicros: call.record.times.endedAtMicros,
            snapshot: createListSnapshot(entry, machine, { conversationId: entry.id, cancelledQuestions }),
          },
        ],
  );
}

function createReadOrWrite(
  call: ConversationCall,
  machine: ConversationMachine,
  cancelledQuestions: CancelledQuestions,
): Read | Write | undefined {
  const { operation } = call;
  const conversationId = operation === "create" ? conversationView(call)?.id : call.request.conversationId;
  if (conversationId === undefined || operation === "list") {
    return undefined;
  }
  const snapshot = readSnapshot(call, { conversationId, machine, cancelledQuestions });
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

interface SnapshotContext extends QuestionContext {
  readonly machine: ConversationMachine;
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

function createWriteOfOtherInterface(call: ConversationCall): Write | undefined {
  const { operation, request } = call;
  return request.conversationId === undefined || operation === "get" || operation === "list" || operation === "create"
    ? undefined
    : {
        kind: "write",
        write: operation,
        ...createObservationBase(call, request.conversationId),
        ...classifyOutcome(call),
      };
}

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

/** Returns the result of the history checker for all reads of one interface. */
export function checkHistory(
  interfaceName: ConversationInterface,
  calls: readonly ConversationCall[],
  conversationsOf: (interfaceName: ConversationInterface) => readonly RecordedConversation[],
): HistoryReport {
  const checker = createHistoryChecker(machines[interfaceName], { maxFindingsPerCode });
  for (const observation of createObservations({ machine: machines[interfaceName], calls, conversationsOf })) {
    checker.observe(observation);
  }
  return checker.finish();
}
