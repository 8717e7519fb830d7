import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";

/** The questions of a conversation of either interface; none for anything else. */
export const questionsOf = (json: unknown): readonly PayloadObject[] => {
  const questions = isPayloadObject(json) ? json["questions"] : undefined;
  return isPayloadArray(questions) ? questions.filter(isPayloadObject) : [];
};

/** Whether JSON is a conversation of either interface. */
export const isConversation = (json: PayloadObject): boolean => isPayloadArray(json["questions"]);

/** Whether JSON is a legacy question by itself. */
const isLegacyQuestion = (json: PayloadObject): boolean => typeof json["status"] === "string";
/** Whether JSON is a question of the current interface by itself. */
const isCurrentQuestion = (json: PayloadObject): boolean => isPayloadArray(json["input"]);

/** Changes a question; the same object again where there is nothing to change. */
type QuestionChange = (question: PayloadObject, index: number, all: readonly PayloadObject[]) => unknown;

/** The JSON with its questions changed, whether it is a conversation or a question by itself. */
export const changeQuestions = (json: PayloadObject, change: QuestionChange): unknown => {
  if (isLegacyQuestion(json) || isCurrentQuestion(json)) {
    return change(json, 0, [json]);
  }
  const questions = questionsOf(json);
  const changed = questions.map(change);
  return changed.every((question, index) => question === questions[index]) ? json : { ...json, questions: changed };
};

/** The JSON with its last question changed. */
export const changeLastQuestion = (json: PayloadObject, change: (question: PayloadObject) => unknown): unknown =>
  changeQuestions(json, (question, index, all) => (index === all.length - 1 ? change(question) : question));

/** Whether a legacy question is in progress. */
export const isRunning = ({ status }: PayloadObject): boolean => status === "processing" || status === "pending";

/** The single key of the state of a conversation of the current interface. */
export const stateKey = ({ state }: PayloadObject): string | undefined =>
  isPayloadObject(state) ? Object.keys(state)[0] : undefined;

/** Whether the last question of a conversation of either interface has ended. */
export const isFinished = (json: PayloadObject): boolean => {
  const last = questionsOf(json).at(-1);
  if (last === undefined) {
    return false;
  }
  const state = stateKey(json);
  return state === undefined ? !isRunning(last) : state !== "processing";
};

/** Whether a legacy question was cancelled. */
export const isCancelled = ({ error }: PayloadObject): boolean =>
  isPayloadObject(error) && error["kind"] === "Cancelled";

/** Whether a legacy question ended in success. */
export const isAnswered = (question: PayloadObject): boolean =>
  !isRunning(question) && !isPayloadObject(question["error"]);

/** The name of a member of the current interface as an object spells it; in capitals where it has neither. */
export const spelled = (json: unknown, snake: string): string => {
  const camel = snake.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
  return isPayloadObject(json) && Object.hasOwn(json, snake) ? snake : camel;
};

/** Whether a conversation of the current interface, or a part of it, spells its members with underscores. */
export const isSnake = (json: PayloadObject): boolean =>
  Object.keys(json).some((name) => name === "create_time" || name === "update_time");

/** The question with another text, in the form of its interface. */
export const withText = (question: PayloadObject, text: string): PayloadObject =>
  typeof question["question"] === "string"
    ? { ...question, question: text }
    : { ...question, input: [{ question: { text } }] };

/** The same time later by so many milliseconds, written in the same way; anything but a time stays. */
export const later = (value: unknown, byMs: number): unknown => {
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

/** A conversation with another last question. */
export const withLastQuestion = (
  json: PayloadObject,
  change: (question: PayloadObject) => PayloadObject,
): PayloadObject => {
  const questions = questionsOf(json);
  const last = questions.at(-1);
  return last === undefined ? json : { ...json, questions: [...questions.slice(0, -1), change(last)] };
};

/** Names of the time of the last update in either interface. */
export const updateNames: readonly string[] = ["updated_at", "updateTime", "update_time"];
/** Names of the time of creation in either interface. */
export const creationNames: readonly string[] = ["created_at", "createTime", "create_time"];
