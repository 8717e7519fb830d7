import { judgedBy, leftOpen, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

/** Section 2.4: the objects of the current interface. */
export const currentResources: readonly Sentence[] = [
  sentence(
    "conversation-api#2.4.1-names-replace-ids",
    "Where the old interface has numbers to identify things, the new one has resource names.",
    judgedBy("current/name-is-a-resource-name", "migration/id-becomes-name"),
  ),
  sentence(
    "conversation-api#2.4.2-form-of-names",
    "The name of a conversation is made of users, the user, conversations and an id, with slashes in between.",
    judgedBy(
      "current/name-is-a-resource-name",
      "current/name-is-stable",
      "current/other-users-conversation-is-hidden",
      "migration/id-becomes-name",
    ),
  ),
  sentence(
    "conversation-api#2.4.3-self",
    "`users/~self`, taken literally, means the user who is authenticated.",
    judgedBy("current/self-stands-for-the-user", "current/other-users-conversation-is-hidden"),
  ),
  sentence(
    "conversation-api#2.4.4-self-as-parent",
    "That word is what a request gives wherever it has to give a parent.",
    judgedBy("current/create-is-accepted", "current/list-is-accepted"),
  ),
  sentence(
    "conversation-api#2.4.5-name-for-id",
    "A conversation has the string `name` where it used to have `id`.",
    judgedBy("current/conversation-fits-schema", "current/name-is-stable"),
  ),
  sentence(
    "conversation-api#2.4.6-state-for-status",
    "`state` is there where it used to be `status`.",
    judgedBy("current/conversation-fits-schema", "migration/state-follows-status"),
  ),
  sentence(
    "conversation-api#2.4.7-state-is-a-oneof",
    "`state` is an object of one member, whose key says the state.",
    judgedBy("current/state-has-one-key"),
  ),
  sentence(
    "conversation-api#2.4.8-answer",
    "The `answer` of a question is as it was.",
    judgedBy("current/answer-is-unchanged", "migration/answers-agree"),
  ),
  sentence(
    "conversation-api#2.4.9-shape-of-create",
    "The text of a new question stands deep in the request: in a question, in a list of inputs, in a list of questions, in a conversation.",
    judgedBy("current/create-is-accepted", "current/question-text-is-kept"),
  ),
  sentence(
    "conversation-api#2.4.10-full-schemas",
    "The messages of the new interface are not given in full.",
    leftOpen("current/schemas"),
  ),
];
