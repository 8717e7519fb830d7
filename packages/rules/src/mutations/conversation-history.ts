import { Buffer } from "node:buffer";
import { member, wireMember } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import { inserting, memberAdded, memberRemoved, replacing, valueReplaced, valueSpan, valueText } from "@assay/evidence";
import type { JsonText, Splice } from "@assay/evidence";
import { answeredAs, bodyEdit, editedBody, orElse, siteMutation, siteEdits } from "./mutation.ts";
import type { Mutation, Counterexamples, Edit, SpliceAt } from "./mutation.ts";
import {
  allOf,
  callsOf,
  conversationsIn,
  inConversations,
  inLaterReads,
  inQuestions,
  polls,
  setting,
  shownAgain,
  showings,
  stateHolders,
} from "./conversation-sites.ts";
import type { Sites } from "./conversation-sites.ts";
import { answeredAnew, canceledLate } from "./operations.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

type Name = "legacy" | "current";

const twoReads = "a conversation that is read twice";
const readAfterEnd = "a conversation that is read again after it has ended";
const twoQuestions = "a conversation with two questions that is read twice";

const isAtWork = ({ state, questions }: ConversationView): boolean =>
  state === "processing" || questions.some(({ status }) => status === "processing");

const hasEnded = (call: CallText): boolean => conversationsIn(call).every((view) => !isAtWork(view));

/** A read while it was at work and one after the end get the answers of each other; `alters` edits what the later one shows. */
function* exchangedReads(
  evidence: ProofEvidence,
  name: Name,
  alters?: (early: CallText, view: ConversationView) => readonly (Splice | undefined)[],
): Iterable<Edit> {
  for (const group of polls(evidence, name)) {
    const early = group.find((call) => !hasEnded(call));
    const late = group.findLast(hasEnded);
    if (early !== undefined && late !== undefined) {
      const splices =
        alters === undefined
          ? []
          : conversationsIn(early)
              .flatMap((view) => alters(early, view))
              .filter((splice) => splice !== undefined);
      yield {
        what: "answered two reads in the other order",
        instead: [
          answeredAs(late.exchange, editedBody(early.exchange, splices)),
          answeredAs(early.exchange, late.exchange),
        ],
      };
    }
  }
}

/** A read after the end gets the answer of one before it. */
const earlierAnswer = (name: Name): Mutation => ({
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
    for (const { call, view } of shownAgain(evidence, name).filter((showing) => !isAtWork(showing.view))) {
      const splices = [...progressIn(name, call, view), ...changedLongAgo(call, view)];
      yield* bodyEdit(call.exchange, "showed as at work what had ended before", splices);
    }
    yield* exchangedReads(evidence, name);
  },
});

const questionsOf =
  (isWanted: (question: QuestionView) => boolean) =>
  ({ questions }: ConversationView) =>
    questions.filter(isWanted).map(({ pointer, json }) => [pointer, json] as const);

const itself = ({ pointer, json }: ConversationView) => [[pointer, json] as const];

const text = (name: Name): string => (name === "legacy" ? "/question" : "/input/0/question/text");

/** Mutations about the questions of a conversation: lost, shown twice, in another order. */
const orderMutations = (name: Name): readonly Mutation[] => [
  siteMutation(
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
    *edits(evidence) {
      // The last read first, since reads show all of a conversation.
      const operations = ["list", "create", "cancel", "follow-up", "get"] as const;
      for (const call of callsOf(evidence, { interface: name, operations }).toReversed()) {
        for (const { pointer } of conversationsIn(call).flatMap((view) => view.questions)) {
          const [span, text] = [valueSpan(call.json, pointer), valueText(call.json, pointer)];
          yield* bodyEdit(call.exchange, "showed a question twice", [
            span && inserting(span.offset, Buffer.from(`${text},`)),
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
            yield* bodyEdit(call.exchange, "showed two questions in another order", [
              textReplaced(call.json, first, valueText(call.json, second)),
              textReplaced(call.json, second, valueText(call.json, first)),
            ]);
          }
        }
      }
    },
  },
];

/** Puts the text of a value in the place of another one. */
const textReplaced = (json: JsonText, pointer: string, text: string | undefined): Splice | undefined => {
  const span = valueSpan(json, pointer);
  return span && text !== undefined ? replacing(span, text) : undefined;
};

/** Sets a time of a conversation, however it is spelled. */
const timeSet =
  (name: Name, kind: "create" | "update", time: string): SpliceAt =>
  ({ json, pointer, value }) => {
    const key = name === "legacy" ? `${kind}d_at` : wireMember(value, `${kind}Time`)?.key;
    return key === undefined ? undefined : valueReplaced(json, `${pointer}/${key}`, time);
  };

type TimeMutation = Partial<Mutation> & { readonly name: string; readonly what: string; readonly sites?: Sites };

/** A time is an early one: in later reads of a conversation, unless told where. */
const earlyTime = (
  name: Name,
  kind: "create" | "update",
  { sites = inLaterReads(name, itself), ...mutation }: TimeMutation,
): Mutation =>
  siteMutation({ needs: twoReads, ...mutation, splice: timeSet(name, kind, "2020-01-01T00:00:00.000Z") }, sites);

/** The time of the last change is a late one in the first answer, and what it was in the others. */
const lateAtFirst = (name: Name): Pick<Mutation, "edits"> => ({
  *edits(evidence) {
    const splice = timeSet(name, "update", "2099-01-01T00:00:00.000Z");
    for (const { call, view } of showings(evidence, name).flatMap((group) => group.slice(0, 1))) {
      yield* bodyEdit(call.exchange, "sent a time of the last change that later answers fell behind", [
        splice({ exchange: call.exchange, json: call.json, pointer: view.pointer, value: view.json }),
      ]);
    }
  },
});

const timeKeys = ["updated_at", "updateTime", "update_time"] as const;

/** Times of the last change in a conversation and its questions, set to a late one: what is shown is no older version. */
const changedNow = (call: CallText, view: ConversationView) => changedAt(call, view, "2099-01-01T00:00:00.000Z");

/** The same, set to an early one: what is shown is an older version. */
const changedLongAgo = (call: CallText, view: ConversationView) => changedAt(call, view, "2020-01-01T00:00:00.000Z");

const changedAt = ({ json }: CallText, { pointer, json: own, questions }: ConversationView, time: string) =>
  [{ pointer, json: own }, ...questions].flatMap((holder) =>
    timeKeys
      .filter((key) => member(holder.json, key) !== undefined)
      .map((key) => valueReplaced(json, `${holder.pointer}/${key}`, time)),
  );

/** What shows how far a conversation is. */
const progressIn = (name: Name, { json }: CallText, view: ConversationView) =>
  name === "legacy"
    ? view.questions.map(({ pointer }) => valueReplaced(json, `${pointer}/status`, "processing"))
    : stateHolders(view).map(([pointer]) => valueReplaced(json, `${pointer}/state`, { processing: {} }));

/** What has ended is shown as at work again, and as changed since. */
const backToWork = (name: Name): Mutation => ({
  name: "goes back to an earlier state",
  needs: readAfterEnd,
  *edits(evidence) {
    for (const { call, view } of shownAgain(evidence, name).filter((showing) => !isAtWork(showing.view))) {
      const splices = [...progressIn(name, call, view), ...changedNow(call, view)];
      yield* bodyEdit(call.exchange, "showed as at work what had ended", splices);
    }
    yield* exchangedReads(evidence, name, (early, view) => changedNow(early, view));
  },
});

/** What a question had that has ended is another answer later, or has one after all. */
const finishedMutation = (name: Name): Mutation =>
  orElse(
    siteMutation(
      {
        name: "changes an answer that is finished",
        needs: readAfterEnd,
        what: "sent another answer of a question that had ended",
        splice: ({ json, pointer }) => valueReplaced(json, `${pointer}/answer`, "Another answer."),
      },
      inLaterReads(
        name,
        questionsOf(({ facts }) => facts.has("answer")),
      ),
    ),
    siteEdits(
      "sent an answer of a question that had ended without one",
      ({ json, pointer }) => memberAdded(json, pointer, ["answer", "An answer after all."]),
      inLaterReads(name, (view) => questionsOf(({ facts }) => !isAtWork(view) && !facts.has("answer"))(view)),
    ),
  );

/** The text of a question is another one than before, or than was asked. */
const textMutation = (name: Name): Mutation =>
  setting(
    [text(name), "Something else?"],
    {
      name: "changes the text of a question",
      needs: "a question in the answer that creates it, or a conversation that is read twice",
      what: "sent another text of a question",
    },
    allOf(
      inLaterReads(
        name,
        questionsOf(() => true),
      ),
      inQuestions({ interface: name, operations: ["create", "follow-up"] }),
    ),
  );

/** What is done to texts on their way. */
const spellings: readonly { readonly name: string; readonly what: string; readonly spell: (text: string) => string }[] =
  [
    {
      name: "escapes the markup in a question",
      what: "escaped the markup in a question",
      spell: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    },
    {
      name: "unescapes the markup in a question",
      what: "unescaped the markup in a question",
      spell: (text) => text.replaceAll("&amp;", "&"),
    },
    {
      name: "loses the letters of a question that are not ASCII",
      what: "sent a question mark for each letter that is not ASCII",
      spell: (text) => text.replaceAll(/\P{ASCII}/gu, "?"),
    },
    {
      name: "tidies up the spaces in a question",
      what: "sent one space for all that separates the words of a question",
      spell: (text) => text.replaceAll(/\s+/gu, " "),
    },
    {
      name: "loses the backslashes of a question",
      what: "left the backslashes of a question out",
      spell: (text) => text.replaceAll("\\", ""),
    },
  ];

/** The text of a question in the answer that adds it is spoilt, where there is anything in it that can be. */
const spoiltTextMutations = (name: Name): readonly Mutation[] =>
  spellings.map(({ spell, ...mutation }) =>
    siteMutation(
      {
        ...mutation,
        needs: "a question with quotes, markup and letters beyond ASCII",
        isOptional: true,
        splice: ({ json, pointer }) => {
          const raw = valueText(json, `${pointer}${text(name)}`);
          const spelled: unknown = raw === undefined ? undefined : JSON.parse(raw);
          return typeof spelled === "string" && spell(spelled) !== spelled
            ? valueReplaced(json, `${pointer}${text(name)}`, spell(spelled))
            : undefined;
        },
      },
      inQuestions({ interface: name, operations: ["create", "follow-up"] }),
    ),
  );

/** Mutations that both interfaces share, by the end of the id of the rule. */
const shared = (name: Name) => ({
  transitions: [backToWork(name)],
  reads: [earlierAnswer(name)],
  finished: [finishedMutation(name), answeredAnew(name)],
  text: [textMutation(name), ...spoiltTextMutations(name)],
  created: [earlyTime(name, "create", { name: "changes when it was created", what: "sent another time of creation" })],
  updated: [
    orElse(
      earlyTime(name, "update", {
        name: "sends an earlier time of the last change",
        what: "sent an earlier time of the last change",
      }),
      lateAtFirst(name),
    ),
    earlyTime(name, "update", {
      name: "sends a time of the last change before that of the creation",
      needs: "a conversation that shows when it was created and when it was changed",
      ...(name === "current" ? { isOptional: true } : {}),
      what: "sent a time of the last change before the creation",
      sites: allOf(inQuestions({ interface: name }), inConversations({ interface: name })),
    }),
  ],
});

const [legacy, current] = [shared("legacy"), shared("current")];

/** A conversation that has ended in one way has ended in another one later. */
const otherEnd: Mutation = setting(
  ["/state", { error: { code: "ERROR_INTERNAL", message: "no", retry_time: "2030-01-01T00:00:00Z" } }],
  {
    name: "ends in one state and then in another one",
    isOptional: true,
    needs: readAfterEnd,
    what: "sent the state `error` of a conversation that was completed",
  },
  inLaterReads("current", (view) => stateHolders(view).filter(() => view.state === "completed")),
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
      allOf(inLaterReads("legacy", itself), inConversations({ interface: "legacy" })),
    ),
  ],
  "legacy/question-belongs-to-conversation": [
    setting(
      ["/conversation_id", 4711],
      {
        name: "sends another `conversation_id`",
        needs: "an answer that shows a question with its conversation",
        what: "sent a `conversation_id` that is not that of the conversation",
      },
      inQuestions({ interface: "legacy" }),
    ),
  ],
  "legacy/questions-keep-their-order": orderMutations("legacy"),
  "legacy/question-text-is-kept": legacy.text,
  "legacy/created-at-is-stable": legacy.created,
  "legacy/updated-at-never-falls": legacy.updated,
  "current/state-transitions-are-listed": [...current.transitions, otherEnd, canceledLate],
  "current/reads-are-current": current.reads,
  "current/finished-answer-is-stable": current.finished,
  "current/name-is-stable": [
    setting(
      ["/name", "users/1/conversations/4711"],
      { name: "changes the name", needs: "a conversation that is read", what: "sent another name of a conversation" },
      allOf(inLaterReads("current", itself), inConversations({ interface: "current" })),
    ),
  ],
  "current/questions-keep-their-order": orderMutations("current"),
  "current/question-text-is-kept": current.text,
  "current/created-at-is-stable": current.created,
  "current/updated-at-never-falls": current.updated,
} satisfies Counterexamples;
