import { questionText } from "../../conversation/api/api-call.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { ApiCall } from "../../conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { type Fault, type Variants, howParameter, legal, variantOf, violating } from "../fault.ts";
import { edited, isSuccess } from "./answer-edits.ts";
import type { EditContext, InterfaceName } from "./answer-edits.ts";
import { changeQuestions, isFinished, questionsOf, spelled, stateKey, withText } from "./conversation-parts.ts";
import { unfinished } from "./unfinished.ts";
import { countUp, originOf, rememberingOrigins, wasToBeCancelled } from "./seen-conversations.ts";

type View = (json: PayloadObject, context: EditContext) => unknown;

/** Through which interface conversations look different that were created through the other one. */
const viewVariants: Variants<InterfaceName> = { current: "current", legacy: "legacy" };
const viewParameter = {
  view: { title: "the interface that shows it", default: "current", choices: Object.keys(viewVariants) },
};

/** Edits what an interface shows of conversations that were created through the other one. */
const otherView = (isView: (call: ApiCall, view: string) => boolean, edit: View): ConversationEffect =>
  rememberingOrigins({
    layer: "conversation",
    apply: (answer, call, run) => {
      const origin = originOf(call, run);
      const isOther = origin !== undefined && origin !== call.interface;
      return isOther && isSuccess(answer) && isView(call, String(run.values["view"] ?? "current"))
        ? edited(answer, edit, { call, run })
        : answer;
    },
  });

const isChosenView = (call: ApiCall, view: string): boolean => call.interface === view;
const isCurrentView = (call: ApiCall): boolean => call.interface === "current";

const opaqueWord = "c-";

/** Another last part for the names of the current interface, which tells nothing; the same number has always the same. */
const opaqueName = (name: string): string =>
  name.replace(/\d+$/u, (id) => `${opaqueWord}${(Number(id) * 7919 + 104_729).toString(36)}`);

/** The name as the server knows it; a number is the last part of none. */
const plainName = (name: string): string => {
  const [before = "", last = ""] = name.split(/\/(?=[^/]*$)/u);
  const id = last.startsWith(opaqueWord) ? (Number.parseInt(last.slice(opaqueWord.length), 36) - 104_729) / 7919 : 0;
  return `${before}/${id}`;
};

const withNames = (value: unknown, rename: (name: string) => string): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => withNames(element, rename));
  }
  if (isPayloadObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNames(member, rename)]));
  }
  return typeof value === "string" && /^users\/[^/]+\/conversations\/[^/]+$/u.test(value) ? rename(value) : value;
};

/** Names of conversations tell nothing, wherever the current interface shows or takes them. */
const opaqueNames: ConversationEffect = {
  layer: "conversation",
  request: (json, call) => (call.interface === "current" ? withNames(json, plainName) : json),
  apply: (answer, call, run) =>
    call.interface === "current" && isSuccess(answer)
      ? edited(answer, (json) => withNames(json, opaqueName), { call, run })
      : answer,
};

const questionVariants: Variants<(questions: readonly PayloadObject[]) => readonly PayloadObject[]> = {
  reworded: (questions) => questions.map((question) => withText(question, `${questionText(question)} (in short)`)),
  "one-less": (questions) => questions.slice(0, -1),
  "first-missing": (questions) => (questions.length > 1 ? questions.slice(1) : questions),
  reordered: (questions) => (questions.length > 1 ? questions.toReversed() : questions),
};

const answerVariants: Variants<(text: string) => string> = {
  longer: (text) => `${text}\n\nThis was added later.\n`,
  shorter: (text) => text.slice(0, Math.ceil(text.length / 2)),
  another: () => "Nothing was found.",
};

const otherAnswer = (question: PayloadObject, change: (text: string) => string): PayloadObject => {
  const { answer } = question;
  if (typeof answer === "string") {
    return { ...question, answer: change(answer) };
  }
  const blocks = isPayloadArray(answer) ? answer : [];
  const texts = blocks.flatMap((block) => {
    const markdown = isPayloadObject(block) ? block["markdown"] : undefined;
    return isPayloadObject(markdown) && typeof markdown["text"] === "string" ? [markdown["text"]] : [];
  });
  return texts.length === 0 ? question : { ...question, answer: [{ markdown: { text: change(texts.join("")) } }] };
};

/** A conversation that ended in this state is shown as canceled, which nobody did. */
const shownAsCanceled =
  (state: string): View =>
  (json) =>
    stateKey(json) === state ? { ...json, state: { canceled: {} } } : json;

/** A conversation that has ended as if it had not; when it was updated last is known all the same. */
const stillInProgress = (json: PayloadObject): PayloadObject => {
  const updated = spelled(json, "update_time");
  return isFinished(json) ? { ...unfinished(json), [updated]: json[updated] } : json;
};

/** Faults in how the two interfaces show the same conversation. */
export const migrationFaults: readonly Fault[] = [
  legal("migration-opaque-names")(
    "The last part of the names of the current interface is not the number of the legacy one.",
    opaqueNames,
  ),
  violating("migration/questions-agree", "migration-other-questions")(
    "A conversation has other questions when it is read through the interface that did not create it.",
    otherView(isChosenView, (json, { run }) => {
      const questions = questionsOf(json);
      const changed = variantOf(questionVariants, run)?.(questions) ?? questions;
      return questions.length === 0 || changed === questions ? json : { ...json, questions: changed };
    }),
    { ...howParameter(questionVariants), ...viewParameter },
  ),
  violating("migration/answers-agree", "migration-other-answers")(
    "Answers have another text when they are read through the interface that was not asked.",
    otherView(isChosenView, (json, { run }) => {
      const change = variantOf(answerVariants, run);
      return change === undefined ? json : changeQuestions(json, (question) => otherAnswer(question, change));
    }),
    { ...howParameter(answerVariants), ...viewParameter },
  ),
  legal("migration-later")(
    "The first reads of a conversation of the legacy interface through the current one show it in progress.",
    otherView(isCurrentView, (json, { call, run }) =>
      !wasToBeCancelled(call, run) && countUp(run, `later ${call.conversation}`) <= Number(run.values["reads"])
        ? stillInProgress(json)
        : json,
    ),
    { reads: { title: "how many reads", default: 3 } },
  ),
  violating("migration/state-follows-status", "migration-never-ends")(
    "A conversation of the legacy interface never ends for the current one.",
    otherView(isCurrentView, (json, { call, run }) => (wasToBeCancelled(call, run) ? json : stillInProgress(json))),
  ),
  violating("migration/state-follows-status", "migration-other-state")(
    "What is completed through the legacy interface is canceled through the current one.",
    otherView(isCurrentView, shownAsCanceled("completed")),
  ),
  violating("migration/error-becomes-state", "migration-error-not-shown")(
    "What failed through the legacy interface is canceled through the current one.",
    otherView(isCurrentView, shownAsCanceled("error")),
  ),
  violating("migration/error-becomes-state", "migration-other-limit")(
    "What exceeded the token limit through the legacy interface failed by itself through the current one.",
    otherView(isCurrentView, (json) => {
      const error = isPayloadObject(json["state"]) ? json["state"]["error"] : undefined;
      return isPayloadObject(error) && error["code"] === "ERROR_TOKEN_LIMIT_EXCEEDED"
        ? { ...json, state: { error: { ...error, code: "ERROR_INTERNAL" } } }
        : json;
    }),
  ),
];
