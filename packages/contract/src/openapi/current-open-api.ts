import { currentSchemas } from "./current-schemas.ts";
import type { CurrentSchemaName } from "./current-schemas.ts";
import type { OpenApiDocument } from "./open-api-document.ts";
import { ref } from "./schema-words.ts";

const security = [{ accessToken: ["externalapi:read"] }, { accessToken: ["externalapi:write"] }] as const;

const anyBody = { "*/*": { schema: ref("CurrentUndocumentedBody") } } as const;

const refusals = {
  "4XX": { description: "Refused; the body is not documented.", content: anyBody },
  "5XX": { description: "The service failed; the body is not documented.", content: anyBody },
} as const;

const json = <const Name extends CurrentSchemaName>(name: Name) =>
  ({ "application/json": { schema: ref(name) } }) as const;

const answers = <const Name extends CurrentSchemaName>(name: Name) =>
  ({ "200": { description: "Success.", content: json(name) }, ...refusals }) as const;

const undocumented = { "200": { description: "Success.", content: anyBody }, ...refusals } as const;

const jsonBody = <const Name extends CurrentSchemaName>(name: Name) =>
  ({ required: true, description: "The request.", content: json(name) }) as const;

/**
 * The current conversation interface as an OpenAPI document, for targets that serve none. The specification shows few
 * of the messages; the others follow real instances. Source: conversation-api, sections 2.4, 3.2, 4.2, 5 and 7.
 */
export const currentOpenApi = {
  openapi: "3.1.0",
  info: {
    title: "Conversations, current interface",
    version: "1.0.0",
    description: "Asks questions about code.",
  },
  servers: [
    {
      url: "{base_url}",
      variables: { base_url: { default: "https://search.example", description: "Address of the instance." } },
    },
  ],
  paths: {
    "/api/deepsearch.v1.Service/CreateConversation": {
      post: {
        operationId: "CreateConversation",
        "x-assay-operation": "create",
        summary: "Begin a conversation.",
        description: "Answers at once, with the conversation in progress; the answer is polled for.",
        security,
        parameters: [],
        requestBody: jsonBody("CurrentCreateRequest"),
        responses: answers("CurrentConversationAnswer"),
      },
    },
    "/api/deepsearch.v1.Service/GetConversation": {
      post: {
        operationId: "GetConversation",
        "x-assay-operation": "get",
        summary: "Get a conversation.",
        description: "With its state and its questions as they stand.",
        security,
        parameters: [],
        requestBody: jsonBody("CurrentNameRequest"),
        responses: answers("CurrentConversationAnswer"),
      },
    },
    "/api/deepsearch.v1.Service/ListConversationSummaries": {
      post: {
        operationId: "ListConversationSummaries",
        "x-assay-operation": "list",
        summary: "List conversations.",
        description: "Page by page, without state and questions.",
        security,
        parameters: [],
        requestBody: jsonBody("CurrentListRequest"),
        responses: answers("CurrentConversationList"),
      },
    },
    "/api/deepsearch.v1.Service/AddConversationQuestion": {
      post: {
        operationId: "AddConversationQuestion",
        "x-assay-operation": "follow-up",
        summary: "Ask a further question.",
        description: "Answers at once, with the conversation in progress again.",
        security,
        parameters: [],
        requestBody: jsonBody("CurrentFollowUpRequest"),
        responses: answers("CurrentFollowUpAnswer"),
      },
    },
    "/api/deepsearch.v1.Service/CancelConversation": {
      post: {
        operationId: "CancelConversation",
        "x-assay-operation": "cancel",
        summary: "Cancel a conversation that is processing.",
        description: "The body of the answer is not documented.",
        security,
        parameters: [],
        requestBody: jsonBody("CurrentNameRequest"),
        responses: undocumented,
      },
    },
    "/api/deepsearch.v1.Service/DeleteConversation": {
      post: {
        operationId: "DeleteConversation",
        "x-assay-operation": "delete",
        summary: "Delete a conversation.",
        description: "The body of the answer is not documented.",
        security,
        parameters: [],
        requestBody: jsonBody("CurrentNameRequest"),
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
        description: "An access token with a scope of the external API. How it is written is not documented.",
      },
    },
    schemas: currentSchemas,
  },
} as const satisfies OpenApiDocument;
