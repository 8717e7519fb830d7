import { type PayloadObject, mapStrings } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import {
  type Fault,
  defineLegalVariation,
  selectVariant,
  withSettings,
  type Variants,
  defineViolation,
} from "../fault.ts";
import { withMember } from "../json-mutation.ts";
import { changePage, selectCalls, editJson, type InterfaceName, type JsonEdit, namedVariants } from "./call-effects.ts";
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
const editForeignViews = (view: InterfaceName, edit: JsonEdit): ConversationEffect =>
  trackingOrigins(editJson(selectCalls(view), editWhen(isForeign, edit)));

const viewParameter = ["view", "the interface that shows it"] as const;

/** Edits such conversations in the interface that a setting selects. */
const editViewsBySetting = (edit: JsonEdit) =>
  selectVariant(namedVariants("current", "legacy"), (view) => editForeignViews(view, edit), viewParameter);

const opaquePrefix = "c-";

/** Replaces the number in a current name with an opaque string. Equal numbers yield equal strings. */
const obscureName = (name: string): string =>
  name.replace(/\d+$/u, (id) => `${opaquePrefix}${(Number(id) * 7919 + 104_729).toString(36)}`);

/** Restores the number in a name. Names that end in a number become unknown. */
const restoreName = (name: string): string => {
  const [before = "", last = ""] = name.split(/\/(?=[^/]*$)/u);
  const id = last.startsWith(opaquePrefix)
    ? (Number.parseInt(last.slice(opaquePrefix.length), 36) - 104_729) / 7919
    : 0;
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

const isHidden = (id: number, { memory }: FaultRun): boolean => memory.has(`hidden ${id}`);

/** Hides a conversation that an interface deletes from that interface, and keeps it. */
const hideInsteadOfDeleting = (name: InterfaceName): ConversationEffect => ({
  ...changePage(selectCalls(name, "list"), (page, { run }) => {
    const conversations = page.conversations.filter(({ id }) => !isHidden(id, run));
    return conversations.length === page.conversations.length ? page : { ...page, conversations };
  }),
  store: {
    shouldPerform: (act, { conversationId, interface: interfaceName }, run) => {
      const isHiding = act === "delete" && interfaceName === name;
      if (isHiding) {
        run.memory.set(`hidden ${conversationId}`, true);
        run.recordChange();
      }
      return !isHiding;
    },
    isVisible: (isVisible, { id }, { call, run }) => isVisible && !(call.interface === name && isHidden(id, run)),
  },
});

/** Faults in the consistency of a conversation between both interfaces. */
export const migrationFaults: readonly Fault[] = [
  defineLegalVariation("migration-opaque-names")(
    "The last part of the names of the current interface is not the number of the legacy one.",
    {
      ...editJson(selectCalls("current"), (json) => withNames(json, obscureName)),
      request: (json, call) => (call.interface === "current" ? withNames(json, restoreName) : json),
    },
  ),
  defineViolation("migration/questions-agree", "migration-other-questions")(
    "A conversation has different questions when it is read through the interface that did not create it.",
    selectVariant(otherQuestions, editViewsBySetting),
  ),
  defineViolation("migration/deleted-is-gone", "migration-deletion-in-one-interface")(
    "A conversation that is deleted through one interface disappears only from that interface.",
    selectVariant(namedVariants("legacy", "current"), hideInsteadOfDeleting, [
      "interface",
      "the interface that deletes without effect in the other",
    ]),
  ),
  defineViolation("migration/answers-agree", "migration-other-answers")(
    "Answers have different text when they are read through the interface in which the question was not asked.",
    selectVariant(otherAnswers, (change) => editViewsBySetting(inQuestions(changeAnswerText(change)))),
  ),
  defineLegalVariation("migration-later")(
    "The first reads of a conversation of the legacy interface through the current one show it in progress.",
    withSettings({ reads: { title: "how many reads", default: 3 } }, ({ reads }) =>
      editForeignViews(
        "current",
        editWhen((_json, { call, run }) => countUp(run, `later ${call.conversationId}`) <= reads, stillInProgress),
      ),
    ),
  ),
  defineViolation("migration/state-follows-status", "migration-never-ends")(
    "A conversation of the legacy interface never ends in the current one.",
    editForeignViews("current", stillInProgress),
  ),
  defineViolation("migration/state-follows-status", "migration-other-state")(
    "Conversations that are completed in the legacy interface are canceled in the current one.",
    editForeignViews("current", showAsCanceled("completed")),
  ),
  defineViolation("migration/error-becomes-state", "migration-error-not-shown")(
    "Conversations that failed in the legacy interface are canceled in the current one.",
    editForeignViews("current", showAsCanceled("error")),
  ),
  defineViolation("migration/error-becomes-state", "migration-other-limit")(
    "Questions that exceed the token limit in the legacy interface have an internal error in the current one.",
    editForeignViews("current", inError(replaceValue("code", "ERROR_TOKEN_LIMIT_EXCEEDED", "ERROR_INTERNAL"))),
  ),
  defineViolation("migration/error-becomes-state", "migration-other-kind")(
    "Questions that exceed the token limit in the current interface have an internal error in the legacy one.",
    editForeignViews(
      "legacy",
      inQuestions(inMember("error", replaceValue("kind", "TokenLimitExceeded", "InternalError"))),
    ),
  ),
];
