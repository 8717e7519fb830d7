import { currentOpenApi } from "@assay/contract";
import { stringMember, wireMember } from "@assay/reading";
import { removeMember, replaceValue } from "@assay/evidence";
import { bodyEdit, schemaMutations, siteMutation } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import {
  accepted,
  inConversations,
  inMember,
  inQuestions,
  noConversation,
  noRead,
  removing,
  setting,
  stateHolders,
} from "./conversation-sites.ts";
import type { Answers } from "./conversation-sites.ts";
import { createdTwice } from "./lists.ts";
import { shiftedTimes } from "./time-mutations.ts";

const current = { interface: "current" } as const satisfies Answers;

const aConversation = "a response with a conversation";

const { schemas: currentSchemas } = currentOpenApi.components;

const states = inMember("state", inConversations(current, stateHolders));

const errors = inMember("error", states);

const answered = inQuestions(current, ({ facts }) => facts.has("answer"));

/** The last questions of completed conversations. */
const lastCompleted = inConversations(current, ({ state, questions }) =>
  questions
    .slice(-1)
    .filter(() => state === "completed")
    .map(({ pointer, json }) => [pointer, json] as const),
);

/** The states in responses to a user who has used up a limit. */
const exceeded = inConversations(
  {
    interface: "current",
    isAbout: ({ call }) => ["quota-token", "entitlement-token"].includes(call.record.credential),
  },
  stateHolders,
);

const stateMutation = (name: string, value: unknown): Mutation =>
  setting(
    ["/state", value],
    { name, needs: "a response with a state", effect: `sent the state \`${JSON.stringify(value)}\`` },
    inConversations(current, stateHolders),
  );

/** Mutations for the rules about responses of the current interface. */
export const currentAnswers = {
  "current/create-is-accepted": [accepted("current", "create"), noConversation("current"), createdTwice("current")],
  "current/get-returns-the-conversation": [accepted("current", "get"), noRead("current")],
  "current/conversation-fits-schema": schemaMutations({
    schema: currentSchemas.CurrentConversation,
    sites: inConversations(current),
    object: "a conversation",
    needs: aConversation,
    except: ["state"],
  }),
  "current/name-is-a-resource-name": [
    setting(
      ["/name", "conversations/5"],
      { name: "leaves the user out of the name", needs: aConversation, effect: "sent the name `conversations/5`" },
      inConversations(current),
    ),
    setting(
      ["/name", "5"],
      { name: "sends the id alone", needs: aConversation, effect: "sent the name `5`" },
      inConversations(current),
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
      sites: errors,
      object: "an error",
      needs: "a conversation that ended with an error",
      except: ["retryTime", "retry_time"],
    }),
    siteMutation(
      {
        name: "leaves out the retry time",
        needs: "a conversation that ended with an error",
        effect: "left the retry time out of an error",
        splice: ({ json, pointer, value }) =>
          removeMember(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? ""}`),
      },
      errors,
    ),
  ],
  "current/error-code-is-listed": [
    setting(
      ["/code", "ERROR_UNKNOWN"],
      {
        name: "sends a code that is not listed",
        needs: "a conversation that ended with an error",
        effect: "sent the code `ERROR_UNKNOWN`",
      },
      errors,
    ),
  ],
  "current/exceeded-limit-has-its-error": [
    {
      name: "sends another error code if a limit is used up",
      needs: "a question of a user who has no quota or entitlement left",
      *edits(evidence) {
        for (const credential of ["quota-token", "entitlement-token"]) {
          const sites = [...inMember("error", inMember("state", exceeded))(evidence)].filter(
            ({ exchange, value }) =>
              exchange.record.credential === credential && stringMember(value, "code") !== undefined,
          );
          // The error may be in the conversation and in its question.
          const exchanges = new Set(sites.map(({ exchange }) => exchange));
          const [first, ...more] = [...exchanges].flatMap((exchange) => {
            const splices = sites
              .filter((site) => site.exchange === exchange)
              .map(({ json, pointer }) => replaceValue(json, `${pointer}/code`, "ERROR_INTERNAL"));
            return [...bodyEdit(exchange, "", splices)].flatMap(({ instead }) => instead);
          });
          if (first !== undefined) {
            yield { effect: "sent the code `ERROR_INTERNAL` although a limit is used up", instead: [first, ...more] };
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
      errors,
    ),
    siteMutation(
      {
        name: "sends a duration as the retry time",
        needs: "a conversation that ended with an error",
        effect: "sent 3600 as the retry time",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? "none"}`, 3600),
      },
      errors,
    ),
  ],
  "current/answer-is-unchanged": [
    setting(
      ["/answer", 42],
      { name: "sends a number as an answer", needs: "a question with an answer", effect: "sent 42 as an answer" },
      answered,
    ),
    siteMutation(
      {
        name: "sends the answer in blocks",
        needs: "a question with an answer",
        effect: "sent an answer as an array of content blocks",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/answer`, [{ markdown: { text: stringMember(value, "answer") ?? "" } }]),
      },
      answered,
    ),
  ],
  "current/created-in-progress": [
    setting(
      ["/state", { completed: {} }],
      {
        name: "shows a new conversation as completed",
        needs: "a successful creation with a state",
        effect: "sent a new conversation as completed",
      },
      inConversations({ interface: "current", operations: ["create", "follow-up"] }, stateHolders),
    ),
  ],
  "current/times-are-utc": [
    shiftedTimes("current"),
    siteMutation(
      {
        name: "sends a retry time in the year 1",
        needs: "a conversation that ended with an error",
        isOptional: true,
        effect: "sent a retry time in the year 1",
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${wireMember(value, "retryTime")?.key ?? "none"}`, "0001-01-01T00:00:00Z"),
      },
      errors,
    ),
  ],
  "current/completed-has-an-answer": [
    removing(
      "/answer",
      {
        name: "completes a conversation without an answer",
        needs: "a completed conversation",
        effect: "left the answer out of a completed conversation",
      },
      lastCompleted,
    ),
  ],
} as const satisfies MutationsByRule;
