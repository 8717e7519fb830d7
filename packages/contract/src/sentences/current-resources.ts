import type { SentenceRows } from "./sentence-row.ts";

/** Section 2.4: the objects of the current interface. */
export const currentResources = {
  "conversation-api#2.4.1-names-replace-ids":
    "Where the old interface has numbers to identify things, the new one has resource names.",
  "conversation-api#2.4.2-form-of-names":
    "The name of a conversation is made of users, the user, conversations and an id, with slashes in between.",
  "conversation-api#2.4.3-self": "`users/~self`, taken literally, means the user who is authenticated.",
  "conversation-api#2.4.4-self-as-parent": "That word is what a request gives wherever it has to give a parent.",
  "conversation-api#2.4.5-name-for-id": "A conversation has the string `name` where it used to have `id`.",
  "conversation-api#2.4.6-state-for-status": "`state` is there where it used to be `status`.",
  "conversation-api#2.4.7-state-is-a-oneof": "`state` is an object of one member, whose key says the state.",
  "conversation-api#2.4.8-answer": "The `answer` of a question is as it was.",
  "conversation-api#2.4.9-shape-of-create":
    "The text of a new question stands deep in the request: in a question, in a list of inputs, in a list of questions, in a conversation.",
  "conversation-api#2.4.10-full-schemas": "The messages of the new interface are not given in full.",
} as const satisfies SentenceRows;
