import { legacyMachine, legacyOpenApi, statsMembers } from "@assay/contract";
import { isRecord, member, stringMember } from "@assay/reading";
import type { QuestionView } from "@assay/reading";
import { addMember, replaceValue } from "@assay/evidence";
import { elementsWithPointers, schemaMutations, siteMutation } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import {
  refusalMutation,
  sitesAfterCancelling,
  conversationSites,
  memberSites,
  questionSites,
  emptyCreationMutation,
  emptyReadMutation,
  removeValueMutation,
  setValueMutation,
  statusMutation,
} from "./conversation-sites.ts";
import type { ResponseSelection, Sites } from "./conversation-sites.ts";
import { duplicateCreationMutation } from "./lists.ts";
import { localTimesMutation, timeMutations } from "./time-mutations.ts";

const legacyInterface = { interface: "legacy" } as const satisfies ResponseSelection;

const legacyReads = { interface: "legacy", operations: ["get"] } as const satisfies ResponseSelection;

const needsConversation = "a response with a conversation";

const needsQuestion = "a response with a question";

const needsQuestionInProgress = "a response with a question in progress";

const needsCompletedQuestion = "a response with a completed question without an error";

const needsFailedQuestion = "a question that ended with an error";

const selectElements =
  (name: string) =>
  ({ json, pointer }: QuestionView) =>
    elementsWithPointers(member(json, name), `${pointer}/${name}`);

const elementSites = (name: string): Sites => questionSites(legacyInterface, () => true, selectElements(name));

const statusSites = (status: string, isWanted: (question: QuestionView) => boolean = () => true): Sites =>
  questionSites(legacyInterface, (question) => question.status === status && isWanted(question));

/** Questions in the responses that create them. */
const newQuestionSites = questionSites({ interface: "legacy", operations: ["create", "follow-up"] });

const answeredQuestionSites = statusSites("completed", ({ facts }) => !facts.has("error") && facts.has("answer"));

/** Stats of questions with a duration. */
const timedStatsSites = memberSites(
  "stats",
  questionSites(legacyInterface, ({ json }) => Number(member(member(json, "stats"), "time_millis")) > 0),
);

const { schemas: legacySchemas } = legacyOpenApi.components;

const zeroStats = Object.fromEntries(statsMembers.map((name) => [name, 0]));

/** The member that each fact of a gate is about, and a value that violates the gate. */
const gateMembers: Readonly<Record<string, { readonly member?: string; readonly value?: unknown }>> = {
  answer: { member: "answer", value: "An answer." },
  "stats-not-zero": { member: "stats", value: { ...zeroStats, time_millis: 5 } },
  followups: { member: "suggested_followups", value: ["And then?"] },
};

/** Returns the mutations of a gate: they send a forbidden member or omit a required one. */
function gateMutations(name: string): readonly Mutation[] {
  const gate = legacyMachine.gates.find((candidate) => candidate.name === name);
  const { state = "", forbids = [], requires = [] } = gate ?? {};
  const forbiddenMutations = forbids.map((fact) => {
    const { member: key = fact, value = "x" } = gateMembers[fact] ?? {};
    return siteMutation(
      {
        name: `sends \`${key}\` while a question is ${state}`,
        needs: needsQuestionInProgress,
        effect: `sent \`${key}\` in a question that is ${state}`,
        splice: ({ json, pointer, value: question }) =>
          isRecord(question) && Object.hasOwn(question, key)
            ? replaceValue(json, `${pointer}/${key}`, value)
            : addMember(json, pointer, [key, value]),
      },
      statusSites(state),
    );
  });
  const requiredMutations = requires.map((fact) => {
    const key = gateMembers[fact]?.member ?? fact;
    return fact === "stats-not-zero"
      ? setValueMutation(
          ["/stats", zeroStats],
          {
            name: "leaves the stats at zero",
            needs: needsCompletedQuestion,
            effect: "sent stats of zero in a completed question",
          },
          answeredQuestionSites,
        )
      : removeValueMutation(
          `/${key}`,
          {
            name: `leaves out \`${key}\``,
            needs: needsCompletedQuestion,
            effect: `left \`${key}\` out of a completed question`,
          },
          answeredQuestionSites,
        );
  });
  return [...forbiddenMutations, ...requiredMutations];
}

/** Returns the part of a URL after the host. */
const removeHost = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/iu, "");

/** Mutations for the rules about responses of the legacy interface. */
export const legacyAnswerMutations = {
  "legacy/create-is-accepted": [
    refusalMutation("legacy", "create"),
    emptyCreationMutation("legacy"),
    duplicateCreationMutation("legacy"),
  ],
  "legacy/get-returns-the-conversation": [refusalMutation("legacy", "get"), emptyReadMutation("legacy")],
  "legacy/success-status-is-listed": [
    statusMutation(
      201,
      { name: "responds with 201", needs: "a successful call", effect: "responded with 201" },
      { interface: "legacy", operations: ["get", "create", "list", "follow-up", "cancel", "delete"] },
    ),
  ],
  "legacy/conversation-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyConversation,
    sites: conversationSites(legacyInterface),
    objectName: "a conversation",
    needs: needsConversation,
  }),
  "legacy/question-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyQuestion,
    sites: questionSites(legacyInterface),
    objectName: "a question",
    needs: needsQuestion,
  }),
  "legacy/source-fits-schema": schemaMutations({
    schema: legacySchemas.LegacySource,
    sites: elementSites("sources"),
    objectName: "a source",
    needs: "a response with sources",
  }),
  "legacy/turn-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyTurn,
    sites: elementSites("turns"),
    objectName: "a turn",
    needs: "a response with turns",
  }),
  "legacy/stats-are-counts": [
    ...schemaMutations({
      schema: legacySchemas.LegacyStats,
      sites: memberSites("stats", questionSites(legacyInterface)),
      objectName: "stats",
      needs: "a response with stats",
    }),
    setValueMutation(
      ["/time_millis", -1],
      { name: "sends a negative count", needs: "a response with stats", effect: "sent -1 for `time_millis`" },
      memberSites("stats", questionSites(legacyInterface)),
    ),
  ],
  "legacy/time-is-in-milliseconds": [
    setValueMutation(
      ["/time_millis", 1_767_607_200_000],
      {
        name: "sends a point in time as `time_millis`",
        needs: "a question with a time above 0 in its stats",
        effect: "sent Unix milliseconds as `time_millis`",
      },
      timedStatsSites,
    ),
    {
      ...siteMutation(
        {
          name: "sends nanoseconds as `time_millis`",
          needs: "a question with a time above 0 in its stats, and its request",
          effect: "sent `time_millis` in nanoseconds",
          splice: ({ json, pointer, value }) =>
            replaceValue(json, `${pointer}/time_millis`, Number(member(value, "time_millis")) * 1_000_000),
        },
        timedStatsSites,
      ),
      // One millisecond is a million nanoseconds, which is also a plausible time of a slow question.
      isOptional: true,
    },
  ],
  "legacy/error-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyError,
    sites: memberSites("error", questionSites(legacyInterface)),
    objectName: "an error",
    needs: needsFailedQuestion,
  }),
  "legacy/error-kind-is-known": [
    setValueMutation(
      ["/kind", "NeverSeenBefore"],
      { name: "sends a new kind of error", needs: needsFailedQuestion, effect: "sent a new kind of error" },
      memberSites("error", questionSites(legacyInterface)),
    ),
  ],
  "legacy/timestamps-are-utc": [
    ...timeMutations(conversationSites(legacyInterface), ["created_at", "updated_at"], needsConversation),
    ...timeMutations(questionSites(legacyInterface), ["created_at", "updated_at"], needsQuestion).map((mutation) => ({
      ...mutation,
      name: `${mutation.name} in a question`,
    })),
    ...timeMutations(
      memberSites("quota_usage", conversationSites(legacyReads)),
      ["reset_time"],
      "a conversation that is read",
    ).map((mutation) => ({ ...mutation, isOptional: true as const })),
    setValueMutation(
      ["/reset_time", "1970-01-01T01:00:00Z"],
      {
        name: "sends a duration as `reset_time`",
        needs: "a conversation that is read",
        isOptional: true,
        effect: "sent `reset_time` an hour after 1970",
      },
      memberSites("quota_usage", conversationSites(legacyReads)),
    ),
    setValueMutation(
      ["/reset_time", "0001-01-01T00:00:00Z"],
      {
        name: "sends a `reset_time` in the year 1",
        needs: "a conversation that is read",
        isOptional: true,
        effect: "sent a `reset_time` in the year 1",
      },
      memberSites("quota_usage", conversationSites(legacyReads)),
    ),
    localTimesMutation("legacy"),
  ],
  "legacy/viewer-on-retrieval": [
    removeValueMutation(
      "/viewer",
      { name: "leaves out `viewer`", needs: "a conversation that is read", effect: "left out `viewer`" },
      conversationSites(legacyReads),
    ),
    ...schemaMutations({
      schema: legacySchemas.LegacyViewer,
      sites: memberSites("viewer", conversationSites(legacyReads)),
      objectName: "`viewer`",
      needs: "a conversation that is read",
    }),
  ],
  "legacy/quota-usage-on-retrieval": [
    removeValueMutation(
      "/quota_usage",
      { name: "leaves out `quota_usage`", needs: "a conversation that is read", effect: "left out `quota_usage`" },
      conversationSites(legacyReads),
    ),
    ...schemaMutations({
      schema: legacySchemas.LegacyQuotaUsage,
      sites: memberSites("quota_usage", conversationSites(legacyReads)),
      objectName: "`quota_usage`",
      needs: "a conversation that is read",
    }),
  ],
  "legacy/owner-is-viewer": [
    setValueMutation(
      ["/is_owner", false],
      {
        name: "does not recognise the creator as the owner",
        needs: "a conversation that its creator reads",
        effect: "sent `is_owner` false to the user who created the conversation",
      },
      memberSites("viewer", conversationSites(legacyReads)),
    ),
    setValueMutation(
      ["/is_owner", true],
      {
        name: "recognises another user as the owner",
        needs: "a conversation that another user lists by its read token",
        isOptional: true,
        effect: "sent `is_owner` true to a user who did not create the conversation",
      },
      memberSites(
        "viewer",
        conversationSites({
          interface: "legacy",
          operations: ["list"],
          appliesTo: ({ call }) => call.record.credential === "other-token",
        }),
      ),
    ),
  ],
  "legacy/user-id-is-the-owner": [
    setValueMutation(
      ["/user_id", 4711],
      {
        name: "sends another `user_id`",
        needs: "a conversation that is created and read",
        effect: "sent another `user_id` than in the response to the creation",
      },
      conversationSites(legacyReads),
    ),
  ],
  "legacy/share-url-holds-read-token": [
    setValueMutation(
      ["/share_url", "not a URL"],
      { name: "sends text that is not a URL", needs: needsConversation, effect: "sent words as `share_url`" },
      conversationSites(legacyInterface),
    ),
    setValueMutation(
      ["/share_url", "https://search.example.com/deepsearch/another"],
      {
        name: "leaves the token out of the URL",
        needs: needsConversation,
        effect: "sent a `share_url` of another token",
      },
      conversationSites(legacyInterface),
    ),
    setValueMutation(
      ["/read_token", ""],
      { name: "sends an empty token", needs: needsConversation, effect: "sent an empty `read_token`" },
      conversationSites(legacyInterface),
    ),
    setValueMutation(
      ["/share_url", ""],
      { name: "sends an empty URL", needs: needsConversation, effect: "sent an empty `share_url`" },
      conversationSites(legacyInterface),
    ),
  ],
  "legacy/share-url-is-absolute": [
    siteMutation(
      {
        name: "sends a relative URL",
        needs: needsConversation,
        effect: "sent `share_url` without its host",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/share_url`, removeHost(stringMember(value, "share_url") ?? "")),
      },
      conversationSites(legacyInterface),
    ),
  ],
  "legacy/status-is-listed": [
    setValueMutation(
      ["/status", "failed"],
      { name: "sends a status that is not listed", needs: needsQuestion, effect: "sent the status `failed`" },
      questionSites(legacyInterface),
    ),
  ],
  "legacy/created-in-progress": [
    setValueMutation(
      ["/status", "completed"],
      {
        name: "shows a new question as completed",
        needs: "a successful creation",
        effect: "sent a new question as completed",
      },
      newQuestionSites,
    ),
  ],
  "legacy/new-question-has-turns": [
    removeValueMutation(
      "/turns",
      {
        name: "leaves out the turns",
        needs: "a successful creation",
        effect: "left the turns of a new question out",
      },
      newQuestionSites,
    ),
    setValueMutation(
      ["/turns", []],
      { name: "sends no turn", needs: "a successful creation", effect: "sent a new question without a turn" },
      newQuestionSites,
    ),
  ],
  "legacy/stats-are-zero-while-processing": [
    ...gateMutations("stats-are-zero-while-processing"),
    removeValueMutation(
      "/stats",
      { name: "creates a question without stats", needs: "a successful creation", effect: "left out the stats" },
      newQuestionSites,
    ),
  ],
  "legacy/no-answer-while-processing": gateMutations("no-answer-while-processing"),
  "legacy/followups-null-while-processing": gateMutations("followups-null-while-processing"),
  "legacy/completed-question-is-filled": [
    ...gateMutations("completed-question-is-filled"),
    removeValueMutation(
      "/title",
      {
        name: "removes the title when a completed question is cancelled",
        isOptional: true,
        needs: "a completed question that is cancelled, and read again",
        effect: "left the title out of a question that was completed before it was cancelled",
      },
      sitesAfterCancelling("legacy", (selection) =>
        questionSites(selection, ({ status, facts }) => status === "completed" && facts.has("answer")),
      ),
    ),
  ],
  "legacy/failed-question-is-completed": [
    setValueMutation(
      ["/status", "processing"],
      {
        name: "leaves a failed question in progress",
        needs: needsFailedQuestion,
        effect: "sent `processing` for a question with an error",
      },
      questionSites(legacyInterface, ({ facts }) => facts.has("error")),
    ),
  ],
} as const satisfies MutationsByRule;
