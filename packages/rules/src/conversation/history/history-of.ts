import { currentMachine, defined, legacyMachine } from "@assay/contract";
import { isRecord, member, stringMember } from "@assay/reading";
import { createHistoryChecker } from "@assay/state-machine";
import type { HistoryReport, QuestionSnapshot, Read, ShownOutcome, Snapshot, Write } from "@assay/state-machine";
import type { ConversationMachine } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { Thread } from "../engine/threads.ts";
import { clientOf } from "../../engine/client-of.ts";
import { cancelledQuestions, isCancelled, withdrawnQuestions } from "../engine/cancelled-questions.ts";
import type { CancelledQuestions } from "../engine/cancelled-questions.ts";
import { conversationView, questionView } from "../engine/conversation-view.ts";
import { listView } from "../engine/list-view.ts";
import { canonicalText } from "../engine/canonical-text.ts";

/** Members of a legacy question that do not change after its completion. */
const finalMembers = ["answer", "title", "sources", "error"] as const;

/**
 * The content of a finished question that must not change, as one text. In the current interface, the text of the
 * answer in any form; undefined without one.
 */
function contentOf({ json, answer, facts }: QuestionView, machine: ConversationMachine): string | undefined {
  if (machine.interface === "legacy") {
    return canonicalText(finalMembers.map((name) => member(json, name)));
  }
  return answer ?? (facts.has("answer") ? undefined : "");
}

/** The outcome of a question, for findings. */
function shownOutcome({ json, answer }: QuestionView): ShownOutcome | undefined {
  const error = member(json, "error");
  if (isRecord(error)) {
    return { kind: "error", text: stringMember(error, "message") ?? stringMember(error, "title") ?? "" };
  }
  return answer === undefined ? undefined : { kind: "answer", text: answer };
}

/** The conversation of questions, and those that the run may have cancelled. */
interface Surroundings {
  readonly conversation: string;
  readonly cancelled: CancelledQuestions;
}

/** Snapshot of a conversation for the history checker. An unlisted state is left out: it fails another rule. */
function snapshotOf(view: ConversationView, machine: ConversationMachine, around: Surroundings): Snapshot {
  const { state, createdAt, updatedAt } = view;
  return {
    ...(state !== undefined && machine.states.includes(state) ? { state } : {}),
    ...defined({ createdAt, updatedAt }),
    ...(Array.isArray(member(view.json, "questions"))
      ? {
          questions: view.questions.map((question) => questionSnapshot(question, machine, around)),
        }
      : {}),
  };
}

/**
 * Snapshot of a list entry for the history checker. Whether lists have questions and full answers is unspecified: an
 * entry without questions is ignored, and the content of finished questions is not taken from lists.
 */
function listedSnapshotOf(view: ConversationView, machine: ConversationMachine, around: Surroundings): Snapshot {
  const { questions, ...snapshot } = snapshotOf(view, machine, around);
  return questions === undefined || questions.length === 0
    ? snapshot
    : { ...snapshot, questions: questions.map(({ content: _content, outcome: _outcome, ...question }) => question) };
}

/** Snapshot of a question for the history checker. */
function questionSnapshot(
  question: QuestionView,
  machine: ConversationMachine,
  { conversation, cancelled }: Surroundings,
): QuestionSnapshot {
  const { id, text, status = question.state, createdAt, updatedAt, facts } = question;
  const content = contentOf(question, machine);
  const outcome = shownOutcome(question);
  return {
    ...defined({ id, text }),
    ...(status !== undefined && machine.states.includes(status) ? { status } : {}),
    ...defined({ createdAt, updatedAt }),
    facts: isCancelled(question, conversation, cancelled) ? new Set([...facts, "cancelled"]) : facts,
    ...defined({ content, outcome }),
  };
}

/** Calls of one interface for the history checker. */
interface HistoryCalls {
  readonly machine: ConversationMachine;
  readonly calls: readonly ConversationCall[];
  readonly threads: (name: ConversationInterface) => readonly Thread[];
}

/**
 * Reads and writes in order of sending. Writes through the other interface count too: a follow-up there reopens the
 * conversation here. Both are assumed to have the same id; otherwise the write belongs to a conversation that is
 * never read.
 */
function* observationsOf({ machine, calls, threads }: HistoryCalls): Generator<Read | Write> {
  const cancelled = cancelledQuestions(threads);
  const withdrawn = machine.interface === "legacy" ? withdrawnQuestions(threads) : [];
  const leftOut = new Set(withdrawn.map(({ conversation, id }) => `${conversation} ${id}`));
  for (const observation of answeredOnes({ machine, calls, cancelled })) {
    yield leftOut.size === 0 ? observation : without(observation, leftOut);
  }
}

/**
 * An observation without the questions that reads leave out after their cancellation, and without the texts of such
 * requests.
 */
function without(observation: Read | Write, leftOut: ReadonlySet<string>): Read | Write {
  const { conversation, snapshot } = observation;
  const questions = snapshot?.questions ?? [];
  const kept = questions.filter(({ id }) => !leftOut.has(`${conversation} ${id}`));
  if (kept.length === questions.length) {
    return observation;
  }
  const changed = { snapshot: { ...snapshot, questions: kept } };
  if (observation.kind === "read") {
    return { ...observation, ...changed };
  }
  const { text: _asked, ...write } = observation;
  return { ...write, ...changed };
}

interface AnsweredCalls extends Pick<HistoryCalls, "machine" | "calls"> {
  readonly cancelled: CancelledQuestions;
}

function* answeredOnes({ machine, calls, cancelled }: AnsweredCalls): Generator<Read | Write> {
  // The response to a cancellation is unspecified. A cancellation after the end excuses no change.
  for (const call of calls.filter((each) => !cancelled.tooLate.has(each))) {
    if (call.interface === machine.interface && call.operation === "list") {
      yield* listedReads(call, machine, cancelled);
      continue;
    }
    const observation =
      call.interface === machine.interface ? ownObservation(call, machine, cancelled) : foreignWrite(call);
    if (observation !== undefined) {
      yield observation;
    }
  }
}

interface CallFacts {
  readonly exchange: string;
  readonly session: string;
  readonly conversation: string;
  readonly sentAtMicros: number;
}

const factsOf = (call: ConversationCall, conversation: string): CallFacts => ({
  exchange: call.record.id,
  session: call.record.session ?? clientOf(call),
  conversation,
  sentAtMicros: call.record.times.sentAtMicros,
});

/** Each list entry is a read of its conversation. */
function listedReads(
  call: ConversationCall,
  machine: ConversationMachine,
  cancelled: CancelledQuestions,
): readonly Read[] {
  return (listView(call)?.entries ?? []).flatMap((entry) =>
    entry.id === undefined
      ? []
      : [
          {
            kind: "read",
            ...factsOf(call, entry.id),
            endedAtMicros: call.record.times.endedAtMicros,
            snapshot: listedSnapshotOf(entry, machine, { conversation: entry.id, cancelled }),
          },
        ],
  );
}

function ownObservation(
  call: ConversationCall,
  machine: ConversationMachine,
  cancelled: CancelledQuestions,
): Read | Write | undefined {
  const { operation } = call;
  const conversation = operation === "create" ? conversationView(call)?.id : call.asked.conversation;
  if (conversation === undefined || operation === "list") {
    return undefined;
  }
  const snapshot = snapshotIn(call, { conversation, machine, cancelled });
  if (operation === "get") {
    const { endedAtMicros } = call.record.times;
    return snapshot && { kind: "read", ...factsOf(call, conversation), endedAtMicros, snapshot };
  }
  return {
    kind: "write",
    write: operation,
    ...factsOf(call, conversation),
    ...outcomeOf(call),
    ...defined({ snapshot }),
    ...askedText(call),
  };
}

/**
 * The requested text; left out if the response shows it in another position than the last, which is a matter of
 * order.
 */
function askedText(call: ConversationCall): { readonly text?: string } {
  const text = call.asked.question;
  const questions = conversationView(call)?.questions ?? [];
  const isElsewhere = questions.some((question) => question.text === text) && questions.at(-1)?.text !== text;
  return text === undefined || isElsewhere ? {} : { text };
}

interface SnapshotContext extends Surroundings {
  readonly machine: ConversationMachine;
}

/** A response about another conversation is no evidence for this one; another rule reports it. */
function snapshotIn(call: ConversationCall, context: SnapshotContext): Snapshot | undefined {
  const { conversation, machine } = context;
  const view = conversationView(call);
  if (view === undefined) {
    return newQuestionIn(call, context);
  }
  return (view.id ?? conversation) === conversation ? snapshotOf(view, machine, context) : undefined;
}

/** The new question, if it is the whole response to a follow-up. */
function newQuestionIn(call: ConversationCall, context: SnapshotContext): Snapshot | undefined {
  const { conversation, machine } = context;
  const question = call.operation === "follow-up" ? questionView(call) : undefined;
  return question !== undefined && (question.conversationId ?? conversation) === conversation
    ? { questions: [questionSnapshot(question, machine, context)] }
    : undefined;
}

function foreignWrite(call: ConversationCall): Write | undefined {
  const { operation, asked } = call;
  return asked.conversation === undefined || operation === "get" || operation === "list" || operation === "create"
    ? undefined
    : { kind: "write", write: operation, ...factsOf(call, asked.conversation), ...outcomeOf(call) };
}

function outcomeOf({ answer, record }: ConversationCall): Pick<Write, "outcome" | "endedAtMicros"> {
  const { endedAtMicros } = record.times;
  switch (answer.kind) {
    case "success":
      return { outcome: "accepted", endedAtMicros };
    case "refused":
      return { outcome: "refused", endedAtMicros };
    case "distress":
    case "elsewhere":
      return { outcome: "unknown", endedAtMicros };
    case "none":
      return { outcome: "unknown" };
  }
}

const machines = { legacy: legacyMachine, current: currentMachine } as const;

/** Maximum number of findings for each code, far more than a verdict keeps; the checker counts the rest. */
const maxFindingsPerCode = 1_000;

/** The result of the history checker for all reads of one interface. */
export function historyOf(
  name: ConversationInterface,
  calls: readonly ConversationCall[],
  threads: (name: ConversationInterface) => readonly Thread[],
): HistoryReport {
  const checker = createHistoryChecker(machines[name], { maxFindingsPerCode });
  for (const observation of observationsOf({ machine: machines[name], calls, threads })) {
    checker.observe(observation);
  }
  return checker.finish();
}
