import type { ConversationMachine } from "@assay/contract";
import type { HistoryCode } from "../history-report.ts";
import type { QuestionSnapshot, Read, Snapshot } from "../observation.ts";
import { stamp } from "./observations.ts";

/** One fault that a server shows. */
export interface Corruption {
  readonly name: string;
  /** Any of these codes finds it. */
  readonly codes: readonly HistoryCode[];
  readonly only?: "legacy" | "current";
  /** Turns a read into a faulty one just after it; undefined if this read does not allow it. */
  readonly spoil: (read: Read, machine: ConversationMachine) => Read | undefined;
}

const after = (read: Read, snapshot: Snapshot): Read => ({
  ...read,
  exchange: "spoilt",
  session: "spoilt",
  sentAtMicros: read.endedAtMicros + 1,
  endedAtMicros: read.endedAtMicros + 2,
  snapshot,
});

const questionsOf = ({ snapshot }: Read): readonly QuestionSnapshot[] => snapshot.questions ?? [];

/** Replaces the question at an index. */
const withQuestion = (read: Read, index: number, change: Partial<QuestionSnapshot>): Snapshot => ({
  ...read.snapshot,
  questions: questionsOf(read).map((one, at) => (at === index ? { ...one, ...change } : one)),
});

const lastOf = (read: Read): number => questionsOf(read).length - 1;

const isFinished = (read: Read, { subject }: ConversationMachine): boolean =>
  subject === "conversation" ? read.snapshot.state !== "processing" : questionsOf(read).at(-1)?.status === "completed";

/** The same read with the newest question or the conversation processing again. */
function reopened(read: Read, machine: ConversationMachine, updatedAt: string): Snapshot {
  const change = {
    facts: new Set<string>(),
    content: "",
    ...(machine.subject === "question" ? { status: "processing", updatedAt } : {}),
  };
  return {
    ...withQuestion(read, lastOf(read), change),
    ...(machine.subject === "conversation" ? { state: "processing" } : {}),
    updatedAt,
  };
}

const later = stamp(59);
const earlier = "2025-05-31T00:00:00Z";
const finished =
  (snapshot: (read: Read, machine: ConversationMachine) => Snapshot): Corruption["spoil"] =>
  (read, machine) =>
    isFinished(read, machine) ? after(read, snapshot(read, machine)) : undefined;
const atLeast =
  (count: number, snapshot: (read: Read) => Snapshot): Corruption["spoil"] =>
  (read) =>
    questionsOf(read).length >= count ? after(read, snapshot(read)) : undefined;

/** A read that shows what was true earlier counts as stale. */
const fallen: readonly HistoryCode[] = ["updated-at-fell", "stale-read"];

export const corruptions: readonly Corruption[] = [
  {
    name: "processing again, in a newer version",
    codes: ["backward-transition"],
    spoil: finished((read, machine) => reopened(read, machine, later)),
  },
  {
    name: "processing again, in an older version",
    codes: ["stale-read"],
    spoil: finished((read, machine) => reopened(read, machine, earlier)),
  },
  {
    name: "another end",
    codes: ["incomparable-ends"],
    only: "current",
    spoil: finished((read) => ({ ...read.snapshot, state: read.snapshot.state === "error" ? "completed" : "error" })),
  },
  {
    name: "another answer",
    codes: ["terminal-content-changed"],
    spoil: finished((read) => withQuestion(read, 0, { content: "something else" })),
  },
  {
    name: "the answer of another question",
    codes: ["terminal-content-changed"],
    spoil: (read, machine) =>
      isFinished(read, machine) && questionsOf(read)[0]?.content !== questionsOf(read).at(-1)?.content
        ? after(read, withQuestion(read, lastOf(read), { content: questionsOf(read)[0]?.content ?? "" }))
        : undefined,
  },
  {
    name: "the list of questions gone",
    codes: ["question-lost"],
    spoil: atLeast(1, (read) => ({ ...read.snapshot, updatedAt: later, questions: [] })),
  },
  {
    name: "one question fewer",
    codes: ["question-lost"],
    spoil: atLeast(2, (read) => ({ ...read.snapshot, updatedAt: later, questions: questionsOf(read).slice(0, -1) })),
  },
  {
    name: "the first question gone",
    codes: ["question-lost"],
    spoil: atLeast(2, (read) => ({ ...read.snapshot, updatedAt: later, questions: questionsOf(read).slice(1) })),
  },
  {
    name: "questions in another order",
    codes: ["question-reordered"],
    spoil: atLeast(2, (read) => ({ ...read.snapshot, questions: questionsOf(read).toReversed() })),
  },
  {
    name: "a duplicated question",
    codes: ["question-duplicated"],
    only: "legacy",
    spoil: atLeast(1, (read) => ({
      ...read.snapshot,
      questions: [...questionsOf(read), ...questionsOf(read).slice(0, 1)],
    })),
  },
  {
    name: "another id",
    codes: ["question-id-changed"],
    only: "legacy",
    spoil: atLeast(1, (read) => withQuestion(read, lastOf(read), { id: "9999" })),
  },
  {
    name: "another text",
    codes: ["question-text-changed"],
    spoil: atLeast(1, (read) => withQuestion(read, 0, { text: "What did nobody ask?" })),
  },
  {
    name: "created at another time",
    codes: ["created-at-changed"],
    spoil: atLeast(1, (read) => ({ ...read.snapshot, createdAt: earlier })),
  },
  {
    name: "a question created at another time",
    codes: ["created-at-changed"],
    only: "legacy",
    spoil: atLeast(1, (read) => withQuestion(read, 0, { createdAt: earlier })),
  },
  {
    name: "updated before it was created",
    codes: fallen,
    spoil: atLeast(1, (read) => ({ ...read.snapshot, updatedAt: earlier })),
  },
  {
    name: "a question updated before it was created",
    codes: fallen,
    only: "legacy",
    spoil: atLeast(1, (read) => withQuestion(read, 0, { updatedAt: earlier })),
  },
  {
    name: "completed without content",
    codes: ["field-gate"],
    spoil: (read, { subject }) =>
      (subject === "conversation" ? read.snapshot.state : questionsOf(read).at(-1)?.status) === "completed"
        ? after(read, withQuestion(read, lastOf(read), { facts: new Set() }))
        : undefined,
  },
  {
    name: "facts that its state forbids",
    codes: ["field-gate"],
    spoil: (read, machine) => {
      const isLegacy = machine.interface === "legacy";
      const isGated = isLegacy ? !isFinished(read, machine) : read.snapshot.state === "completed";
      return !isGated
        ? undefined
        : after(read, withQuestion(read, lastOf(read), { facts: new Set(isLegacy ? ["answer"] : []) }));
    },
  },
];
