import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { without } from "../event-transforms.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, type Variants, howParameter, legal, variantOf } from "../fault.ts";
import { editAnswers, isSuccess, refusal, showing } from "./answer-edits.ts";
import type { EditContext, InterfaceName } from "./answer-edits.ts";
import { readyAnswer } from "./at-once-faults.ts";
import {
  changeQuestions,
  isConversation,
  isFinished,
  isRunning,
  creationNames,
  questionsOf,
} from "./conversation-parts.ts";
import { changeEntries } from "./list-entries.ts";
import { countUp, rememberingOrigins, wasCreated, wasToBeCancelled } from "./seen-conversations.ts";
import { unfinished } from "./unfinished.ts";

const goneVariants: Variants<(name: InterfaceName) => ApiAnswer> = {
  "status-410": (name) => refusal(name, 410, "This conversation was deleted."),
  "status-403": (name) => refusal(name, 403, "This conversation cannot be read any more."),
  "empty-200": () => ({ status: 200, headers: { "content-type": "application/json" }, text: "" }),
};

const readAfterDelete = (name: InterfaceName): Fault =>
  legal(`${name}-read-after-delete`)(
    "Reads of a conversation that was deleted are answered otherwise.",
    rememberingOrigins({
      layer: "conversation",
      apply: (answer, call, run) => {
        const key = `deleted ${call.conversation}`;
        if (call.operation === "delete" && isSuccess(answer)) {
          run.memory.set(key, true);
        }
        const isGone = call.interface === name && call.operation === "get" && answer.status === 404;
        if (!isGone || run.memory.get(key) !== true || !wasCreated(call, run)) {
          return answer;
        }
        run.applied();
        return variantOf(goneVariants, run)?.(name) ?? answer;
      },
    }),
    howParameter(goneVariants),
  );

/** Names with more than one word in them, by either spelling. */
const spellings: readonly (readonly [snake: string, camel: string])[] = [
  ["create_time", "createTime"],
  ["update_time", "updateTime"],
  ["retry_time", "retryTime"],
  ["next_page_token", "nextPageToken"],
  ["conversation_summaries", "conversationSummaries"],
];

/** A part of an answer of the current interface with its names spelled in one way. */
const spelledAs = (value: unknown, isSnake: boolean): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => spelledAs(element, isSnake));
  }
  if (!isPayloadObject(value)) {
    return value;
  }
  const renamed = (name: string): string => {
    const pair = spellings.find(([snake, camel]) => name === snake || name === camel);
    return pair === undefined ? name : pair[isSnake ? 0 : 1];
  };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [renamed(name), spelledAs(member, isSnake)]));
};

const spellingVariants: Variants<boolean> = { "capital-letters": false, underscores: true };

const textIn = (answer: unknown): string =>
  isPayloadArray(answer)
    ? answer
        .map((block) => (isPayloadObject(block) && isPayloadObject(block["markdown"]) ? block["markdown"]["text"] : ""))
        .join("")
    : String(answer);

const block = (text: string): PayloadObject => ({ markdown: { text } });

const answerForms: Variants<(text: string) => unknown> = {
  blocks: (text) => [block(text)],
  text: (text) => text,
  "several-blocks": (text) => [block(text.slice(0, 9)), block(text.slice(9)), block("")],
  "blocks-of-other-sorts": (text) => [{ image: { uri: "https://search.example/a.png" } }, block(text), {}],
};

const retryTimes: Variants<(error: PayloadObject) => PayloadObject> = {
  "other-offset": (error) => ({
    ...without(without(error, "retry_time"), "retryTime"),
    retryTime: "2030-01-01T02:00:00+02:00",
  }),
  nanoseconds: (error) => ({
    ...without(without(error, "retryTime"), "retry_time"),
    retry_time: "2030-01-01T00:00:00.123456789Z",
  }),
};

const changeError = (
  json: PayloadObject,
  change: ((error: PayloadObject) => PayloadObject) | undefined,
): PayloadObject => {
  const state = json["state"];
  const error = isPayloadObject(state) ? state["error"] : undefined;
  return isPayloadObject(error) && change !== undefined ? { ...json, state: { error: change(error) } } : json;
};

/** When the last question of a conversation was asked, in Unix milliseconds. */
const lastCreation = (json: PayloadObject): number => {
  const last = questionsOf(json).at(-1) ?? {};
  const time = creationNames.map((name) => last[name]).find((value) => typeof value === "string");
  return typeof time === "string" ? Date.parse(time) : Number.NaN;
};

/** Names of the time of update, by either interface and spelling. */
const updateNames = new Set(["updated_at", "update_time", "updateTime"]);

/**
 * Shows what nobody wanted to cancel as in progress for a while, counted from when it was asked. The time of update stays: summaries
 * show it too, and a read is not to look older than they do.
 */
const shownLater = (json: PayloadObject, { call, run }: EditContext): PayloadObject => {
  const isLater =
    isConversation(json) &&
    isFinished(json) &&
    !wasToBeCancelled(call, run) &&
    Date.now() < lastCreation(json) + Number(run.values["ms"]);
  const times = Object.fromEntries(Object.entries(json).filter(([name]) => updateNames.has(name)));
  return isLater ? { ...unfinished(json), ...times } : json;
};

/** The same of each conversation of a list that shows whole ones. */
const listedLater = (json: PayloadObject, { call, run }: EditContext): PayloadObject =>
  changeEntries(json, (entries) =>
    entries.map((entry) =>
      isPayloadObject(entry) ? shownLater(entry, { call: { ...call, conversation: Number(entry["id"]) }, run }) : entry,
    ),
  );

const current = { interface: "current", operations: showing } as const;

const placeOf = (conversation: number | string | undefined): string => `state of ${conversation}`;

/** Lists each conversation with the state it is in; a failed one, of which more would have to be said, with none. */
const statesInLists: ConversationEffect = {
  ...editAnswers({ interface: "current", operations: ["list"] }, (json, { run }) =>
    changeEntries(json, (entries) =>
      entries.map((entry) => {
        const state = isPayloadObject(entry) ? run.memory.get(placeOf(String(entry["name"]).split("/").at(-1))) : "";
        return isPayloadObject(entry) && state !== "failed" ? { ...entry, state: { [String(state)]: {} } } : entry;
      }),
    ),
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
    editAnswers({ interface: "current" }, (json, { run }) =>
      spelledAs(json, variantOf(spellingVariants, run) === true),
    ),
    howParameter(spellingVariants),
  ),
  legal("current-answer-form")(
    "Answers of the current interface are text, or blocks of one or several sorts.",
    editAnswers(current, (json, { run }) =>
      changeQuestions(json, (question) =>
        question["answer"] === undefined
          ? question
          : { ...question, answer: variantOf(answerForms, run)?.(textIn(question["answer"])) },
      ),
    ),
    howParameter(answerForms),
  ),
  legal("current-retry-time")(
    "The error of failed conversations has its time to retry written otherwise.",
    editAnswers(current, (json, { run }) => changeError(json, variantOf(retryTimes, run))),
    howParameter(retryTimes),
  ),
  legal("current-listed-state")("Summaries have the state of their conversation besides the rest.", statesInLists),
  legal("current-name-of-self")(
    "Names of conversations have the literal for the user in them, not a number.",
    editAnswers({ interface: "current" }, (json) => withSelf(json)),
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
    editAnswers({ interface: "legacy", operations: ["get"] }, (json, { call, run }) =>
      isFinished(json) || countUp(run, `pending ${call.conversation} ${questionsOf(json).length}`) > 2
        ? json
        : changeQuestions(json, (question) => (isRunning(question) ? { ...question, status: "pending" } : question)),
    ),
  ),
  legal("conversation-never-in-progress")(
    "Questions have ended when they are first read; only the answer that adds them shows them in progress.",
    {
      ...editAnswers({ operations: ["create", "follow-up"] }, (json) =>
        isConversation(json) || "status" in json ? unfinished(json) : without(json, "answer"),
      ),
      store: { known: () => readyAnswer },
    },
  ),
  legal("conversation-slow")(
    "Conversations are shown in progress for a while after they have ended.",
    rememberingOrigins(
      editAnswers({ operations: ["create", "get", "follow-up", "list"] }, (json, context) =>
        context.call.operation === "list" ? listedLater(json, context) : shownLater(json, context),
      ),
    ),
    { ms: { title: "how long from the question on, in milliseconds", default: 900 } },
  ),
  legal("conversation-rate-limited-once")(
    "The third read is answered with status 429 and the wish for another try at once.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (call.operation !== "get" || countUp(run, "reads") !== 3) {
          return answer;
        }
        run.applied();
        return { status: 429, headers: { "retry-after": "0", "content-type": "text/plain" }, text: "slow down\n" };
      },
    },
  ),
];

function withSelf(value: unknown, name = ""): unknown {
  if (isPayloadArray(value)) {
    return value.map((element) => withSelf(element));
  }
  if (isPayloadObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withSelf(member, key)]));
  }
  return name === "name" && typeof value === "string" ? value.replace(/^users\/[^/]+/u, "users/~self") : value;
}
