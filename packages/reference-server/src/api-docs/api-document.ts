import { currentOpenApi, eventNames, legacyOpenApi, searchPath, searchStreamOpenApi } from "@assay/contract";
import type { OpenApiDocument } from "@assay/contract";
import { isPayloadObject } from "../service/payload.ts";
import type { PayloadObject } from "../service/payload.ts";

/** White space as this server trims it from texts; not every reader of patterns counts the last one to `\s`. */
const someText = { pattern: "[^\\s\\uFEFF]" };

/** Numbers that this server takes for one of a conversation, a user or a page. */
const positive = { minimum: 1, maximum: 999_999_999_999_999 };

const conversationName = { pattern: "^users/[^/]+/conversations/[^/]+$" };

const cursor = { pattern: "^[A-Za-z0-9_-]+$" };

/** What is said of parameters, by name, where the documents of the interfaces say nothing: what this server demands, and a query. */
const parameterWords: Readonly<Record<string, PayloadObject>> = {
  // Who makes requests from the document alone finds hardly anything with texts at random.
  q: { examples: ["test"] },
  filter_id: positive,
  filter_user_id: positive,
  page_first: positive,
  page_after: cursor,
};

const lastToken = { pattern: "^[A-Za-z0-9_-]*$" };
const pageSize = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** What is optional may be null, which says the same as leaving it out. */
const optionalText = { type: ["string", "null"] };

/** The same of members of requests. Each spelling of a member excludes the other. */
const requestDemands: Readonly<Record<string, PayloadObject>> = {
  LegacyCreateRequest: { properties: { question: someText } },
  LegacyFollowUpRequest: { properties: { question: someText } },
  CurrentNameRequest: { properties: { name: conversationName } },
  CurrentFollowUpRequest: { properties: { parent: conversationName } },
  CurrentNewConversation: { properties: { questions: { maxItems: 1 } } },
  // One of the blocks at least has to say something.
  CurrentNewQuestion: {
    properties: { input: { contains: { properties: { question: { properties: { text: someText } } } } } },
  },
  CurrentInput: { allOf: [{ required: ["question"] }] },
  CurrentCreateRequest: { properties: { parent: optionalText } },
  CurrentListRequest: {
    properties: {
      parent: optionalText,
      pageSize,
      page_size: pageSize,
      pageToken: lastToken,
      page_token: lastToken,
      filters: {
        items: {
          anyOf: [
            { required: ["contentQuery"], properties: { contentQuery: { type: "string" } } },
            { required: ["content_query"], properties: { content_query: { type: "string" } } },
            { required: ["starred"], properties: { starred: { type: "boolean" } } },
          ],
        },
      },
    },
    allOf: [{ not: { required: ["pageSize", "page_size"] } }, { not: { required: ["pageToken", "page_token"] } }],
  },
};

/** A value with more said about it: objects are put into each other, whatever else stands there is replaced. */
const saying = (value: unknown, more: unknown): unknown =>
  isPayloadObject(value) && isPayloadObject(more)
    ? Object.fromEntries(
        [...new Set([...Object.keys(value), ...Object.keys(more)])].map((name) => [
          name,
          Object.hasOwn(more, name) ? saying(value[name], more[name]) : value[name],
        ]),
      )
    : more;

const eventData =
  searchStreamOpenApi.paths[searchPath].get.responses["200"].content["text/event-stream"]["x-event-data"];

const jsonText = (contentSchema: PayloadObject): PayloadObject => ({
  type: "string",
  contentMediaType: "application/json",
  contentSchema,
});

/**
 * One event, in the form in which OpenAPI 3.2 describes an event stream (`itemSchema`). Version 3.1 says nothing about event
 * streams, and tools that know them take its `schema` for that of each event. Events of other names may come.
 */
const searchEvent: PayloadObject = {
  type: "object",
  description: "One event of the stream.",
  required: ["event", "data"],
  properties: {
    event: {
      type: "string",
      description: "What it is about; names that are not listed may come.",
      examples: eventNames,
    },
    data: jsonText({ description: "Any JSON." }),
  },
  allOf: eventNames.map((name) => ({
    if: { properties: { event: { const: name } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { data: jsonText(eventData[name]) } },
  })),
};

const eventStream = {
  [searchPath]: { get: { responses: { "200": { content: { "text/event-stream": { schema: searchEvent } } } } } },
};

type Operation = Readonly<Record<string, unknown>> & {
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { readonly name: string; readonly schema: PayloadObject }[];
};

/** One document with a name that tells its parts from those of the others. */
interface Part {
  readonly name: string;
  readonly document: OpenApiDocument;
}

const parts: readonly Part[] = [
  { name: "search", document: searchStreamOpenApi },
  { name: "legacy", document: legacyOpenApi },
  { name: "current", document: currentOpenApi },
];

const schemeName = ({ name }: Part, scheme: string): string =>
  `${name}${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`;

/** Security schemes of the parts share names and differ in what they say, so each gets the name of its part in front. */
const schemesOf = (part: Part): PayloadObject =>
  Object.fromEntries(
    Object.entries(part.document.components.securitySchemes).map(([name, scheme]) => [schemeName(part, name), scheme]),
  );

const servedOperation = (part: Part, operation: Operation): Operation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) => ({
    ...parameter,
    schema: { ...parameter.schema, ...parameterWords[parameter.name] },
  })),
  security: operation.security.map((choice) =>
    Object.fromEntries(Object.entries(choice).map(([name, scopes]) => [schemeName(part, name), scopes])),
  ),
});

const pathsOf = (part: Part): PayloadObject =>
  Object.fromEntries(
    Object.entries(part.document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]: readonly [string, Operation]) => [
          method,
          servedOperation(part, operation),
        ]),
      ),
    ]),
  );

const merged = (of: (part: Part) => PayloadObject): PayloadObject =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(of(part))));

/**
 * The OpenAPI document of everything that this server offers; the same on every server, wherever it listens. It describes what the
 * documents of the interfaces do, which judge targets that serve none and promise no more than the API does; of requests it also
 * says what this server refuses.
 */
export const apiDocument: PayloadObject = {
  openapi: "3.1.0",
  info: {
    title: "Code search",
    version: "1.0.0",
    description: "Streaming search and conversations, as the reference server offers them.",
  },
  // Relative to where the document was found.
  servers: [{ url: "/" }],
  paths: saying(merged(pathsOf), eventStream),
  components: {
    securitySchemes: merged(schemesOf),
    schemas: saying(
      merged(({ document }) => document.components.schemas),
      requestDemands,
    ),
  },
};
