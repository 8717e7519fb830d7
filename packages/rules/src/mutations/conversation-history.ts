import { Buffer } from "node:buffer";
import { member, wireMember } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import {
  insertBytes,
  addMember,
  removeMember,
  replaceSpan,
  replaceValue,
  findValueSpan,
  getValueText,
} from "@assay/evidence";
import type { JsonText, Splice } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, editBody, withEditedBody, withFallback, siteMutation, siteEdits } from "./mutation.ts";
import type { Mutation, MutationsByRule, Edit, SpliceAt } from "./mutation.ts";
import {
  combineSites,
  findSuccessfulCalls,
  conversationsIn,
  conversationSites,
  laterReadSites,
  questionSites,
  findRepeatedReads,
  setValueMutation,
  findLaterResponses,
  findConversationResponses,
  findStateHolders,
} from "./conversation-sites.ts";
import type { Sites } from "./conversation-sites.ts";
import { answerChangedByCancelMutation, canceledAfterCompletionMutation } from "./operations.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

const needsTwoReads = "a conversation that is read twice";
const needsReadAfterEnd = "a conversation that is read again after its end";
const needsTwoQuestions = "a conversation with two questions that is read twice";

const isInProgress = ({ state, questions }: ConversationView): boolean =>
  state === "processing" || questions.some(({ status }) => status === "processing");

const hasFinished = (call: EditableCall): boolean => conversationsIn(call).every((view) => !isInProgress(view));

/**
 * Swaps the response to a read in progress with the response to a read after the conversation finished. `createSplices`
 * edits the former, which the later read then gets.
 */
function* swapReads(
  evidence: ProofEvidence,
  interfaceName: ConversationInterface,
  createSplices?: (early: EditableCall, view: ConversationView) => readonly (Splice | undefined)[],
): Iterable<Edit> {
  for (const group of findRepeatedReads(evidence, interfaceName)) {
    const earlyRead = group.find((call) => !hasFinished(call));
    const lateRead = group.findLast(hasFinished);
    if (earlyRead !== undefined && lateRead !== undefined) {
      const splices =
        createSplices === undefined
          ? []
          : conversationsIn(earlyRead)
              .flatMap((view) => createSplices(earlyRead, view))
              .filter((splice) => splice !== undefined);
      yield {
        effect: "swapped the responses of two reads",
        replacements: [
          withResponseOf(lateRead.exchange, withEditedBody(earlyRead.exchange, splices)),
          withResponseOf(earlyRead.exchange, lateRead.exchange),
        ],
      };
    }
  }
}

/** Gives a read of a finished conversation the response of an earlier read. */
const earlierStateMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "goes back to an earlier state",
  needs: "a conversation that is read while it is in progress, and twice after its end",
  *edits(evidence) {
    for (const group of findRepeatedReads(evidence, interfaceName)) {
      const earlyRead = group.find((call) => !hasFinished(call));
      const lateRead = group.findLast(hasFinished);
      if (earlyRead !== undefined && lateRead !== undefined && group.filter(hasFinished).length > 1) {
        yield {
          effect: "repeated an earlier response for a later read",
          replacements: [withResponseOf(lateRead.exchange, earlyRead.exchange)],
        };
      }
    }
    for (const { call, view } of findLaterResponses(evidence, interfaceName).filter(
      (response) => !isInProgress(response.view),
    )) {
      const splices = [...setInProgress(interfaceName, call, view), ...setEarlyUpdateTimes(call, view)];
      yield* editBody(call.exchange, "showed an ended conversation as in progress", splices);
    }
    yield* swapReads(evidence, interfaceName);
  },
});

const selectQuestions =
  (isWanted: (question: QuestionView) => boolean) =>
  ({ questions }: ConversationView) =>
    questions.filter(isWanted).map(({ pointer, json }) => [pointer, json] as const);

const selectConversation = ({ pointer, json }: ConversationView) => [[pointer, json] as const];

const textPointer = (interfaceName: ConversationInterface): string =>
  interfaceName === "legacy" ? "/question" : "/input/0/question/text";

/** Returns the mutations that lose, duplicate or reorder questions. */
const questionOrderMutations = (interfaceName: ConversationInterface): readonly Mutation[] => [
  siteMutation(
    {
      name: "loses a question",
      needs: needsTwoReads,
      effect: "left a question out of a later read",
      splice: ({ json, pointer }) => removeMember(json, pointer),
    },
    laterReadSites(
      interfaceName,
      selectQuestions(() => true),
    ),
  ),
  {
    name: "shows a question twice",
    needs: needsTwoReads,
    *edits(evidence) {
      // The last read is edited first, because reads show complete conversations.
      const operations = ["list", "create", "cancel", "follow-up", "get"] as const;
      for (const call of findSuccessfulCalls(evidence, { interface: interfaceName, operations }).toReversed()) {
        for (const { pointer } of conversationsIn(call).flatMap((view) => view.questions)) {
          const [span, text] = [findValueSpan(call.json, pointer), getValueText(call.json, pointer)];
          yield* editBody(call.exchange, "showed a question twice", [
            span && insertBytes(span.offset, Buffer.from(`${text},`)),
          ]);
        }
      }
    },
  },
  {
    name: "shows questions in another order",
    needs: needsTwoQuestions,
    isOptional: true,
    *edits(evidence) {
      for (const group of findRepeatedReads(evidence, interfaceName)) {
        for (const call of group.slice(1).toReversed()) {
          const [first, second] = conversationsIn(call).flatMap(({ questions }) =>
            questions.map(({ pointer }) => pointer),
          );
          if (first !== undefined && second !== undefined) {
            yield* editBody(call.exchange, "showed two questions in another order", [
              replaceText(call.json, first, getValueText(call.json, second)),
              replaceText(call.json, second, getValueText(call.json, first)),
            ]);
          }
        }
      }
    },
  },
];

/** Returns a splice that replaces a value by the text of a different one. It returns undefined if either is missing. */
const replaceText = (json: JsonText, pointer: string, text: string | undefined): Splice | undefined => {
  const span = findValueSpan(json, pointer);
  return span && text !== undefined ? replaceSpan(span, text) : undefined;
};

/** Sets a time of a conversation, in the spelling that the conversation uses. */
const setTime =
  (interfaceName: ConversationInterface, kind: "create" | "update", time: string): SpliceAt =>
  ({ json, pointer, value }) => {
    const key = interfaceName === "legacy" ? `${kind}d_at` : wireMember(value, `${kind}Time`)?.key;
    return key === undefined ? undefined : replaceValue(json, `${pointer}/${key}`, time);
  };

type TimeMutation = Partial<Mutation> & { readonly name: string; readonly effect: string; readonly sites?: Sites };

/** Sets an early time. By default in later reads of a conversation. */
const earlyTimeMutation = (
  interfaceName: ConversationInterface,
  kind: "create" | "update",
  { sites = laterReadSites(interfaceName, selectConversation), ...mutation }: TimeMutation,
): Mutation =>
  siteMutation(
    { needs: needsTwoReads, ...mutation, splice: setTime(interfaceName, kind, "2020-01-01T00:00:00.000Z") },
    sites,
  );

/** Sets a late update time in the first response only. */
const lateFirstTimeEdits = (interfaceName: ConversationInterface): Pick<Mutation, "edits"> => ({
  *edits(evidence) {
    const splice = setTime(interfaceName, "update", "2099-01-01T00:00:00.000Z");
    for (const { call, view } of findConversationResponses(evidence, interfaceName).flatMap((group) =>
      group.slice(0, 1),
    )) {
      yield* editBody(call.exchange, "sent an update time that is later than those of later responses", [
        splice({ exchange: call.exchange, json: call.json, pointer: view.pointer, value: view.json }),
      ]);
    }
  },
});

const timeKeys = ["updated_at", "updateTime", "update_time"] as const;

/** Sets late update times in a conversation and its questions, so that the data is not an older version. */
const setLateUpdateTimes = (call: EditableCall, view: ConversationView) =>
  setUpdateTimes(call, view, "2099-01-01T00:00:00.000Z");

/** Sets early update times, so that the data is an older version. */
const setEarlyUpdateTimes = (call: EditableCall, view: ConversationView) =>
  setUpdateTimes(call, view, "2020-01-01T00:00:00.000Z");

const setUpdateTimes = (
  { json }: EditableCall,
  { pointer, json: ownJson, questions }: ConversationView,
  time: string,
) =>
  [{ pointer, json: ownJson }, ...questions].flatMap((holder) =>
    timeKeys
      .filter((key) => member(holder.json, key) !== undefined)
      .map((key) => replaceValue(json, `${holder.pointer}/${key}`, time)),
  );

/** Sets the state of a conversation to processing. */
const setInProgress = (interfaceName: ConversationInterface, { json }: EditableCall, view: ConversationView) =>
  interfaceName === "legacy"
    ? view.questions.map(({ pointer }) => replaceValue(json, `${pointer}/status`, "processing"))
    : findStateHolders(view).map(([pointer]) => replaceValue(json, `${pointer}/state`, { processing: {} }));

/** Shows an ended conversation as in progress again, with a later update time. */
const backInProgressMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "goes back to an earlier state",
  needs: needsReadAfterEnd,
  *edits(evidence) {
    for (const { call, view } of findLaterResponses(evidence, interfaceName).filter(
      (response) => !isInProgress(response.view),
    )) {
      const splices = [...setInProgress(interfaceName, call, view), ...setLateUpdateTimes(call, view)];
      yield* editBody(call.exchange, "showed an ended conversation as in progress again", splices);
    }
    yield* swapReads(evidence, interfaceName, (early, view) => setLateUpdateTimes(early, view));
  },
});

/** Changes the answer of an ended question, or adds one later. */
const finishedAnswerMutation = (interfaceName: ConversationInterface): Mutation =>
  withFallback(
    siteMutation(
      {
        name: "changes a finished answer",
        needs: needsReadAfterEnd,
        effect: "sent another answer of an ended question",
        splice: ({ json, pointer }) => replaceValue(json, `${pointer}/answer`, "Another answer."),
      },
      laterReadSites(
        interfaceName,
        selectQuestions(({ facts }) => facts.has("answer")),
      ),
    ),
    siteEdits(
      "sent an answer of a question that ended without one",
      ({ json, pointer }) => addMember(json, pointer, ["answer", "An answer after all."]),
      laterReadSites(interfaceName, (view) =>
        selectQuestions(({ facts }) => !isInProgress(view) && !facts.has("answer"))(view),
      ),
    ),
  );

/** Changes the text of a question, compared with the earlier or the requested text. */
const questionTextMutation = (interfaceName: ConversationInterface): Mutation =>
  setValueMutation(
    [textPointer(interfaceName), "Something else?"],
    {
      name: "changes the text of a question",
      needs: "a question in the response that creates it, or a conversation that is read twice",
      effect: "sent another text of a question",
    },
    combineSites(
      laterReadSites(
        interfaceName,
        selectQuestions(() => true),
      ),
      questionSites({ interface: interfaceName, operations: ["create", "follow-up"] }),
    ),
  );

/** Typical damage to texts in transit. */
const textDamages: readonly {
  readonly name: string;
  readonly effect: string;
  readonly damage: (text: string) => string;
}[] = [
  {
    name: "escapes the markup in a question",
    effect: "escaped the markup in a question",
    damage: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  },
  {
    name: "unescapes the markup in a question",
    effect: "unescaped the markup in a question",
    damage: (text) => text.replaceAll("&amp;", "&"),
  },
  {
    name: "loses the non-ASCII letters of a question",
    effect: "sent a question mark for each non-ASCII letter",
    damage: (text) => text.replaceAll(/\P{ASCII}/gu, "?"),
  },
  {
    name: "collapses the white space in a question",
    effect: "sent one space between the words of a question",
    damage: (text) => text.replaceAll(/\s+/gu, " "),
  },
  {
    name: "loses the backslashes of a question",
    effect: "left the backslashes of a question out",
    damage: (text) => text.replaceAll("\\", ""),
  },
];

/** Damages the text of a question in the response that adds it, if the damage changes the text. */
const damagedTextMutations = (interfaceName: ConversationInterface): readonly Mutation[] =>
  textDamages.map(({ damage, ...mutation }) =>
    siteMutation(
      {
        ...mutation,
        needs: "a question with quotes, markup and letters beyond ASCII",
        isOptional: true,
        splice: ({ json, pointer }) => {
          const valueJson = getValueText(json, `${pointer}${textPointer(interfaceName)}`);
          const questionText: unknown = valueJson === undefined ? undefined : JSON.parse(valueJson);
          return typeof questionText === "string" && damage(questionText) !== questionText
            ? replaceValue(json, `${pointer}${textPointer(interfaceName)}`, damage(questionText))
            : undefined;
        },
      },
      questionSites({ interface: interfaceName, operations: ["create", "follow-up"] }),
    ),
  );

/** Returns the mutations that exist for both interfaces. */
const createSharedMutations = (interfaceName: ConversationInterface) => ({
  transitions: [backInProgressMutation(interfaceName)],
  reads: [earlierStateMutation(interfaceName)],
  finished: [finishedAnswerMutation(interfaceName), answerChangedByCancelMutation(interfaceName)],
  text: [questionTextMutation(interfaceName), ...damagedTextMutations(interfaceName)],
  created: [
    earlyTimeMutation(interfaceName, "create", {
      name: "changes the creation time",
      effect: "sent another creation time",
    }),
  ],
  updated: [
    withFallback(
      earlyTimeMutation(interfaceName, "update", {
        name: "sends an earlier update time",
        effect: "sent an earlier update time",
      }),
      lateFirstTimeEdits(interfaceName),
    ),
    earlyTimeMutation(interfaceName, "update", {
      name: "sends an update time before the creation time",
      needs: "a conversation with a creation time and an update time",
      ...(interfaceName === "current" ? { isOptional: true } : {}),
      effect: "sent an update time before the creation time",
      sites: combineSites(questionSites({ interface: interfaceName }), conversationSites({ interface: interfaceName })),
    }),
  ],
});

const [legacyMutations, currentMutations] = [createSharedMutations("legacy"), createSharedMutations("current")];

/** Ends a conversation in a different state than it ended in before. */
const differentEndMutation: Mutation = setValueMutation(
  ["/state", { error: { code: "ERROR_INTERNAL", message: "no", retry_time: "2030-01-01T00:00:00Z" } }],
  {
    name: "ends in one state and then in another one",
    isOptional: true,
    needs: needsReadAfterEnd,
    effect: "sent the state `error` of a conversation that was completed",
  },
  laterReadSites("current", (view) => findStateHolders(view).filter(() => view.state === "completed")),
);

/** Mutations for the rules about changes of a conversation between reads. */
export const conversationHistoryMutations = {
  "legacy/status-transitions-are-listed": legacyMutations.transitions,
  "legacy/reads-are-current": legacyMutations.reads,
  "legacy/finished-answer-is-stable": legacyMutations.finished,
  "legacy/ids-are-stable": [
    setValueMutation(
      ["/id", 4711],
      { name: "changes the id of a question", needs: needsTwoReads, effect: "sent another id of a question" },
      laterReadSites(
        "legacy",
        selectQuestions(() => true),
      ),
    ),
    setValueMutation(
      ["/id", 4711],
      {
        name: "answers with the id of another conversation",
        needs: needsTwoReads,
        effect: "sent another id of a conversation",
      },
      combineSites(laterReadSites("legacy", selectConversation), conversationSites({ interface: "legacy" })),
    ),
  ],
  "legacy/question-belongs-to-conversation": [
    setValueMutation(
      ["/conversation_id", 4711],
      {
        name: "sends another `conversation_id`",
        needs: "a response with a question and its conversation",
        effect: "sent the `conversation_id` of another conversation",
      },
      questionSites({ interface: "legacy" }),
    ),
  ],
  "legacy/questions-keep-their-order": questionOrderMutations("legacy"),
  "legacy/question-text-is-kept": legacyMutations.text,
  "legacy/created-at-is-stable": legacyMutations.created,
  "legacy/updated-at-never-falls": legacyMutations.updated,
  "current/state-transitions-are-listed": [
    ...currentMutations.transitions,
    differentEndMutation,
    canceledAfterCompletionMutation,
  ],
  "current/reads-are-current": currentMutations.reads,
  "current/finished-answer-is-stable": currentMutations.finished,
  "current/name-is-stable": [
    setValueMutation(
      ["/name", "users/1/conversations/4711"],
      { name: "changes the name", needs: "a conversation that is read", effect: "sent another name of a conversation" },
      combineSites(laterReadSites("current", selectConversation), conversationSites({ interface: "current" })),
    ),
  ],
  "current/questions-keep-their-order": questionOrderMutations("current"),
  "current/question-text-is-kept": currentMutations.text,
  "current/created-at-is-stable": currentMutations.created,
  "current/updated-at-never-falls": currentMutations.updated,
} satisfies MutationsByRule;
