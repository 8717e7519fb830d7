import { sortOrders } from "../vocabulary.ts";
import { legacySchemas } from "./legacy-schemas.ts";
import type { LegacySchemaName } from "./legacy-schemas.ts";
import type { OpenApiDocument } from "./open-api-document.ts";
import { ref } from "./schema-words.ts";

const security = [{ accessToken: [] }] as const;

const clientHeader = {
  name: "X-Requested-With",
  in: "header",
  required: true,
  description: "Name and version of the client, with a space in between.",
  schema: { type: "string", pattern: "\\S\\s+\\S", examples: ["assay 0.1.0"] },
} as const;

const conversationId = {
  name: "id",
  in: "path",
  required: true,
  description: "The conversation.",
  schema: { type: "integer" },
} as const;

const questionId = {
  name: "qid",
  in: "path",
  required: true,
  description: "The question.",
  schema: { type: "integer" },
} as const;

const anyBody = { "*/*": { schema: ref("LegacyUndocumentedBody") } } as const;

const refusals = {
  "400": { description: "The request is malformed; the body says why.", content: anyBody },
  "401": { description: "The credential is missing or not valid.", content: anyBody },
  "404": { description: "Not found.", content: anyBody },
  "4XX": { description: "Refused for another reason; the body says why.", content: anyBody },
  "500": { description: "The service failed.", content: anyBody },
  "5XX": { description: "The service failed in another way.", content: anyBody },
} as const;

const json = <const Name extends LegacySchemaName>(name: Name) =>
  ({ "application/json": { schema: ref(name) } }) as const;

/** Both codes of success, with the same body. */
const answers = <const Name extends LegacySchemaName>(name: Name) =>
  ({
    "200": { description: "Success.", content: json(name) },
    "202": { description: "Accepted; the work continues.", content: json(name) },
    ...refusals,
  }) as const;

const undocumented = {
  "200": { description: "Success.", content: anyBody },
  "202": { description: "Accepted; the work continues.", content: anyBody },
  ...refusals,
} as const;

const listQuery = [
  {
    name: "filter_id",
    in: "query",
    required: false,
    description: "Only the conversation of this id.",
    schema: { type: "integer" },
  },
  {
    name: "filter_user_id",
    in: "query",
    required: false,
    description: "Only conversations of this user.",
    schema: { type: "integer" },
  },
  {
    name: "filter_read_token",
    in: "query",
    required: false,
    description: "The conversation of this read token; of another user only where sharing is turned on.",
    schema: { type: "string" },
  },
  {
    name: "filter_is_starred",
    in: "query",
    required: false,
    description: "Only starred conversations, or only those that are not.",
    schema: { type: "boolean" },
  },
  {
    name: "page_first",
    in: "query",
    required: false,
    description: "Maximum number of conversations in a page.",
    schema: { type: "integer" },
  },
  {
    name: "page_after",
    in: "query",
    required: false,
    description: "The cursor after which the page begins.",
    schema: { type: "string" },
  },
  {
    name: "sort",
    in: "query",
    required: false,
    description: "The order; a minus reverses it.",
    schema: { type: "string", enum: sortOrders, default: "-updated_at" },
  },
] as const;

/**
 * The legacy conversation interface as an OpenAPI document, for targets that serve none. Bodies of refusals, and of
 * responses to cancelling and deleting, can be anything. Source: conversation-api, sections 2, 4.1, 5 and 7.
 */
export const legacyOpenApi = {
  openapi: "3.1.0",
  info: {
    title: "Conversations, legacy interface",
    version: "1.0.0",
    description: "Asks questions about code. Deprecated from release 7.0 of the service, and still there.",
  },
  servers: [
    {
      url: "{base_url}",
      variables: { base_url: { default: "https://search.example", description: "Address of the instance." } },
    },
  ],
  paths: {
    "/.api/deepsearch/v1": {
      post: {
        operationId: "createConversation",
        "x-assay-operation": "create",
        summary: "Begin a conversation.",
        description: "Answers at once, with the first question in progress; the answer is polled for.",
        security,
        parameters: [clientHeader],
        requestBody: { required: true, description: "The first question.", content: json("LegacyCreateRequest") },
        responses: answers("LegacyConversationAnswer"),
      },
      get: {
        operationId: "listConversations",
        "x-assay-operation": "list",
        summary: "List conversations.",
        description: "Page by page; the most recently updated first, unless asked for otherwise.",
        security,
        parameters: [clientHeader, ...listQuery],
        responses: answers("LegacyConversationList"),
      },
    },
    "/.api/deepsearch/v1/{id}": {
      get: {
        operationId: "getConversation",
        "x-assay-operation": "get",
        summary: "Get a conversation.",
        description: "With its questions as they stand, its viewer and the usage of the quota.",
        security,
        parameters: [clientHeader, conversationId],
        responses: answers("LegacyConversationAnswer"),
      },
      delete: {
        operationId: "deleteConversation",
        "x-assay-operation": "delete",
        summary: "Delete a conversation.",
        description: "The body of the answer is not documented.",
        security,
        parameters: [clientHeader, conversationId],
        responses: undocumented,
      },
    },
    "/.api/deepsearch/v1/{id}/questions": {
      post: {
        operationId: "addQuestion",
        "x-assay-operation": "follow-up",
        summary: "Ask a further question.",
        description: "Answers at once, with the new question in progress.",
        security,
        parameters: [clientHeader, conversationId],
        requestBody: { required: true, description: "The question.", content: json("LegacyFollowUpRequest") },
        responses: answers("LegacyFollowUpAnswer"),
      },
    },
    "/.api/deepsearch/v1/{id}/questions/{qid}/cancel": {
      post: {
        operationId: "cancelQuestion",
        "x-assay-operation": "cancel",
        summary: "Cancel a question that is processing.",
        description: "Has no body; the body of the answer is not documented.",
        security,
        parameters: [clientHeader, conversationId, questionId],
        responses: undocumented,
      },
    },
  },
  components: {
    securitySchemes: {
      accessToken: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: "The word `token`, a space and an access token with any scopes.",
      },
    },
    schemas: legacySchemas,
  },
} as const satisfies OpenApiDocument;
