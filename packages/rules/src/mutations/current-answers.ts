import { currentOpenApi } from "@assay/contract";
import { stringMember, wireMember } from "@assay/reading";
import { removeMember, replaceValue } from "@assay/evidence";
import { editBody, schemaMutations, siteMutation } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import {
  refusalMutation,
  conversationSites,
  memberSites,
  questionSites,
  emptyCreationMutation,
  emptyReadMutation,
  removeValueMutation,
  setValueMutation,
  findStateHolders,
} from "./conversation-sites.ts";
import type { ResponseSelection } from "./conversation-sites.ts";
import { duplicateCreationMutation } from "./lists.ts";
import { localTimesMutation } from "./time-mutations.ts";

const currentInterface = { interface: "current" } as const satisfies ResponseSelection;

const needsConversation = "a response with a conversation";

const { schemas: currentSchemas } = currentOpenApi.components;

const stateSites = memberSites("state", conversationSites(currentInterface, findStateHolders));

const errorSites = memberSites("error", stateSites);

const answeredQuestionSites = questionSites(currentInterface, ({ facts }) => facts.has("answer"));

/** The last questions of completed conversations. */
const lastCompletedQuestionSites = conversationSites(currentInterface, ({ state, questions }) =>
  questions
    .slice(-1)
    .filter(() => state === "completed")
    .map(({ pointer, json }) => [pointer, json] as const),
);

/** The states in responses to a user who has used up a limit. */
const exceededLimitSites = conversationSites(
  {
    interface: "current",
    appliesTo: ({ call }) => ["quota-token", "entitlement-token"].includes(call.record.credential),
  },
  findStateHolders,
);

const stateMutation = (name: string, value: unknown): Mutation =>
  setValueMutation(
    ["/state", value],
    { name, needs: "a response with a state", effect: `sent the state \`${JSON.stringify(value)}\`` },
    conversationSites(currentInterface, findStateHolders),
  );

/** Mutations for the rules about responses of the current interface. */
export const currentAnswerMutations = {
  "current/create-is-accepted": [
    refusalMutation("current", "create"),
    emptyCreationMutation("current"),
    duplicateCreationMutation("current"),
  ],
  "current/get-returns-the-conversation": [refusalMutation("current", "get"), emptyReadMutation("current")],
  "current/conversation-fits-schema": schemaMutations({
    schema: currentSchemas.CurrentConversation,
    sites: conversationSites(currentInterface),
    objectName: "a conversation",
    needs: needsConversation,
    ignoredMembers: ["state"],
  }),
  "current/name-is-a-resource-name": [
    setValueMutation(
      ["/name", "conversations/5"],
      { name: "leaves the user out of the name", needs: needsConversation, effect: "sent the name `conversations/5`" },
      conversationSites(currentInterface),
    ),
    setValueMutation(
      ["/name", "5"],
      { name: "sends the id alone", needs: needsConversation, effect: "sent the name `5`" },
      conversationSites(currentInterface),
    ),
  ],
  "current/state-has-one-key": [
    stateMutation("sends the state as text", "processing"),
    stateMutation("sends a state without a key", {}),
    stateMutation("sends a state with two keys", { processing: {}, completed: {} }),
    stateMutation("sends a state whose key has no object", { processing: true }),
  ],
  "current/state-is-listed": [stateMutation("sends a state that is not listed", { pending: {} })],
  "current/error-has-its-members": [
    ...schemaMutations({
      schema: currentSchemas.CurrentError,
      sites: errorSites,
      objectName: "an error",
      needs: "a conversation that ended with an error",
      ignoredMembers: ["retryTime", "retry_time"],
    }),
    siteMutation(
      {
        name: "leaves out the retry time",
        needs: "a conversation that ended with an error",
        effect: "left the retry time out of an error",
        splice: ({ json, pointer, value }) =>
          removeMember(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? ""}`),
      },
      errorSites,
    ),
  ],
  "current/error-code-is-listed": [
    setValueMutation(
      ["/code", "ERROR_UNKNOWN"],
      {
        name: "sends a code that is not listed",
        needs: "a conversation that ended with an error",
        effect: "sent the code `ERROR_UNKNOWN`",
      },
      errorSites,
    ),
  ],
  "current/exceeded-limit-has-its-error": [
    {
      name: "sends another error code if a limit is used up",
      needs: "a question of a user who has no quota or entitlement left",
      *edits(evidence) {
        for (const credential of ["quota-token", "entitlement-token"]) {
          const sites = [...memberSites("error", memberSites("state", exceededLimitSites))(evidence)].filter(
            ({ exchange, value }) =>
              exchange.record.credential === credential && stringMember(value, "code") !== undefined,
          );
          // The error may be in the conversation and in its question.
          const exchanges = new Set(sites.map(({ exchange }) => exchange));
          const [first, ...more] = [...exchanges].flatMap((exchange) => {
            const splices = sites
              .filter((site) => site.exchange === exchange)
              .map(({ json, pointer }) => replaceValue(json, `${pointer}/code`, "ERROR_INTERNAL"));
            return [...editBody(exchange, "", splices)].flatMap(({ replacements }) => replacements);
          });
          if (first !== undefined) {
            yield {
              effect: "sent the code `ERROR_INTERNAL` although a limit is used up",
              replacements: [first, ...more],
            };
          }
        }
      },
    },
  ],
  "current/retry-time-is-a-timestamp": [
    siteMutation(
      {
        name: "sends words as the retry time",
        needs: "a conversation that ended with an error",
        effect: "sent `soon` as the retry time",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? "none"}`, "soon"),
      },
      errorSites,
    ),
    siteMutation(
      {
        name: "sends a duration as the retry time",
        needs: "a conversation that ended with an error",
        effect: "sent 3600 as the retry time",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? "none"}`, 3600),
      },
      errorSites,
    ),
  ],
  "current/answer-is-unchanged": [
    setValueMutation(
      ["/answer", 42],
      { name: "sends a number as an answer", needs: "a question with an answer", effect: "sent 42 as an answer" },
      answeredQuestionSites,
    ),
    siteMutation(
      {
        name: "sends the answer in blocks",
        needs: "a question with an answer",
        effect: "sent an answer as an array of content blocks",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/answer`, [{ markdown: { text: stringMember(value, "answer") ?? "" } }]),
      },
      answeredQuestionSites,
    ),
  ],
  "current/created-in-progress": [
    setValueMutation(
      ["/state", { completed: {} }],
      {
        name: "shows a new conversation as completed",
        needs: "a successful creation with a state",
        effect: "sent a new conversation as completed",
      },
      conversationSites({ interface: "current", operations: ["create", "follow-up"] }, findStateHolders),
    ),
  ],
  "current/times-are-utc": [
    localTimesMutation("current"),
    siteMutation(
      {
        name: "sends a retry time in the year 1",
        needs: "a conversation that ended with an error",
        isOptional: true,
        effect: "sent a retry time in the year 1",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? "none"}`, "0001-01-01T00:00:00Z"),
      },
      errorSites,
    ),
  ],
  "current/completed-has-an-answer": [
    removeValueMutation(
      "/answer",
      {
        name: "completes a conversation without an answer",
        needs: "a completed conversation",
        effect: "left the answer out of a completed conversation",
      },
      lastCompletedQuestionSites,
    ),
  ],
} as const satisfies MutationsByRule;
