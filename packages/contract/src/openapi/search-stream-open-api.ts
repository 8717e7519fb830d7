import { patternTypes } from "../vocabulary.ts";
import type { OpenApiDocument } from "./open-api-document.ts";
import { searchStreamSchemas } from "./search-stream-schemas.ts";

/**
 * The endpoint as an OpenAPI document, for targets that serve none. It has only stream responses: status and body of
 * other responses are not documented. Source: search-stream, sections 2, 4, 5 and 6.
 */
export const searchStreamOpenApi = {
  openapi: "3.1.0",
  info: {
    title: "Streaming search",
    version: "1.0.0",
    description: "Searches code and delivers what it finds piece by piece, as events.",
  },
  servers: [
    {
      url: "{base_url}",
      variables: { base_url: { default: "https://search.example", description: "Address of the instance." } },
    },
  ],
  paths: {
    "/.api/search/stream": {
      get: {
        operationId: "search",
        summary: "Run a search.",
        description:
          "A filter `count:<n>` in the query ends the search after n matches, `count:all` makes it exhaustive. Matches, filters and progress come in any order until the final progress; `done` closes the stream.",
        security: [{ accessToken: ["user:all"] }, { oauthToken: ["user:all"] }, {}],
        parameters: [
          {
            name: "q",
            in: "query",
            required: true,
            description: "The query, in the query syntax of the service.",
            schema: { type: "string" },
          },
          {
            name: "v",
            in: "query",
            required: false,
            description: "Version of the query syntax. Naming it is advised.",
            schema: { type: "string", default: "V3" },
          },
          {
            name: "t",
            in: "query",
            required: false,
            description: "Pattern type of the query, unless it has `patternType:`.",
            schema: { type: "string", enum: patternTypes, default: "standard" },
          },
          {
            name: "max-line-len",
            in: "query",
            required: false,
            description:
              "Maximum length of a line in the context of a chunk match; longer ones are cut. -1 means no limit.",
            schema: { type: "integer", default: -1 },
          },
          {
            name: "cm",
            in: "query",
            required: false,
            description: "Whether content matches carry chunk matches.",
            schema: { type: "boolean", default: false },
          },
          {
            name: "display",
            in: "query",
            required: false,
            description:
              "Maximum number of matches to deliver; the search and its statistics continue after that. -1 means no limit.",
            schema: { type: "integer", default: -1 },
          },
          {
            name: "cl",
            in: "query",
            required: false,
            description: "Number of lines before and after a match; only with `cm=true`.",
            schema: { type: "integer", default: 1 },
          },
        ],
        responses: {
          "200": {
            description: "Events of two lines, `event:` and `data:`, separated by blank lines.",
            content: {
              "text/event-stream": {
                schema: { type: "string", description: "The stream as a whole; its parts are in `x-event-data`." },
                "x-event-data": {
                  matches: { $ref: "#/components/schemas/MatchesEvent" },
                  progress: { $ref: "#/components/schemas/ProgressEvent" },
                  filters: { $ref: "#/components/schemas/FiltersEvent" },
                  alert: { $ref: "#/components/schemas/AlertEvent" },
                  done: { $ref: "#/components/schemas/DoneEvent" },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      accessToken: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: "The word `token`, a space and an access token with the scope user:all.",
      },
      oauthToken: { type: "http", scheme: "bearer", description: "An OAuth token with the scope user:all." },
    },
    schemas: searchStreamSchemas,
  },
} as const satisfies OpenApiDocument;
