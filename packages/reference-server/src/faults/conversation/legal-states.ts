import { type PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import { type Fault, legal, oneOf, settable, type Variants } from "../fault.ts";
import { having } from "../spoiling.ts";
import { readyAnswer } from "./asking-faults.ts";
import {
  answering,
  callsOf,
  editing,
  everyCall,
  type InterfaceName,
  isSuccess,
  type JsonEdit,
  refusal,
  showing,
} from "./call-effects.ts";
import {
  block,
  creationNames,
  inEntries,
  inQuestions,
  isConversation,
  isFinished,
  isRunning,
  questionsOf,
  reopened,
  spelledAs,
  textOf,
  unfinished,
  when,
  wherever,
  withSelf,
} from "./conversation-parts.ts";
import { emptyJson, type OtherAnswer } from "./refusal-variants.ts";
import { countUp, originOf, rememberingOrigins, wasToBeCancelled } from "./seen-conversations.ts";

const goneAnswers: Variants<OtherAnswer> = {
  "status-410": ({ interface: name }) => refusal(name, 410, "This conversation was deleted."),
  "status-403": ({ interface: name }) => refusal(name, 403, "This conversation cannot be read any more."),
  "empty-200": () => emptyJson(200),
};

const readAfterDelete = (name: InterfaceName): Fault =>
  legal(`${name}-read-after-delete`)(
    "Reads of a conversation that was deleted are answered otherwise.",
    oneOf(goneAnswers, (other) =>
      rememberingOrigins(
        answering(everyCall, (answer, { call, run }) => {
          const key = `deleted ${call.conversation}`;
          if (call.operation === "delete" && isSuccess(answer)) {
            run.memory.set(key, true);
          }
          const isGone = answer.status === 404 && run.memory.has(key) && originOf(call.conversation, run) !== undefined;
          return isGone && callsOf(name, "get")(call) ? other(call) : answer;
        }),
      ),
    ),
  );

const answerForms: Variants<(text: string) => unknown> = {
  blocks: (text) => [block(text)],
  text: (text) => text,
  "several-blocks": (text) => [block(text.slice(0, 9)), block(text.slice(9)), block("")],
  "blocks-of-other-sorts": (text) => [{ image: { uri: "https://search.example/a.png" } }, block(text), {}],
};

/** When the last question of a conversation was asked, in Unix milliseconds. */
const lastCreation = (json: PayloadObject): number => {
  const last = questionsOf(json).at(-1) ?? {};
  return Date.parse(String(creationNames.map((name) => last[name]).find((time) => typeof time === "string")));
};

/**
 * Shows what nobody wanted to cancel as in progress for a while, counted from when it was asked. The time of update stays: summaries
 * show it too, and a read is not to look older than they do.
 */
const shownLater = (ms: number): JsonEdit =>
  when((json, { call, run }) => {
    const conversation = Number(json["id"] ?? call.conversation);
    const isMeant = isConversation(json) && !wasToBeCancelled({ call: { ...call, conversation }, run });
    return isMeant && isFinished(json) && Date.now() < lastCreation(json) + ms;
  }, reopened);

const placeOf = (conversation: unknown): string => `state of ${String(conversation).split("/").at(-1)}`;

/** Lists each conversation with the state it is in; a failed one, of which more would have to be said, with none. */
const statesInLists: ConversationEffect = {
  ...editing(
    callsOf("current", "list"),
    inEntries((entry, { run }) => {
      const state = String(run.memory.get(placeOf(entry["name"])));
      return state === "failed" ? entry : { ...entry, state: { [state]: {} } };
    }),
  ),
  page: (page, _call, { memory }) => {
    for (const { id, questions } of page.conversations) {
      memory.set(placeOf(id), questions.at(-1)?.outcome?.kind ?? "processing");
    }
    return page;
  },
};

/** Permitted states, statuses and ways to write down how things went. */
export const legalStates: readonly Fault[] = [
  readAfterDelete("legacy"),
  readAfterDelete("current"),
  legal("current-spelling")(
    "Names of more than one word are spelled with capitals, or with underscores.",
    oneOf({ "capital-letters": false, underscores: true }, (isSnake) =>
      editing(callsOf("current"), (json) => spelledAs(json, isSnake)),
    ),
  ),
  legal("current-answer-form")(
    "Answers of the current interface are text, or blocks of one or several sorts.",
    oneOf(answerForms, (form) =>
      editing(
        callsOf("current", ...showing),
        inQuestions((question) =>
          question["answer"] === undefined ? question : { ...question, answer: form(textOf(question["answer"])) },
        ),
      ),
    ),
  ),
  legal("current-listed-state")("Summaries have the state of their conversation besides the rest.", statesInLists),
  legal("current-name-of-self")(
    "Names of conversations have the literal for the user in them, not a number.",
    editing(callsOf("current"), withSelf),
  ),
  legal("conversation-answer-on-failure")(
    "Questions that fail have the beginning of an answer besides their error, through both interfaces.",
    {
      layer: "conversation",
      store: {
        processed: (outcome, _question, run) => {
          if (outcome.kind !== "failed") {
            return outcome;
          }
          run.applied();
          return { ...outcome, answer: "The first thing that was found is in " };
        },
      },
    },
  ),
  legal("legacy-pending-first")(
    "The first two reads of a question in progress show it pending.",
    editing(
      callsOf("legacy", "get"),
      when(
        (json, { call, run }) =>
          !isFinished(json) && countUp(run, `pending ${call.conversation} ${questionsOf(json).length}`) <= 2,
        inQuestions(when(isRunning, having("status", "pending"))),
      ),
    ),
  ),
  legal("conversation-never-in-progress")(
    "Questions have ended when they are first read; only the answer that adds them shows them in progress.",
    {
      ...editing(
        ({ operation }) => operation === "create" || operation === "follow-up",
        (json) => (isConversation(json) || "status" in json ? unfinished(json) : without(json, "answer")),
      ),
      store: { known: () => readyAnswer },
    },
  ),
  legal("conversation-slow")(
    "Conversations are shown in progress for a while after they have ended.",
    settable({ ms: { title: "how long from the question on, in milliseconds", default: 900 } }, ({ ms }) =>
      rememberingOrigins(editing(everyCall, wherever(shownLater(ms)))),
    ),
  ),
];
