import { Buffer } from "node:buffer";
import { member, wireMember } from "@assay/contract";
import type { ConversationView, QuestionView } from "@assay/contract";
import { inserting, memberRemoved, replacing, valueReplaced } from "@assay/edits";
import { answeredAs, bodyEdit, siteArm } from "./arm.ts";
import type { Arm, Counterexamples } from "./arm.ts";
import { conversationsIn, inLaterReads, polls, setting, stateHolders } from "./conversation-sites.ts";
import type { CallText } from "./proof-evidence.ts";

type Name = "legacy" | "current";

const twoReads = "a conversation that is read twice";
const readAfterEnd = "a conversation that is read again after it has ended";
const twoQuestions = "a conversation with two questions that is read twice";

const isAtWork = ({ state, questions }: ConversationView): boolean =>
  state === "processing" || questions.some(({ status }) => status === "processing");

const hasEnded = (call: CallText): boolean => conversationsIn(call).every((view) => !isAtWork(view));

/** A read after the end gets the answer of one before it. */
const earlierAnswer = (name: Name): Arm => ({
  name: "goes back to an earlier state",
  needs: "a conversation that is read while it is at work, and twice after it has ended",
  *edits(evidence) {
    for (const group of polls(evidence, name)) {
      const early = group.find((call) => !hasEnded(call));
      const late = group.findLast(hasEnded);
      if (early !== undefined && late !== undefined && group.filter(hasEnded).length > 1) {
        yield {
          what: "answered a later read with an earlier answer",
          instead: [answeredAs(late.exchange, early.exchange)],
        };
      }
    }
  },
});

const questionsOf =
  (isWanted: (question: QuestionView) => boolean) =>
  ({ questions }: ConversationView) =>
    questions.filter(isWanted).map(({ pointer, json }) => [pointer, json] as const);

const itself = ({ pointer, json }: ConversationView) => [[pointer, json] as const];

const text = (name: Name): string => (name === "legacy" ? "/question" : "/input/0/question/text");

/** Arms about the questions of a conversation: lost, shown twice, in another order. */
const orderArms = (name: Name): readonly Arm[] => [
  siteArm(
    {
      name: "loses a question",
      needs: twoReads,
      what: "left a question out of a later read",
      splice: ({ json, pointer }) => memberRemoved(json, pointer),
    },
    inLaterReads(
      name,
      questionsOf(() => true),
    ),
  ),
  {
    name: "shows a question twice",
    needs: twoReads,
    *edits({ calls }) {
      for (const call of calls
        .filter((each) => each.call.interface === name && each.call.operation === "get")
        .toReversed()) {
        for (const { pointer } of conversationsIn(call).flatMap((view) => view.questions)) {
          const span = valueReplaced(call.json, pointer, 0);
          const bytes =
            span === undefined ? undefined : call.json.bytes.subarray(span.offset, span.offset + span.length);
          yield* bodyEdit(call.exchange, "showed a question twice", [
            span === undefined || bytes === undefined
              ? undefined
              : inserting(span.offset, Buffer.from(`${Buffer.from(bytes).toString()},`)),
          ]);
        }
      }
    },
  },
  {
    name: "shows questions in another order",
    needs: twoQuestions,
    isOptional: true,
    *edits(evidence) {
      for (const group of polls(evidence, name)) {
        for (const call of group.slice(1).toReversed()) {
          const [first, second] = conversationsIn(call).flatMap(({ questions }) =>
            questions.map(({ pointer }) => pointer),
          );
          if (first !== undefined && second !== undefined) {
            const [one, other] = [valueReplaced(call.json, first, 0), valueReplaced(call.json, second, 0)];
            yield* bodyEdit(
              call.exchange,
              "showed two questions in another order",
              one === undefined || other === undefined
                ? []
                : [replacing(one, textAt(call, other)), replacing(other, textAt(call, one))],
            );
          }
        }
      }
    },
  },
];

const textAt = ({ json }: CallText, { offset, length }: { readonly offset: number; readonly length: number }): string =>
  Buffer.from(json.bytes.subarray(offset, offset + length)).toString();

/** A time of a conversation, however it is spelled, is an early one. */
const earlyTime = (name: Name, kind: "create" | "update", arm: Omit<Arm, "edits"> & { readonly what: string }): Arm =>
  siteArm(
    {
      ...arm,
      splice({ json, pointer, value }) {
        const key = name === "legacy" ? `${kind}d_at` : wireMember(value, `${kind}Time`)?.key;
        return key === undefined ? undefined : valueReplaced(json, `${pointer}/${key}`, "2020-01-01T00:00:00.000Z");
      },
    },
    inLaterReads(name, itself),
  );

const timeKeys = ["updated_at", "updateTime", "update_time"] as const;

/** Times of the last change in a conversation and its questions, set to a late one: what is shown is no older version. */
const changedNow = ({ json }: CallText, { pointer, json: own, questions }: ConversationView) =>
  [{ pointer, json: own }, ...questions].flatMap((holder) =>
    timeKeys
      .filter((key) => member(holder.json, key) !== undefined)
      .map((key) => valueReplaced(json, `${holder.pointer}/${key}`, "2099-01-01T00:00:00.000Z")),
  );

/** What shows how far a conversation is. */
const progressIn = (name: Name, { json }: CallText, view: ConversationView) =>
  name === "legacy"
    ? view.questions.map(({ pointer }) => valueReplaced(json, `${pointer}/status`, "processing"))
    : stateHolders(view).map(([pointer]) => valueReplaced(json, `${pointer}/state`, { processing: {} }));

/** What has ended is shown as at work again, and as changed since. */
const backToWork = (name: Name): Arm => ({
  name: "goes back to an earlier state",
  needs: readAfterEnd,
  *edits(evidence) {
    for (const group of polls(evidence, name)) {
      for (const call of group.slice(1).filter(hasEnded).toReversed()) {
        const splices = conversationsIn(call).flatMap((view) => [
          ...progressIn(name, call, view),
          ...changedNow(call, view),
        ]);
        yield* bodyEdit(call.exchange, "showed as at work what had ended", splices);
      }
    }
  },
});

/** Arms that both interfaces share, by the end of the id of the rule. */
const shared = (name: Name) => ({
  transitions: [backToWork(name)],
  reads: [earlierAnswer(name)],
  finished: [
    siteArm(
      {
        name: "changes an answer that is finished",
        needs: readAfterEnd,
        what: "sent another answer of a question that had ended",
        splice: ({ json, pointer, value }) =>
          valueReplaced(
            json,
            `${pointer}/answer`,
            typeof member(value, "answer") === "string" ? "Another answer." : [],
          ),
      },
      inLaterReads(
        name,
        questionsOf(({ facts }) => facts.has("answer")),
      ),
    ),
  ],
  text: [
    setting(
      [text(name), "Something else?"],
      { name: "changes the text of a question", needs: twoReads, what: "sent another text of a question" },
      inLaterReads(
        name,
        questionsOf(() => true),
      ),
    ),
  ],
  created: [
    earlyTime(name, "create", {
      name: "changes when it was created",
      needs: twoReads,
      what: "sent another time of creation",
    }),
  ],
  updated: [
    earlyTime(name, "update", {
      name: "sends an earlier time of the last change",
      needs: twoReads,
      what: "sent an earlier time of the last change",
    }),
  ],
});

const [legacy, current] = [shared("legacy"), shared("current")];

/** A conversation that has ended in one way has ended in another one later. */
const otherEnd: Arm = setting(
  ["/state", { error: { code: "ERROR_INTERNAL", message: "no", retry_time: "2030-01-01T00:00:00Z" } }],
  {
    name: "ends in one state and then in another one",
    isOptional: true,
    needs: readAfterEnd,
    what: "sent the state `error` of a conversation that was completed",
  },
  inLaterReads("current", (view) => (view.state === "completed" ? stateHolders(view) : [])),
);

/** Counterexamples of the rules about what a conversation shows from one read to the next. */
export const conversationHistory = {
  "legacy/status-transitions-are-listed": legacy.transitions,
  "legacy/reads-are-current": legacy.reads,
  "legacy/finished-answer-is-stable": legacy.finished,
  "legacy/ids-are-stable": [
    setting(
      ["/id", 4711],
      { name: "changes the id of a question", needs: twoReads, what: "sent another id of a question" },
      inLaterReads(
        "legacy",
        questionsOf(() => true),
      ),
    ),
    setting(
      ["/id", 4711],
      {
        name: "answers with the id of another conversation",
        needs: twoReads,
        what: "sent another id of a conversation",
      },
      inLaterReads("legacy", itself),
    ),
  ],
  "legacy/question-belongs-to-conversation": [
    setting(
      ["/conversation_id", 4711],
      {
        name: "sends another `conversation_id`",
        needs: twoReads,
        what: "sent a `conversation_id` that is not that of the conversation",
      },
      inLaterReads(
        "legacy",
        questionsOf(() => true),
      ),
    ),
  ],
  "legacy/questions-keep-their-order": orderArms("legacy"),
  "legacy/question-text-is-kept": legacy.text,
  "legacy/created-at-is-stable": legacy.created,
  "legacy/updated-at-never-falls": legacy.updated,
  "current/state-transitions-are-listed": [...current.transitions, otherEnd],
  "current/reads-are-current": current.reads,
  "current/finished-answer-is-stable": current.finished,
  "current/name-is-stable": [
    setting(
      ["/name", "users/1/conversations/4711"],
      { name: "changes the name", needs: twoReads, what: "sent another name of a conversation" },
      inLaterReads("current", itself),
    ),
  ],
  "current/questions-keep-their-order": orderArms("current"),
  "current/question-text-is-kept": current.text,
  "current/created-at-is-stable": current.created,
  "current/updated-at-never-falls": current.updated,
} satisfies Counterexamples;
