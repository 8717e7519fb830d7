import { legacyMachine, legacyOpenApi, statsMembers } from "@assay/contract";
import { isRecord, member, stringMember } from "@assay/reading";
import type { QuestionView } from "@assay/reading";
import { addMember, replaceValue } from "@assay/evidence";
import { elements, schemaMutations, siteMutation } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import {
  accepted,
  afterCancelling,
  inConversations,
  inMember,
  inQuestions,
  noConversation,
  noRead,
  removing,
  setting,
  statusMutation,
} from "./conversation-sites.ts";
import type { Answers, Sites } from "./conversation-sites.ts";
import { createdTwice } from "./lists.ts";
import { shiftedTimes, timeMutations } from "./time-mutations.ts";

const legacy = { interface: "legacy" } as const satisfies Answers;

const reads = { interface: "legacy", operations: ["get"] } as const satisfies Answers;

const aConversation = "a response with a conversation";

const aQuestion = "a response with a question";

const working = "a response with a question in progress";

const completed = "a response with a completed question without an error";

const failed = "a question that ended with an error";

const partsOf =
  (name: string) =>
  ({ json, pointer }: QuestionView) =>
    elements(member(json, name), `${pointer}/${name}`);

const inParts = (name: string): Sites => inQuestions(legacy, () => true, partsOf(name));

const inStatus = (status: string, isWanted: (question: QuestionView) => boolean = () => true): Sites =>
  inQuestions(legacy, (question) => question.status === status && isWanted(question));

/** Questions in the responses that create them. */
const newQuestions = inQuestions({ interface: "legacy", operations: ["create", "follow-up"] });

const done = inStatus("completed", ({ facts }) => !facts.has("error") && facts.has("answer"));

/** Stats of questions with a duration. */
const timedStats = inMember(
  "stats",
  inQuestions(legacy, ({ json }) => Number(member(member(json, "stats"), "time_millis")) > 0),
);

const { schemas: legacySchemas } = legacyOpenApi.components;

const zeroStats = Object.fromEntries(statsMembers.map((name) => [name, 0]));

/** The member that each fact of a gate is about, and a value that violates the gate. */
const members: Readonly<Record<string, { readonly member?: string; readonly value?: unknown }>> = {
  answer: { member: "answer", value: "An answer." },
  "stats-not-zero": { member: "stats", value: { ...zeroStats, time_millis: 5 } },
  followups: { member: "suggested_followups", value: ["And then?"] },
};

/** Mutations of a gate: they send a forbidden member or omit a required one. */
function gateMutations(name: string): readonly Mutation[] {
  const gate = legacyMachine.gates.find((each) => each.name === name);
  const { state = "", forbids = [], requires = [] } = gate ?? {};
  const forbidden = forbids.map((fact) => {
    const { member: key = fact, value = "x" } = members[fact] ?? {};
    return siteMutation(
      {
        name: `sends \`${key}\` while a question is ${state}`,
        needs: working,
        effect: `sent \`${key}\` in a question that is ${state}`,
        splice: ({ json, pointer, value: question }) =>
          isRecord(question) && Object.hasOwn(question, key)
            ? replaceValue(json, `${pointer}/${key}`, value)
            : addMember(json, pointer, [key, value]),
      },
      inStatus(state),
    );
  });
  const required = requires.map((fact) => {
    const key = members[fact]?.member ?? fact;
    return fact === "stats-not-zero"
      ? setting(
          ["/stats", zeroStats],
          { name: "leaves the stats at zero", needs: completed, effect: "sent stats of zero in a completed question" },
          done,
        )
      : removing(
          `/${key}`,
          { name: `leaves out \`${key}\``, needs: completed, effect: `left \`${key}\` out of a completed question` },
          done,
        );
  });
  return [...forbidden, ...required];
}

/** The part of a URL after the host. */
const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/iu, "");

/** Mutations for the rules about responses of the legacy interface. */
export const legacyAnswers = {
  "legacy/create-is-accepted": [accepted("legacy", "create"), noConversation("legacy"), createdTwice("legacy")],
  "legacy/get-returns-the-conversation": [accepted("legacy", "get"), noRead("legacy")],
  "legacy/success-status-is-listed": [
    statusMutation(
      201,
      { name: "responds with 201", needs: "a successful call", effect: "responded with 201" },
      { interface: "legacy", operations: ["get", "create", "list", "follow-up", "cancel", "delete"] },
    ),
  ],
  "legacy/conversation-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyConversation,
    sites: inConversations(legacy),
    object: "a conversation",
    needs: aConversation,
  }),
  "legacy/question-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyQuestion,
    sites: inQuestions(legacy),
    object: "a question",
    needs: aQuestion,
  }),
  "legacy/source-fits-schema": schemaMutations({
    schema: legacySchemas.LegacySource,
    sites: inParts("sources"),
    object: "a source",
    needs: "a response with sources",
  }),
  "legacy/turn-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyTurn,
    sites: inParts("turns"),
    object: "a turn",
    needs: "a response with turns",
  }),
  "legacy/stats-are-counts": [
    ...schemaMutations({
      schema: legacySchemas.LegacyStats,
      sites: inMember("stats", inQuestions(legacy)),
      object: "stats",
      needs: "a response with stats",
    }),
    setting(
      ["/time_millis", -1],
      { name: "sends a negative count", needs: "a response with stats", effect: "sent -1 for `time_millis`" },
      inMember("stats", inQuestions(legacy)),
    ),
  ],
  "legacy/time-is-in-milliseconds": [
    setting(
      ["/time_millis", 1_767_607_200_000],
      {
        name: "sends a point in time as `time_millis`",
        needs: "a question with a time above 0 in its stats",
        effect: "sent Unix milliseconds as `time_millis`",
      },
      timedStats,
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
        timedStats,
      ),
      // One millisecond is a million nanoseconds, which is also a plausible time of a slow question.
      isOptional: true,
    },
  ],
  "legacy/error-fits-schema": schemaMutations({
    schema: legacySchemas.LegacyError,
    sites: inMember("error", inQuestions(legacy)),
    object: "an error",
    needs: failed,
  }),
  "legacy/error-kind-is-known": [
    setting(
      ["/kind", "NeverSeenBefore"],
      { name: "sends a new kind of error", needs: failed, effect: "sent a new kind of error" },
      inMember("error", inQuestions(legacy)),
    ),
  ],
  "legacy/timestamps-are-utc": [
    ...timeMutations(inConversations(legacy), ["created_at", "updated_at"], aConversation),
    ...timeMutations(inQuestions(legacy), ["created_at", "updated_at"], aQuestion).map((mutation) => ({
      ...mutation,
      name: `${mutation.name} in a question`,
    })),
    ...timeMutations(
      inMember("quota_usage", inConversations(reads)),
      ["reset_time"],
      "a conversation that is read",
    ).map((mutation) => ({ ...mutation, isOptional: true as const })),
    setting(
      ["/reset_time", "1970-01-01T01:00:00Z"],
      {
        name: "sends a duration as `reset_time`",
        needs: "a conversation that is read",
        isOptional: true,
        effect: "sent `reset_time` an hour after 1970",
      },
      inMember("quota_usage", inConversations(reads)),
    ),
    setting(
      ["/reset_time", "0001-01-01T00:00:00Z"],
      {
        name: "sends a `reset_time` in the year 1",
        needs: "a conversation that is read",
        isOptional: true,
        effect: "sent a `reset_time` in the year 1",
      },
      inMember("quota_usage", inConversations(reads)),
    ),
    shiftedTimes("legacy"),
  ],
  "legacy/viewer-on-retrieval": [
    removing(
      "/viewer",
      { name: "leaves out `viewer`", needs: "a conversation that is read", effect: "left out `viewer`" },
      inConversations(reads),
    ),
    ...schemaMutations({
      schema: legacySchemas.LegacyViewer,
      sites: inMember("viewer", inConversations(reads)),
      object: "`viewer`",
      needs: "a conversation that is read",
    }),
  ],
  "legacy/quota-usage-on-retrieval": [
    removing(
      "/quota_usage",
      { name: "leaves out `quota_usage`", needs: "a conversation that is read", effect: "left out `quota_usage`" },
      inConversations(reads),
    ),
    ...schemaMutations({
      schema: legacySchemas.LegacyQuotaUsage,
      sites: inMember("quota_usage", inConversations(reads)),
      object: "`quota_usage`",
      needs: "a conversation that is read",
    }),
  ],
  "legacy/owner-is-viewer": [
    setting(
      ["/is_owner", false],
      {
        name: "does not recognise the creator as the owner",
        needs: "a conversation that its creator reads",
        effect: "sent `is_owner` false to the user who created the conversation",
      },
      inMember("viewer", inConversations(reads)),
    ),
    setting(
      ["/is_owner", true],
      {
        name: "recognises another user as the owner",
        needs: "a conversation that another user lists by its read token",
        isOptional: true,
        effect: "sent `is_owner` true to a user who did not create the conversation",
      },
      inMember(
        "viewer",
        inConversations({
          interface: "legacy",
          operations: ["list"],
          isAbout: ({ call }) => call.record.credential === "other-token",
        }),
      ),
    ),
  ],
  "legacy/user-id-is-the-owner": [
    setting(
      ["/user_id", 4711],
      {
        name: "sends another `user_id`",
        needs: "a conversation that is created and read",
        effect: "sent another `user_id` than in the response to the creation",
      },
      inConversations(reads),
    ),
  ],
  "legacy/share-url-holds-read-token": [
    setting(
      ["/share_url", "not a URL"],
      { name: "sends text that is not a URL", needs: aConversation, effect: "sent words as `share_url`" },
      inConversations(legacy),
    ),
    setting(
      ["/share_url", "https://search.example.com/deepsearch/another"],
      { name: "leaves the token out of the URL", needs: aConversation, effect: "sent a `share_url` of another token" },
      inConversations(legacy),
    ),
    setting(
      ["/read_token", ""],
      { name: "sends an empty token", needs: aConversation, effect: "sent an empty `read_token`" },
      inConversations(legacy),
    ),
    setting(
      ["/share_url", ""],
      { name: "sends an empty URL", needs: aConversation, effect: "sent an empty `share_url`" },
      inConversations(legacy),
    ),
  ],
  "legacy/share-url-is-absolute": [
    siteMutation(
      {
        name: "sends a relative URL",
        needs: aConversation,
        effect: "sent `share_url` without its host",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/share_url`, pathOf(stringMember(value, "share_url") ?? "")),
      },
      inConversations(legacy),
    ),
  ],
  "legacy/status-is-listed": [
    setting(
      ["/status", "failed"],
      { name: "sends a status that is not listed", needs: aQuestion, effect: "sent the status `failed`" },
      inQuestions(legacy),
    ),
  ],
  "legacy/created-in-progress": [
    setting(
      ["/status", "completed"],
      {
        name: "shows a new question as completed",
        needs: "a successful creation",
        effect: "sent a new question as completed",
      },
      newQuestions,
    ),
  ],
  "legacy/new-question-has-turns": [
    removing(
      "/turns",
      {
        name: "leaves out the turns",
        needs: "a successful creation",
        effect: "left the turns of a new question out",
      },
      newQuestions,
    ),
    setting(
      ["/turns", []],
      { name: "sends no turn", needs: "a successful creation", effect: "sent a new question without a turn" },
      newQuestions,
    ),
  ],
  "legacy/stats-are-zero-while-processing": [
    ...gateMutations("stats-are-zero-while-processing"),
    removing(
      "/stats",
      { name: "creates a question without stats", needs: "a successful creation", effect: "left out the stats" },
      newQuestions,
    ),
  ],
  "legacy/no-answer-while-processing": gateMutations("no-answer-while-processing"),
  "legacy/followups-null-while-processing": gateMutations("followups-null-while-processing"),
  "legacy/completed-question-is-filled": [
    ...gateMutations("completed-question-is-filled"),
    removing(
      "/title",
      {
        name: "removes the title when a completed question is cancelled",
        isOptional: true,
        needs: "a completed question that is cancelled, and read again",
        effect: "left the title out of a question that was completed before it was cancelled",
      },
      afterCancelling("legacy", (answers) =>
        inQuestions(answers, ({ status, facts }) => status === "completed" && facts.has("answer")),
      ),
    ),
  ],
  "legacy/failed-question-is-completed": [
    setting(
      ["/status", "processing"],
      {
        name: "leaves a failed question in progress",
        needs: failed,
        effect: "sent `processing` for a question with an error",
      },
      inQuestions(legacy, ({ facts }) => facts.has("error")),
    ),
  ],
} as const satisfies MutationsByRule;
