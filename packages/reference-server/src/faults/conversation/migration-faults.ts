import { type PayloadObject, mapStrings } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, legal, selectVariant, settable, type Variants, violating } from "../fault.ts";
import { withMember } from "../json-mutation.ts";
import { selectCalls, editJson, type InterfaceName, type JsonEdit, namedVariants } from "./call-effects.ts";
import {
  replaceValue,
  inError,
  inMember,
  inQuestions,
  isFinished,
  listQuestions,
  changeAnswerText,
  reopenLastQuestion,
  rewordQuestion,
  stateKey,
  editWhen,
} from "./conversation-parts.ts";
import { countUp, isForeign, trackingOrigins, wasCancellationRequested } from "./seen-conversations.ts";

/** Edits conversations that are read through the interface that did not create them. */
const otherView = (view: InterfaceName, edit: JsonEdit): ConversationEffect =>
  trackingOrigins(editJson(selectCalls(view), editWhen(isForeign, edit)));

const viewParameter = ["view", "the interface that shows it"] as const;

/** Edits such conversations in the interface that a setting selects. */
const chosenView = (edit: JsonEdit) =>
  selectVariant(namedVariants("current", "legacy"), (view) => otherView(view, edit), viewParameter);

const opaqueWord = "c-";

/** Replaces the number in a current name with an opaque string. Equal numbers yield equal strings. */
const opaqueName = (name: string): string =>
  name.replace(/\d+$/u, (id) => `${opaqueWord}${(Number(id) * 7919 + 104_729).toString(36)}`);

/** Restores the number in a name. Names that end in a number become unknown. */
const plainName = (name: string): string => {
  const [before = "", last = ""] = name.split(/\/(?=[^/]*$)/u);
  const id = last.startsWith(opaqueWord) ? (Number.parseInt(last.slice(opaqueWord.length), 36) - 104_729) / 7919 : 0;
  return `${before}/${id}`;
};

const withNames = (value: unknown, rename: (name: string) => string): unknown =>
  mapStrings(value, (text) => (/^users\/[^/]+\/conversations\/[^/]+$/u.test(text) ? rename(text) : text));

type Questions = readonly PayloadObject[];

const withQuestions = (atLeast: number, change: (questions: Questions) => Questions): JsonEdit =>
  editWhen(
    (json) => listQuestions(json).length >= atLeast,
    (json) => ({ ...json, questions: change(listQuestions(json)) }),
  );

const otherQuestions: Variants<JsonEdit> = {
  reworded: inQuestions(rewordQuestion),
  "one-less": withQuestions(1, (questions) => questions.slice(0, -1)),
  "first-missing": withQuestions(2, (questions) => questions.slice(1)),
  reordered: withQuestions(2, (questions) => questions.toReversed()),
};

const otherAnswers: Variants<(text: string) => string> = {
  longer: (text) => `${text}\n\nThis was added later.\n`,
  shorter: (text) => text.slice(0, Math.ceil(text.length / 2)),
  another: () => "Nothing was found.",
  html: (text) => `<p>${text}</p>`,
};

/** Shows a conversation with this state as canceled although it was not cancelled. */
const showAsCanceled = (state: string): JsonEdit =>
  editWhen((json) => stateKey(json) === state, withMember("state", { canceled: {} }));

/** Shows a finished conversation as in progress, unless its cancellation was requested. */
const stillInProgress = editWhen(
  (json, context) => isFinished(json) && !wasCancellationRequested(context),
  reopenLastQuestion,
);

/** Faults in the consistency of a conversation between both interfaces. */
export const migrationFaults: readonly Fault[] = [
  legal("migration-opaque-names")(
    "The last part of the names of the current interface is not the number of the legacy one.",
    {
      ...editJson(selectCalls("current"), (json) => withNames(json, opaqueName)),
      request: (json, call) => (call.interface === "current" ? withNames(json, plainName) : json),
    },
  ),
  violating("migration/questions-agree", "migration-other-questions")(
    "A conversation has different questions when it is read through the interface that did not create it.",
    selectVariant(otherQuestions, chosenView),
  ),
  violating("migration/answers-agree", "migration-other-answers")(
    "Answers have different text when they are read through the interface in which the question was not asked.",
    selectVariant(otherAnswers, (change) => chosenView(inQuestions(changeAnswerText(change)))),
  ),
  legal("migration-later")(
    "The first reads of a conversation of the legacy interface through the current one show it in progress.",
    settable({ reads: { title: "how many reads", default: 3 } }, ({ reads }) =>
      otherView(
        "current",
        editWhen((_json, { call, run }) => countUp(run, `later ${call.conversation}`) <= reads, stillInProgress),
      ),
    ),
  ),
  violating("migration/state-follows-status", "migration-never-ends")(
    "A conversation of the legacy interface never ends in the current one.",
    otherView("current", stillInProgress),
  ),
  violating("migration/state-follows-status", "migration-other-state")(
    "Conversations that are completed in the legacy interface are canceled in the current one.",
    otherView("current", showAsCanceled("completed")),
  ),
  violating("migration/error-becomes-state", "migration-error-not-shown")(
    "Conversations that failed in the legacy interface are canceled in the current one.",
    otherView("current", showAsCanceled("error")),
  ),
  violating("migration/error-becomes-state", "migration-other-limit")(
    "Questions that exceed the token limit in the legacy interface have an internal error in the current one.",
    otherView("current", inError(replaceValue("code", "ERROR_TOKEN_LIMIT_EXCEEDED", "ERROR_INTERNAL"))),
  ),
  violating("migration/error-becomes-state", "migration-other-kind")(
    "Questions that exceed the token limit in the current interface have an internal error in the legacy one.",
    otherView("legacy", inQuestions(inMember("error", replaceValue("kind", "TokenLimitExceeded", "InternalError")))),
  ),
];
