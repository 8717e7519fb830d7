import type { ApiAnswer } from "../../service/conversation/api/api-answer.ts";
import type { ApiCall } from "../../service/conversation/api/api-call.ts";
import {
  creationNames,
  isConversation,
  listQuestions,
  updateNames,
  withSelf,
} from "../../faults/conversation/conversation-parts.ts";
import { isPayloadArray, isPayloadObject, mapStrings } from "../../service/payload.ts";
import { withAddedMembers } from "../added-members.ts";
import { createDice } from "../dice.ts";
import type { Dice } from "../dice.ts";
import { type VariationRandoms, variationRandoms } from "../varied-stream.ts";
import { answerHabits } from "./answer-habits.ts";
import type { AnswerVariation } from "./answer-habits.ts";
import { varyCurrentConversation, varyCurrentQuestion } from "./vary-current.ts";
import { varyLegacyConversation, varyLegacyQuestion } from "./vary-legacy.ts";
import { varyList } from "./vary-list.ts";

const plainJson = (json: unknown): string => JSON.stringify(json) ?? "null";

const indentedJson = (json: unknown): string => JSON.stringify(json, null, 2) ?? "null";

const asciiJson = (json: unknown): string =>
  plainJson(json).replaceAll(/[^ -~]/gu, (character) =>
    // A surrogate pair needs two escapes.
    [...Array(character.length).keys()]
      .map((index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** Formats JSON with line breaks. Raw line breaks only occur between tokens, because they are escaped in strings. */
const crlfJson = (json: unknown): string => (JSON.stringify(json, null, "\t") ?? "null").replaceAll("\n", "\r\n");

/** Writes JSON in one of several equivalent forms. */
const writeJson = (json: unknown, dice: Dice): string => {
  const write = dice.pick([plainJson, plainJson, indentedJson, crlfJson, asciiJson]);
  return `${dice.pick(["", "", " ", "\n"])}${write(json)}${dice.pick(["", "\n", "\r\n\t "])}`;
};

const contentTypes = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  "Application/JSON ; charset=utf-8",
] as const;

const extraHeaders = [
  ["x-request-id", "7c0ffee0"],
  ["deprecation", "true"],
  ["cache-control", "no-store"],
  ["x-ratelimit-remaining", "1"],
  ["strict-transport-security", "max-age=1"],
  ["server-timing", "db;dur=1.5"],
  ["set-cookie", "theme=dark; Path=/"],
] as const;

/** Creates the headers of a JSON response: the type with or without parameters, and some extra headers. */
const jsonHeaders = (headers: Readonly<Record<string, string>>, dice: Dice): Readonly<Record<string, string>> => ({
  ...headers,
  "content-type": dice.pick(contentTypes),
  ...Object.fromEntries(dice.shuffle(extraHeaders).slice(0, dice.integer(0, 2))),
});

const timeNames = new Set([...creationNames, ...updateNames, "reset_time", "retry_time", "retryTime"]);

const utcTime = /^(?<seconds>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?<fraction>\d+))?Z$/u;

/** Formats the same instant in UTC with more decimals or a zero offset. */
const otherTime = (time: string, dice: Dice): string => {
  const groups = utcTime.exec(time)?.groups;
  if (groups === undefined) {
    return time;
  }
  const { fraction = "", seconds = "" } = groups;
  const digits = `${fraction}${"0".repeat(dice.pick([0, 0, 1, 3, 6]))}`;
  return `${seconds}${digits === "" ? "" : `.${digits}`}${dice.pick(["Z", "Z", "+00:00"])}`;
};

/** Randomly changes the format of times. They denote the same instants. */
const varyTimes = (value: unknown, dice: Dice, probability: number): unknown =>
  mapStrings(value, (text, name) => (timeNames.has(name) && dice.chance(probability) ? otherTime(text, dice) : text));

/** The call that a response belongs to. */
export interface VariedCall {
  readonly interface: ApiCall["interface"];
  /** An operation of the conversation API. Responses to other operations are unchanged. */
  readonly operation: string;
}

/** Varies a conversation or question. Only adds members to other JSON. */
const varyShown = (json: unknown, name: VariedCall["interface"], variation: AnswerVariation): unknown => {
  const { dice, habits, operation } = variation;
  if (!isPayloadObject(json)) {
    return json;
  }
  if (isConversation(json)) {
    const vary = name === "legacy" ? varyLegacyConversation : varyCurrentConversation;
    return vary(json, variation);
  }
  if (name === "legacy" && typeof json["status"] === "string") {
    return varyLegacyQuestion(json, operation === "follow-up", variation);
  }
  return name === "current" && isPayloadArray(json["input"])
    ? varyCurrentQuestion(json, variation)
    : withAddedMembers(json, dice, habits.addedMemberProbability);
};

/** Bodies for responses whose body is not documented. */
const openBodies = [undefined, {}, null, { done: true }, "done", []] as const;

const varyBody = (json: unknown, { interface: name, operation }: VariedCall, variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  if (operation === "list") {
    return varyList(json, name, variation);
  }
  const isOther = ["follow-up", "cancel", "delete"].includes(operation) && dice.chance(habits.otherFormProbability);
  if (isOther && operation !== "follow-up") {
    return dice.pick<unknown>(openBodies);
  }
  return varyShown(isOther && name === "current" ? (listQuestions(json).at(-1) ?? json) : json, name, variation);
};

/** Varies a 2xx status. The current interface does not document the status, and a variation is rare there. */
const varyStatus = (status: number, name: VariedCall["interface"], dice: Dice): number =>
  name === "legacy" ? dice.pick([200, 202]) : dice.pick([status, status, status, 201, 202]);

const withBody = (answer: ApiAnswer, json: unknown, dice: Dice): ApiAnswer =>
  json === undefined
    ? { status: answer.status, headers: answer.headers, text: "" }
    : { status: answer.status, headers: jsonHeaders(answer.headers, dice), json, text: writeJson(json, dice) };

/** Writes the message of a refusal in a different form of body. */
const varyRefusal = (answer: ApiAnswer, message: string, dice: Dice): ApiAnswer => {
  const forms = [
    { error: message },
    { error: { code: 17, message } },
    { detail: [{ text: message }], request_id: null },
    message,
  ] as const;
  return withBody(answer, dice.pick<unknown>(forms), dice);
};

const varySuccess = (answer: ApiAnswer, call: VariedCall, variation: AnswerVariation): ApiAnswer => {
  const { dice, habits } = variation;
  const status = dice.chance(habits.otherFormProbability)
    ? varyStatus(answer.status, call.interface, dice)
    : answer.status;
  const body = varyBody(answer.json, call, variation);
  const bodyWithTimes = varyTimes(body, dice, habits.otherFormProbability);
  const renamedJson = habits.usesSelf && call.interface === "current" ? withSelf(bodyWithTimes) : bodyWithTimes;
  return withBody({ ...answer, status }, renamedJson, dice);
};

const varyFailure = (answer: ApiAnswer, name: VariedCall["interface"], variation: AnswerVariation): ApiAnswer => {
  const { dice, habits } = variation;
  const { json, status, text } = answer;
  const isOther = dice.chance(habits.otherFormProbability);
  if (json !== undefined) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return isOther && name === "current"
      ? { status, headers, text: `${isPayloadObject(json) ? String(json["message"]) : "refused"}\n` }
      : withBody(answer, withAddedMembers(json, dice, habits.addedMemberProbability), dice);
  }
  const message = typeof text === "string" ? text.trim() : "";
  return name === "legacy" && message !== "" && isOther ? varyRefusal(answer, message, dice) : answer;
};

/**
 * Varies a response at random within the specification. The contents of a conversation are consistent: random numbers of `server` are the
 * same for all responses of a server, and those of `answer` differ for each call. The result contains both JSON and text. Source:
 * conversation-api, sections 2 to 4, 7.
 */
export const varyAnswer = (answer: ApiAnswer, call: VariedCall, random: VariationRandoms): ApiAnswer => {
  const variation = {
    dice: createDice(random("answer")),
    habits: answerHabits(random("server")),
    operation: call.operation,
  };
  if (answer.connection !== undefined || answer.status < 200 || answer.status >= 500) {
    return answer;
  }
  if (answer.status >= 300) {
    return answer.status >= 400 ? varyFailure(answer, call.interface, variation) : answer;
  }
  return answer.json === undefined ? answer : varySuccess(answer, call, variation);
};

/** A response of the conversation API on the wire. */
export interface VariedAnswer {
  readonly status: number;
  /** Headers, including the content type if there is a body. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/**
 * Varies a response with this JSON. Responses with the same seed and different names belong to one server, so they are consistent for the
 * same conversation. Depends only on its arguments.
 */
export const variedAnswer = (
  json: unknown,
  call: VariedCall & { readonly status: number },
  ...[seed, name = ""]: readonly [seed: number, name?: string]
): VariedAnswer => {
  const { status } = call;
  const plainAnswer = { status, headers: { "content-type": "application/json" }, json };
  const answer = varyAnswer(plainAnswer, call, variationRandoms(seed, name));
  const text = answer.text ?? JSON.stringify(answer.json) ?? "";
  const headers = text.length === 0 ? [] : Object.entries(answer.headers);
  return { status: answer.status, headers, body: Buffer.from(text) };
};
