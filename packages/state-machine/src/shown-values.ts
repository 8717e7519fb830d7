import type { QuestionSnapshot, ShownOutcome, Snapshot } from "./observation.ts";
import type { StateTable } from "./state-table.ts";
import { boundedKey, copyStart } from "./text-digest.ts";
import type { Value } from "./packed-list.ts";

/** The content of a finished question. */
export interface ShownContent {
  readonly digest: number;
  /** Number of characters. */
  readonly length: number;
  readonly outcome: ShownOutcome | undefined;
}

/** A question as far as the checker compares it. Long texts are shortened and get a digest. */
export interface ShownQuestion extends Omit<QuestionSnapshot, "content" | "outcome"> {
  /** Only of a finished question. */
  readonly content: ShownContent | undefined;
}

/** A snapshot as far as the checker compares it. */
export interface ShownSnapshot extends Omit<Snapshot, "questions"> {
  /** Number of questions, if it is known. */
  readonly questionCount: number | undefined;
  /** The first ones. */
  readonly questions: readonly ShownQuestion[];
}

/** A shown snapshot as a flat list. Two snapshots show the same exactly if their values are equal. */
export type Values = readonly Value[];

/** Lists are compared up to this length. */
export const maxListedQuestions = 1024;

/** Number of characters of an answer or error that are compared literally. Findings quote fewer. */
const maxQuotedCharacters = 80;

const conversationValues = 4;
const questionValues = 10;

/** Stands for the update time of the conversation. Usually a question has the same. */
const sameTime = 0;

const boundedText = (text: string | undefined): string | null => (typeof text === "string" ? boundedKey(text) : null);

/** Shortens snapshots: the states of its table, and digests of texts. */
export interface ValueContext {
  readonly table: StateTable;
  readonly digestText: (text: string) => number;
}

/** Returns the values of the content, which only matters in a finished question. */
const toContentValues = (
  digestText: ValueContext["digestText"],
  { content, outcome }: QuestionSnapshot,
): readonly [Value, Value, Value, Value] =>
  typeof content === "string"
    ? [digestText(content), content.length, outcome?.kind ?? null, outcome?.text.slice(0, maxQuotedCharacters) ?? null]
    : noContent;

const noContent = [null, null, null, null] as const;

export function toValues({ table, digestText }: ValueContext, snapshot: Snapshot): Values {
  const { subject, terminal } = table.machine;
  const { state, createdAt, updatedAt, questions } = snapshot;
  const values: Value[] = [
    boundedText(state),
    boundedText(createdAt),
    boundedText(updatedAt),
    questions?.length ?? null,
  ];
  const listLength = conversationValues + maxListedQuestions * questionValues;
  for (const question of questions ?? []) {
    const isFinished = terminal.includes((subject === "question" ? question.status : state) ?? "");
    const [digest, length, kind, text] = isFinished ? toContentValues(digestText, question) : noContent;
    values.push(
      boundedText(question.id),
      boundedText(question.text),
      boundedText(question.status),
      boundedText(question.createdAt),
      question.updatedAt === updatedAt ? sameTime : boundedText(question.updatedAt),
      table.toFactBits(question.facts),
      digest,
      length,
      kind,
      text,
    );
    if (values.length >= listLength) {
      break;
    }
  }
  return values;
}

const toText = (value: Value | undefined): string | undefined => (typeof value === "string" ? value : undefined);
const toNumber = (value: Value | undefined): number | undefined => (typeof value === "number" ? value : undefined);

function toContent(values: Values, start: number): ShownContent | undefined {
  const digest = toNumber(values[start]);
  const kind = values[start + 2];
  return digest === undefined
    ? undefined
    : {
        digest,
        length: toNumber(values[start + 1]) ?? 0,
        outcome: kind === "answer" || kind === "error" ? { kind, text: toText(values[start + 3]) ?? "" } : undefined,
      };
}

export function toShownSnapshot({ toFacts }: StateTable, values: Values): ShownSnapshot {
  const updatedAt = toText(values[2]);
  const questions: ShownQuestion[] = [];
  for (let start = conversationValues; start < values.length; start += questionValues) {
    questions.push({
      id: toText(values[start]),
      text: toText(values[start + 1]),
      status: toText(values[start + 2]),
      createdAt: toText(values[start + 3]),
      updatedAt: values[start + 4] === sameTime ? updatedAt : toText(values[start + 4]),
      facts: toFacts(toNumber(values[start + 5]) ?? 0),
      content: toContent(values, start + 6),
    });
  }
  return {
    state: toText(values[0]),
    createdAt: toText(values[1]),
    updatedAt,
    questionCount: toNumber(values[3]),
    questions,
  };
}

export function isSame(a: Values, b: Values): boolean {
  for (let index = 0; index < a.length; index += 1) {
    if (a[index] !== b[index]) {
      return false;
    }
  }
  return a.length === b.length;
}

/** The length of the values, and the place and value of each one that differs from those before. */
export type Changes = readonly Value[];

/** Strings are copied, so that they do not keep the whole response in memory. */
export function findChanges(before: Values, values: Values): Changes {
  const changes: Value[] = [values.length];
  for (const [index, value] of values.entries()) {
    if (value !== before[index]) {
      changes.push(index, typeof value === "string" ? copyStart(value, value.length) : value);
    }
  }
  return changes;
}

export function applyChanges(before: Values, changes: Changes): Values {
  const values = before.slice(0, Number(changes[0]));
  for (let index = 1; index < changes.length; index += 2) {
    values[Number(changes[index])] = changes[index + 1] ?? null;
  }
  return values;
}
