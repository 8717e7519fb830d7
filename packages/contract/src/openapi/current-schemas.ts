import { errorCodes } from "../vocabulary.ts";
import type { JsonSchema } from "./open-api-document.ts";
import { listOf, optionalInteger, optionalText, ref, text } from "./schema-words.ts";

const retryTime = {
  type: ["string", "integer", "null"],
  description: "A point in time: as in ISO 8601, or in Unix time. How it is written is not documented.",
} as const;
const open = { description: "Not documented: of any type." } as const;
const name = { type: "string", description: "The resource name, users/<user>/conversations/<id>." } as const;

/** Times of a message, as the service spells them and as its document does. */
const times = { createTime: open, create_time: open, updateTime: open, update_time: open } as const;

const conversationSchemas = {
  CurrentConversation: {
    type: "object",
    description: "A conversation, without the details of its state and its questions.",
    required: ["name"],
    properties: {
      name,
      state: { type: "object" },
      questions: { type: "array" },
      title: open,
      url: open,
      ...times,
    },
  },
  CurrentConversationAnswer: {
    type: "object",
    description: "A conversation with everything in it. The state may be in its questions instead.",
    required: ["name"],
    properties: {
      name,
      state: ref("CurrentListedState"),
      questions: {
        type: ["array", "null"],
        description: "The questions in the order in which they were asked.",
        items: ref("CurrentQuestion"),
      },
      title: open,
      url: open,
      ...times,
    },
  },
  CurrentState: {
    type: "object",
    description: "The single member is the state.",
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: { type: "object" },
  },
  CurrentListedState: {
    type: "object",
    description: "One of the four states; the set is closed.",
    maxProperties: 1,
    oneOf: [
      { required: ["processing"], properties: { processing: { type: "object" } } },
      { required: ["completed"], properties: { completed: { type: "object" } } },
      { required: ["error"], properties: { error: ref("CurrentListedError") } },
      { required: ["canceled"], properties: { canceled: { type: "object" } } },
    ],
  },
  CurrentError: {
    type: "object",
    description: "Why processing failed, whatever the code.",
    required: ["code", "message"],
    properties: { code: text, message: text, retryTime, retry_time: retryTime },
  },
  CurrentListedError: {
    type: "object",
    description: "Why processing failed; the codes are a closed set.",
    required: ["code", "message"],
    properties: {
      code: { type: "string", enum: errorCodes },
      message: text,
      retryTime,
      retry_time: retryTime,
    },
  },
} as const satisfies Record<string, JsonSchema>;

const questionSchemas = {
  CurrentQuestion: {
    type: "object",
    description: "A question and, once there is one, its answer.",
    properties: {
      input: { description: "What was asked. How it is written in answers is not documented." },
      state: ref("CurrentListedState"),
      answer: {
        description: "Markdown, whole or in blocks. Null means the same as leaving it out.",
        anyOf: [text, { type: "array", items: ref("CurrentAnswerBlock") }, { type: "null" }],
      },
      ...times,
    },
  },
  CurrentInput: {
    type: "object",
    description: "A piece of a question. Pieces of other sorts than text may come.",
    properties: { question: ref("CurrentQuestionText") },
  },
  CurrentQuestionText: {
    type: "object",
    description: "Text that was asked.",
    required: ["text"],
    properties: { text },
  },
  CurrentAnswerBlock: {
    type: "object",
    description: "A piece of an answer. Pieces of other sorts than markdown may come.",
    properties: { markdown: ref("CurrentMarkdown") },
  },
  CurrentMarkdown: { type: "object", description: "Text of an answer.", required: ["text"], properties: { text } },
} as const satisfies Record<string, JsonSchema>;

const listSchemas = {
  CurrentConversationList: {
    type: "object",
    description: "A page of summaries. Its members are not documented; these were observed.",
    properties: {
      conversationSummaries: listOf("CurrentConversationSummary"),
      conversation_summaries: listOf("CurrentConversationSummary"),
      nextPageToken: open,
      next_page_token: open,
    },
  },
  CurrentConversationSummary: {
    type: "object",
    description: "A conversation in a list, without state and questions.",
    properties: { name, title: open, url: open, ...times },
  },
} as const satisfies Record<string, JsonSchema>;

const requestSchemas = {
  CurrentCreateRequest: {
    type: "object",
    description: "The question that begins a conversation.",
    required: ["conversation"],
    properties: {
      parent: { type: "string", description: "Whose conversation it will be.", examples: ["users/~self"] },
      conversation: ref("CurrentNewConversation"),
    },
  },
  CurrentNewConversation: {
    type: "object",
    description: "A conversation to create.",
    required: ["questions"],
    properties: { questions: { type: "array", minItems: 1, items: ref("CurrentNewQuestion") } },
  },
  CurrentNewQuestion: {
    type: "object",
    description: "A question to ask.",
    required: ["input"],
    properties: { input: { type: "array", minItems: 1, items: ref("CurrentInput") } },
  },
  CurrentFollowUpRequest: {
    type: "object",
    description: "A further question; `parent` is the name of the conversation.",
    required: ["parent", "question"],
    properties: { parent: name, question: ref("CurrentNewQuestion") },
  },
  CurrentNameRequest: {
    type: "object",
    description: "The conversation.",
    required: ["name"],
    properties: { name },
  },
  CurrentListRequest: {
    type: "object",
    description: "The requested page.",
    properties: {
      parent: { type: "string", description: "Whose conversations to list.", examples: ["users/~self"] },
      pageSize: optionalInteger,
      page_size: optionalInteger,
      pageToken: optionalText,
      page_token: optionalText,
      filters: { type: ["array", "null"], items: { type: "object" } },
    },
  },
} as const satisfies Record<string, JsonSchema>;

const answerSchemas = {
  CurrentFollowUpAnswer: {
    description: "The new question, or the conversation with it; the specification does not say which.",
    anyOf: [ref("CurrentConversationAnswer"), ref("CurrentQuestion")],
  },
  CurrentUndocumentedBody: { description: "A body whose shape is not documented, also an empty one." },
} as const satisfies Record<string, JsonSchema>;

/**
 * Schemas of the current interface. Unlisted members are always permitted, and both spellings of a member are listed.
 * The specification does not show the messages, so they follow real instances and hardly a member is required.
 * `CurrentConversation`, `CurrentState` and `CurrentError` describe one object each, so that each deviation is
 * reported once; `CurrentConversationAnswer` describes everything. Source: conversation-api, sections 2.4, 3.2, 4.2
 * and 7.
 */
export const currentSchemas = {
  ...conversationSchemas,
  ...questionSchemas,
  ...listSchemas,
  ...requestSchemas,
  ...answerSchemas,
} as const satisfies Record<string, JsonSchema>;

/** Name of a schema of the current document. */
export type CurrentSchemaName = keyof typeof currentSchemas;
