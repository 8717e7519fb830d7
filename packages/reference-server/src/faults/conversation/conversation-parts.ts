import { statsMembers } from "@assay/contract";
import { questionText } from "../../service/conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject, withObjects, withTexts } from "../../service/payload.ts";
import { without } from "../event-transforms.ts";
import { having } from "../spoiling.ts";
import type { CallContext, JsonEdit } from "./call-effects.ts";

/** The questions of a conversation of either interface; none for anything else. */
export const questionsOf = (json: unknown): readonly PayloadObject[] => {
  const questions = isPayloadObject(json) ? json["questions"] : undefined;
  return isPayloadArray(questions) ? questions.filter(isPayloadObject) : [];
};

/** Whether JSON is a conversation of either interface. */
export const isConversation = (json: PayloadObject): boolean => isPayloadArray(json["questions"]);

/** Whether JSON is a question by itself, of either interface. */
const isQuestion = ({ input, status }: PayloadObject): boolean => typeof status === "string" || isPayloadArray(input);

/** Edits what passes a test. */
export const when =
  (isMeant: (json: PayloadObject, context: CallContext) => boolean, edit: JsonEdit): JsonEdit =>
  (json, context) =>
    isMeant(json, context) ? edit(json, context) : json;

/** Edits an object that is a member. */
export const inMember =
  (name: string, edit: JsonEdit): JsonEdit =>
  (json, context) => {
    const value = json[name];
    const edited = isPayloadObject(value) ? edit(value, context) : value;
    return edited === value ? json : { ...json, [name]: edited };
  };

/** Writes a text that is a member in another way. */
export const inText =
  (name: string, write: (text: string) => string) =>
  (json: PayloadObject): PayloadObject =>
    typeof json[name] === "string" ? { ...json, [name]: write(json[name]) } : json;

/** Puts another value of a member in the place of this one. */
export const exchanging = (name: string, value: unknown, other: unknown): JsonEdit =>
  when((json) => json[name] === value, having(name, other));

/** Edits the error of a conversation of the current interface. */
export const inError = (edit: JsonEdit): JsonEdit => inMember("state", inMember("error", edit));

/** Edits the objects in an array that is a member: all of them, or some by their place. */
export const inElements =
  (name: string, edit: JsonEdit, isMeant: (index: number, count: number) => boolean = () => true): JsonEdit =>
  (json, context) => {
    const elements = isPayloadArray(json[name]) ? json[name] : [];
    const edited = elements.map((element, index) =>
      isPayloadObject(element) && isMeant(index, elements.length) ? edit(element, context) : element,
    );
    return edited.every((element, index) => element === elements[index]) ? json : { ...json, [name]: edited };
  };

/** Edits questions, whether they are in a conversation or by themselves: all of them, or some by their place. */
export const inQuestions =
  (edit: JsonEdit, isMeant: (index: number, count: number) => boolean = () => true): JsonEdit =>
  (json, context) =>
    isQuestion(json)
      ? when(() => isMeant(0, 1), edit)(json, context)
      : inElements("questions", edit, isMeant)(json, context);

/** Edits the last question. */
export const inLastQuestion = (edit: JsonEdit): JsonEdit => inQuestions(edit, (index, count) => index === count - 1);

/** Members in which a list of either interface may hold its entries. */
export const envelopes = [
  "conversation_summaries",
  "conversationSummaries",
  "conversations",
  "summaries",
  "results",
  "items",
  "data",
] as const;

/** The member that holds the entries of a list; undefined where there is none, as when a list is empty. */
export const envelopeOf = (json: PayloadObject): string | undefined =>
  envelopes.find((name) => isPayloadArray(json[name]));

/** The entries of a list. */
export const entriesOf = (json: PayloadObject): readonly unknown[] => {
  const entries = json[envelopeOf(json) ?? ""];
  return isPayloadArray(entries) ? entries : [];
};

/** A list with other entries; whatever holds none stays as it is. */
export const withEntries = (
  json: PayloadObject,
  change: (entries: readonly unknown[]) => readonly unknown[],
): PayloadObject => {
  const name = envelopeOf(json);
  return name === undefined ? json : { ...json, [name]: change(entriesOf(json)) };
};

/** A list with one more conversation, which has this name and is otherwise like the first one. */
export const withOneMore =
  (name: string): JsonEdit =>
  (json) =>
    withEntries(json, (entries) => [...entries, { ...Object(entries[0]), name }]);

/** Edits each entry of a list. */
export const inEntries =
  (edit: JsonEdit): JsonEdit =>
  (json, context) =>
    withEntries(json, (entries) => entries.map((entry) => (isPayloadObject(entry) ? edit(entry, context) : entry)));

/** Edits a conversation wherever it is shown: in answers of its own, and in lists. */
export const wherever =
  (edit: JsonEdit): JsonEdit =>
  (json, context) =>
    context.call.operation === "list" ? inEntries(edit)(json, context) : edit(json, context);

/** Answers to a list that show nobody's conversations: an empty list, `null` in its place, no member for it. */
export const emptyLists = {
  all: (json) => withEntries(json, () => []),
  null: (json) => ({ ...json, [envelopeOf(json) ?? "conversations"]: null }),
  "no-member": (json) => without(json, envelopeOf(json) ?? ""),
} as const satisfies Record<string, JsonEdit>;

/** Whether a legacy question is in progress. */
export const isRunning = ({ status }: PayloadObject): boolean => status === "processing" || status === "pending";

/** The single key of the state of a conversation of the current interface. */
export const stateKey = ({ state }: PayloadObject): string | undefined =>
  isPayloadObject(state) ? Object.keys(state)[0] : undefined;

/** Whether the last question of a conversation of either interface has ended. */
export const isFinished = (json: PayloadObject): boolean => {
  const last = questionsOf(json).at(-1);
  const state = stateKey(json);
  return last !== undefined && (state === undefined ? !isRunning(last) : state !== "processing");
};

/** Whether a legacy question was cancelled. */
export const isCancelled = ({ error }: PayloadObject): boolean =>
  isPayloadObject(error) && error["kind"] === "Cancelled";

/** Whether a legacy question ended in success. */
export const isAnswered = (question: PayloadObject): boolean =>
  !isRunning(question) && !isPayloadObject(question["error"]);

const inCapitals = (snake: string): string => snake.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());

/** The name of a member of the current interface as an object spells it; in capitals where it has neither. */
export const spelled = (json: PayloadObject, snake: string): string =>
  Object.hasOwn(json, snake) ? snake : inCapitals(snake);

/** The name of the time to retry as a conversation of the current interface spells its members. */
export const retryName = (json: PayloadObject): string =>
  Object.hasOwn(json, "create_time") || Object.hasOwn(json, "update_time") ? "retry_time" : "retryTime";

/** A question with another text, in the form of its interface. */
export const reworded: JsonEdit = (question) => withText(question, `${questionText(question)} (in short)`);

const withText = (question: PayloadObject, text: string): PayloadObject =>
  typeof question["question"] === "string"
    ? { ...question, question: text }
    : { ...question, input: [{ question: { text } }] };

/** The text of a question is spelled in another way. */
export const respelled =
  (spell: (text: string) => string): JsonEdit =>
  (question) =>
    withText(question, spell(questionText(question)));

/** A block of the answers of the current interface. */
export const block = (text: string): PayloadObject => ({ markdown: { text } });

/** The text of an answer in any of its forms; empty where there is none. */
export const textOf = (answer: unknown): string => {
  const blocks = isPayloadArray(answer) ? answer : [{ markdown: { text: answer } }];
  return blocks
    .map((part) => (isPayloadObject(part) && isPayloadObject(part["markdown"]) ? part["markdown"]["text"] : ""))
    .join("");
};

/** A question with the text of its answer changed, in the same form; one without text stays. */
export const reanswered =
  (change: (text: string) => string): JsonEdit =>
  (question) => {
    const text = textOf(question["answer"]);
    const answer = isPayloadArray(question["answer"]) ? [block(change(text))] : change(text);
    return text === "" ? question : { ...question, answer };
  };

/** Names of more than one word of the current interface. */
const wordyNames = ["create_time", "update_time", "retry_time", "next_page_token", "conversation_summaries"];

/** A part of an answer of the current interface with its names spelled in one way. */
export const spelledAs = (value: unknown, isSnake: boolean): unknown => {
  const others = new Map(wordyNames.map((name) => (isSnake ? [inCapitals(name), name] : [name, inCapitals(name)])));
  return withObjects(value, (data) =>
    Object.fromEntries(Object.entries(data).map(([name, member]) => [others.get(name) ?? name, member])),
  );
};

/** A part of an answer with the literal for the user in its names of conversations. */
export const withSelf = (value: unknown): unknown =>
  withTexts(value, (text, name) => (name === "name" ? text.replace(/^users\/[^/]+/u, "users/~self") : text));

/** Names of the time of the last update in either interface. */
export const updateNames: readonly string[] = ["updated_at", "updateTime", "update_time"];
/** Names of the time of creation in either interface. */
export const creationNames: readonly string[] = ["created_at", "createTime", "create_time"];

/** The same time later by so many milliseconds, written in the same way; anything but a time stays. */
const later = (value: unknown, byMs: number): unknown => {
  const timeMs = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (typeof value !== "string" || Number.isNaN(timeMs)) {
    return value;
  }
  const text = new Date(timeMs + byMs).toISOString();
  return value.includes(".") ? text : text.replace(/\.\d+Z$/u, "Z");
};

/** The object with some of its times later, those that it has. */
export const withLater = (json: PayloadObject, names: readonly string[], byMs: number): PayloadObject => ({
  ...json,
  ...Object.fromEntries(names.filter((name) => name in json).map((name) => [name, later(json[name], byMs)])),
});

/** The same instant, two hours east of Greenwich. */
export const inOtherZone = (time: string): string => String(later(time, 7_200_000)).replace("Z", "+02:00");

/** Stats of a question that nobody has worked on. */
export const zeroStats: PayloadObject = Object.fromEntries(statsMembers.map((name) => [name, 0]));

const secondsOf = (value: unknown): number => Math.floor((Date.parse(String(value)) || 0) / 1000);

/** A legacy question as if it were still in progress; when it was updated stays. */
export const reopenedQuestion = (question: PayloadObject): PayloadObject => ({
  ...["title", "answer", "sources", "error"].reduce(without, question),
  status: "processing",
  turns: [{ reasoning: questionText(question), timestamp: secondsOf(question["created_at"]), role: "user" }],
  stats: zeroStats,
  suggested_followups: null,
});

/** A conversation of either interface as if its last question were still in progress; when it was updated stays. */
export const reopened = (json: PayloadObject): PayloadObject => {
  const questions = questionsOf(json);
  const last = questions.at(-1);
  if (last === undefined) {
    return json;
  }
  const before = questions.slice(0, -1);
  return stateKey(json) === undefined
    ? { ...json, questions: [...before, reopenedQuestion(last)] }
    : {
        ...(before.length === 0 ? without(json, "title") : json),
        state: { processing: {} },
        questions: [...before, without(last, "answer")],
      };
};

/** A legacy question as it was when it had just been asked. */
export const unfinishedQuestion = (question: PayloadObject): PayloadObject => ({
  ...reopenedQuestion(question),
  updated_at: question["created_at"],
});

/** A conversation of either interface, or a legacy question, as it was when its last question had just been asked. */
export const unfinished = (json: PayloadObject): PayloadObject => {
  const questions = questionsOf(json);
  const last = questions.at(-1);
  if (last === undefined) {
    return typeof json["status"] === "string" ? unfinishedQuestion(json) : json;
  }
  const again = reopened(json);
  return stateKey(json) === undefined
    ? { ...again, updated_at: last["created_at"], questions: [...questions.slice(0, -1), unfinishedQuestion(last)] }
    : { ...again, [spelled(json, "update_time")]: last[spelled(last, "create_time")] };
};
