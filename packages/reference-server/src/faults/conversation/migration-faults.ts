import { type PayloadObject, withTexts } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, legal, oneOf, settable, type Variants, violating } from "../fault.ts";
import { having } from "../spoiling.ts";
import { callsOf, editing, type InterfaceName, type JsonEdit, named } from "./call-effects.ts";
import {
  exchanging,
  inError,
  inMember,
  inQuestions,
  isFinished,
  questionsOf,
  reanswered,
  reopened,
  reworded,
  stateKey,
  when,
} from "./conversation-parts.ts";
import { countUp, isForeign, rememberingOrigins, wasToBeCancelled } from "./seen-conversations.ts";

/** Edits what an interface shows of conversations that were created through the other one. */
const otherView = (view: InterfaceName, edit: JsonEdit): ConversationEffect =>
  rememberingOrigins(editing(callsOf(view), when(isForeign, edit)));

const viewParameter = ["view", "the interface that shows it"] as const;

/** The same through the interface that is chosen. */
const chosenView = (edit: JsonEdit) =>
  oneOf(named("current", "legacy"), (view) => otherView(view, edit), viewParameter);

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

const withNames = (value: unknown, rename: (name: string) => string): unknown =>
  withTexts(value, (text) => (/^users\/[^/]+\/conversations\/[^/]+$/u.test(text) ? rename(text) : text));

type Questions = readonly PayloadObject[];

const withQuestions = (atLeast: number, change: (questions: Questions) => Questions): JsonEdit =>
  when(
    (json) => questionsOf(json).length >= atLeast,
    (json) => ({ ...json, questions: change(questionsOf(json)) }),
  );

const otherQuestions: Variants<JsonEdit> = {
  reworded: inQuestions(reworded),
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

/** A conversation that ended in this state is shown as canceled, which nobody did. */
const shownAsCanceled = (state: string): JsonEdit =>
  when((json) => stateKey(json) === state, having("state", { canceled: {} }));

/** A conversation that has ended as if it had not, unless somebody wanted that. */
const stillInProgress = when((json, context) => isFinished(json) && !wasToBeCancelled(context), reopened);

/** Faults in how the two interfaces show the same conversation. */
export const migrationFaults: readonly Fault[] = [
  legal("migration-opaque-names")(
    "The last part of the names of the current interface is not the number of the legacy one.",
    {
      ...editing(callsOf("current"), (json) => withNames(json, opaqueName)),
      request: (json, call) => (call.interface === "current" ? withNames(json, plainName) : json),
    },
  ),
  violating("migration/questions-agree", "migration-other-questions")(
    "A conversation has other questions when it is read through the interface that did not create it.",
    oneOf(otherQuestions, chosenView),
  ),
  violating("migration/answers-agree", "migration-other-answers")(
    "Answers have another text when they are read through the interface that was not asked.",
    oneOf(otherAnswers, (change) => chosenView(inQuestions(reanswered(change)))),
  ),
  legal("migration-later")(
    "The first reads of a conversation of the legacy interface through the current one show it in progress.",
    settable({ reads: { title: "how many reads", default: 3 } }, ({ reads }) =>
      otherView(
        "current",
        when((_json, { call, run }) => countUp(run, `later ${call.conversation}`) <= reads, stillInProgress),
      ),
    ),
  ),
  violating("migration/state-follows-status", "migration-never-ends")(
    "A conversation of the legacy interface never ends for the current one.",
    otherView("current", stillInProgress),
  ),
  violating("migration/state-follows-status", "migration-other-state")(
    "What is completed through the legacy interface is canceled through the current one.",
    otherView("current", shownAsCanceled("completed")),
  ),
  violating("migration/error-becomes-state", "migration-error-not-shown")(
    "What failed through the legacy interface is canceled through the current one.",
    otherView("current", shownAsCanceled("error")),
  ),
  violating("migration/error-becomes-state", "migration-other-limit")(
    "What exceeded the token limit through the legacy interface failed by itself through the current one.",
    otherView("current", inError(exchanging("code", "ERROR_TOKEN_LIMIT_EXCEEDED", "ERROR_INTERNAL"))),
  ),
  violating("migration/error-becomes-state", "migration-other-kind")(
    "What exceeded the token limit through the current interface failed by itself through the legacy one.",
    otherView("legacy", inQuestions(inMember("error", exchanging("kind", "TokenLimitExceeded", "InternalError")))),
  ),
];
