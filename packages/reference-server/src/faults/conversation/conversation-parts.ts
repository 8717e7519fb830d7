import { statsMembers } from "@assay/contract";
import { questionText } from "../../service/conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject, mapObjects, mapStrings } from "../../service/payload.ts";
import { without } from "../event-transforms.ts";
import { withMember } from "../json-mutation.ts";
import type { CallContext, JsonEdit } from "./call-effects.ts";

/** Returns the questions of a conversation of either interface, or an empty array for any other JSON. */
export const listQuestions = (json: unknown): readonly PayloadObject[] => {
  const questions = isPayloadObject(json) ? json["questions"] : undefined;
  return isPayloadArray(questions) ? questions.filter(isPayloadObject) : [];
};

/** Reports whether JSON is a conversation of either interface. */
export const isConversation = (json: PayloadObject): boolean => isPayloadArray(json["questions"]);

/** Reports whether JSON is a single question of either interface. */
const isQuestion = ({ input, status }: PayloadObject): boolean => typeof status === "string" || isPayloadArray(input);

/** Edits JSON that passes a test. */
export const editWhen =
  (isSelected: (json: PayloadObject, context: CallContext) => boolean, edit: JsonEdit): JsonEdit =>
  (json, context) =>
    isSelected(json, context) ? edit(json, context) : json;

/** Edits a member that is an object. */
export const inMember =
  (name: string, edit: JsonEdit): JsonEdit =>
  (json, context) => {
    const value = json[name];
    const edited = isPayloadObject(value) ? edit(value, context) : value;
    return edited === value ? json : { ...json, [name]: edited };
  };

/** Changes a string member. */
export const inText =
  (name: string, write: (text: string) => string) =>
  (json: PayloadObject): PayloadObject =>
    typeof json[name] === "string" ? { ...json, [name]: write(json[name]) } : json;

/** Replaces a specific value of a member. */
export const replaceValue = (name: string, value: unknown, replacement: unknown): JsonEdit =>
  editWhen((json) => json[name] === value, withMember(name, replacement));

/** Edits the error of a conversation of the current interface. */
export const inError = (edit: JsonEdit): JsonEdit => inMember("state", inMember("error", edit));

/** Edits the objects in an array member whose position passes a test. Default: all. */
export const inElements =
  (name: string, edit: JsonEdit, isSelected: (index: number, count: number) => boolean = () => true): JsonEdit =>
  (json, context) => {
    const elements = isPayloadArray(json[name]) ? json[name] : [];
    const edited = elements.map((element, index) =>
      isPayloadObject(element) && isSelected(index, elements.length) ? edit(element, context) : element,
    );
    return edited.every((element, index) => element === elements[index]) ? json : { ...json, [name]: edited };
  };

/** Edits single questions and questions of conversations whose position passes a test. Default: all. */
export const inQuestions =
  (edit: JsonEdit, isSelected: (index: number, count: number) => boolean = () => true): JsonEdit =>
  (json, context) =>
    isQuestion(json)
      ? editWhen(() => isSelected(0, 1), edit)(json, context)
      : inElements("questions", edit, isSelected)(json, context);

/** Edits the last question. */
export const inLastQuestion = (edit: JsonEdit): JsonEdit => inQuestions(edit, (index, count) => index === count - 1);

/** Members that can contain the entries of a list, in both interfaces. */
export const envelopeNames = [
  "conversation_summaries",
  "conversationSummaries",
  "conversations",
  "summaries",
  "results",
  "items",
  "data",
] as const;

/** Returns the member that contains the entries of a list, or undefined if there is none, as in an empty list. */
export const findEntriesMember = (json: PayloadObject): string | undefined =>
  envelopeNames.find((name) => isPayloadArray(json[name]));

/** Returns the entries of a list. */
export const listEntries = (json: PayloadObject): readonly unknown[] => {
  const entries = json[findEntriesMember(json) ?? ""];
  return isPayloadArray(entries) ? entries : [];
};

/** Changes the entries of a list. JSON without entries is unchanged. */
export const withEntries = (
  json: PayloadObject,
  change: (entries: readonly unknown[]) => readonly unknown[],
): PayloadObject => {
  const name = findEntriesMember(json);
  return name === undefined ? json : { ...json, [name]: change(listEntries(json)) };
};

/** Adds a copy of the first conversation with a different name. */
export const withExtraEntry =
  (name: string): JsonEdit =>
  (json) =>
    withEntries(json, (entries) => [...entries, { ...Object(entries[0]), name }]);

/** Edits each entry of a list. */
export const inEntries =
  (edit: JsonEdit): JsonEdit =>
  (json, context) =>
    withEntries(json, (entries) => entries.map((entry) => (isPayloadObject(entry) ? edit(entry, context) : entry)));

/** Edits conversations in responses and lists. */
export const inConversations =
  (edit: JsonEdit): JsonEdit =>
  (json, context) =>
    context.call.operation === "list" ? inEntries(edit)(json, context) : edit(json, context);

/** Lists without conversations: an empty list, `null`, and no member. */
export const emptyLists = {
  all: (json) => withEntries(json, () => []),
  null: (json) => ({ ...json, [findEntriesMember(json) ?? "conversations"]: null }),
  "no-member": (json) => without(json, findEntriesMember(json) ?? ""),
} as const satisfies Record<string, JsonEdit>;

/** Reports whether a legacy question is in progress. */
export const isRunning = ({ status }: PayloadObject): boolean => status === "processing" || status === "pending";

/** Returns the only key of the state of a current conversation. */
export const stateKey = ({ state }: PayloadObject): string | undefined =>
  isPayloadObject(state) ? Object.keys(state)[0] : undefined;

/** Reports whether the last question of a conversation of either interface has ended. */
export const isFinished = (json: PayloadObject): boolean => {
  const last = listQuestions(json).at(-1);
  const state = stateKey(json);
  return last !== undefined && (state === undefined ? !isRunning(last) : state !== "processing");
};

export const isCancelled = ({ error }: PayloadObject): boolean =>
  isPayloadObject(error) && error["kind"] === "Cancelled";

/** Reports whether a legacy question was completed. */
export const isAnswered = (question: PayloadObject): boolean =>
  !isRunning(question) && !isPayloadObject(question["error"]);

const toCamelCase = (snake: string): string => snake.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());

/** Returns the spelling of a member that the object uses, or lowerCamelCase if it has neither. */
export const usedSpelling = (json: PayloadObject, snake: string): string =>
  Object.hasOwn(json, snake) ? snake : toCamelCase(snake);

/** Returns the spelling of `retry_time` that matches the other members of the conversation. */
export const retryName = (json: PayloadObject): string =>
  Object.hasOwn(json, "create_time") || Object.hasOwn(json, "update_time") ? "retry_time" : "retryTime";

/** Changes the text of a question, in the format of its interface. */
export const rewordQuestion: JsonEdit = (question) => withText(question, `${questionText(question)} (in short)`);

const withText = (question: PayloadObject, text: string): PayloadObject =>
  typeof question["question"] === "string"
    ? { ...question, question: text }
    : { ...question, input: [{ question: { text } }] };

/** Changes the spelling of the text of a question. */
export const respellQuestion =
  (spell: (text: string) => string): JsonEdit =>
  (question) =>
    withText(question, spell(questionText(question)));

/** Creates a content block of a current answer. */
export const createBlock = (text: string): PayloadObject => ({ markdown: { text } });

/** Returns the text of an answer in any form, or an empty string if there is none. */
export const readAnswerText = (answer: unknown): string => {
  const blocks = isPayloadArray(answer) ? answer : [{ markdown: { text: answer } }];
  return blocks
    .map((part) => (isPayloadObject(part) && isPayloadObject(part["markdown"]) ? part["markdown"]["text"] : ""))
    .join("");
};

/** Changes the text of the answer and keeps its form. A question without an answer is unchanged. */
export const changeAnswerText =
  (change: (text: string) => string): JsonEdit =>
  (question) => {
    const text = readAnswerText(question["answer"]);
    const answer = isPayloadArray(question["answer"]) ? [createBlock(change(text))] : change(text);
    return text === "" ? question : { ...question, answer };
  };

/** Members of the current interface whose names have more than one word. */
const multiWordNames = ["create_time", "update_time", "retry_time", "next_page_token", "conversation_summaries"];

/** Spells all member names in snake_case or in lowerCamelCase. */
export const respellMembers = (value: unknown, isSnake: boolean): unknown => {
  const renamedMembers = new Map(
    multiWordNames.map((name) => (isSnake ? [toCamelCase(name), name] : [name, toCamelCase(name)])),
  );
  return mapObjects(value, (data) =>
    Object.fromEntries(Object.entries(data).map(([name, member]) => [renamedMembers.get(name) ?? name, member])),
  );
};

/** Replaces the user in conversation names with `~self`. */
export const withSelf = (value: unknown): unknown =>
  mapStrings(value, (text, name) => (name === "name" ? text.replace(/^users\/[^/]+/u, "users/~self") : text));

/** Members with the update time, of both interfaces. */
export const updateNames: readonly string[] = ["updated_at", "updateTime", "update_time"];
/** Members with the creation time, of both interfaces. */
export const creationNames: readonly string[] = ["created_at", "createTime", "create_time"];

/** Adds milliseconds to a time and keeps its format. Other values are unchanged. */
const addToTime = (value: unknown, byMs: number): unknown => {
  const timeMs = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (typeof value !== "string" || Number.isNaN(timeMs)) {
    return value;
  }
  const text = new Date(timeMs + byMs).toISOString();
  return value.includes(".") ? text : text.replace(/\.\d+Z$/u, "Z");
};

/** Adds milliseconds to the named times that the object contains. */
export const withShiftedTimes = (json: PayloadObject, names: readonly string[], byMs: number): PayloadObject => ({
  ...json,
  ...Object.fromEntries(names.filter((name) => name in json).map((name) => [name, addToTime(json[name], byMs)])),
});

/** Formats the same instant with the offset +02:00. */
export const inOtherZone = (time: string): string => String(addToTime(time, 7_200_000)).replace("Z", "+02:00");

/** The stats of a question before any work. */
export const zeroStats: PayloadObject = Object.fromEntries(statsMembers.map((name) => [name, 0]));

const toUnixSeconds = (value: unknown): number => Math.floor((Date.parse(String(value)) || 0) / 1000);

/** Shows a legacy question as still in progress; keeps its update time. */
export const reopenQuestion = (question: PayloadObject): PayloadObject => ({
  ...["title", "answer", "sources", "error"].reduce(without, question),
  status: "processing",
  turns: [{ reasoning: questionText(question), timestamp: toUnixSeconds(question["created_at"]), role: "user" }],
  stats: zeroStats,
  suggested_followups: null,
});

/** Shows the last question of a conversation as still in progress; keeps its update time. */
export const reopenLastQuestion = (json: PayloadObject): PayloadObject => {
  const questions = listQuestions(json);
  const last = questions.at(-1);
  if (last === undefined) {
    return json;
  }
  const earlierQuestions = questions.slice(0, -1);
  return stateKey(json) === undefined
    ? { ...json, questions: [...earlierQuestions, reopenQuestion(last)] }
    : {
        ...(earlierQuestions.length === 0 ? without(json, "title") : json),
        state: { processing: {} },
        questions: [...earlierQuestions, without(last, "answer")],
      };
};

/** Shows a legacy question in its state right after it was asked. */
export const resetQuestion = (question: PayloadObject): PayloadObject => ({
  ...reopenQuestion(question),
  updated_at: question["created_at"],
});

/** Shows a conversation or a legacy question in its state right after its last question was asked. */
export const resetLastQuestion = (json: PayloadObject): PayloadObject => {
  const questions = listQuestions(json);
  const last = questions.at(-1);
  if (last === undefined) {
    return typeof json["status"] === "string" ? resetQuestion(json) : json;
  }
  const reopenedConversation = reopenLastQuestion(json);
  return stateKey(json) === undefined
    ? {
        ...reopenedConversation,
        updated_at: last["created_at"],
        questions: [...questions.slice(0, -1), resetQuestion(last)],
      }
    : { ...reopenedConversation, [usedSpelling(json, "update_time")]: last[usedSpelling(last, "create_time")] };
};
