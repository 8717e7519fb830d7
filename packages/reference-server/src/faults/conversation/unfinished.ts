import { questionText } from "../../conversation/api/api-call.ts";
import { statsMembers } from "@assay/contract";
import type { PayloadObject } from "../../payload.ts";
import { questionsOf, spelled, stateKey } from "./conversation-parts.ts";
import { without } from "../event-transforms.ts";

/** Stats of a question that nobody has worked on. */
export const zeroStats: PayloadObject = Object.fromEntries(statsMembers.map((name) => [name, 0]));

const outcomeMembers = ["title", "answer", "sources", "error"];

const lacking = (json: PayloadObject, names: readonly string[]): PayloadObject =>
  names.reduce((rest, name) => without(rest, name), json);

const secondsOf = (value: unknown): number => {
  const timeMs = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(timeMs) ? 0 : Math.floor(timeMs / 1000);
};

/** A legacy question as it was when it had just been asked. */
export const unfinishedQuestion = (question: PayloadObject): PayloadObject => ({
  ...lacking(question, outcomeMembers),
  updated_at: question["created_at"],
  status: "processing",
  turns: [{ reasoning: questionText(question), timestamp: secondsOf(question["created_at"]), role: "user" }],
  stats: zeroStats,
  suggested_followups: null,
});

const unfinishedLegacy = (json: PayloadObject): PayloadObject => {
  const questions = questionsOf(json);
  const last = questions.at(-1);
  return last === undefined
    ? json
    : { ...json, updated_at: last["created_at"], questions: [...questions.slice(0, -1), unfinishedQuestion(last)] };
};

const unfinishedCurrent = (json: PayloadObject): PayloadObject => {
  const questions = questionsOf(json);
  const last = questions.at(-1);
  if (last === undefined) {
    return json;
  }
  const created = last[spelled(last, "create_time")];
  return {
    ...(questions.length === 1 ? without(json, "title") : json),
    [spelled(json, "update_time")]: created,
    state: { processing: {} },
    questions: [...questions.slice(0, -1), without(last, "answer")],
  };
};

/** A conversation of either interface, or a legacy question, as it was when its last question had just been asked. */
export const unfinished = (json: PayloadObject): PayloadObject => {
  if (typeof json["status"] === "string") {
    return unfinishedQuestion(json);
  }
  return stateKey(json) === undefined ? unfinishedLegacy(json) : unfinishedCurrent(json);
};
