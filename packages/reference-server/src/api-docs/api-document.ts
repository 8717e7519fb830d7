import { currentOpenApi, eventNames, legacyOpenApi, searchPath, searchStreamOpenApi } from "@assay/contract";
import type { OpenApiDocument } from "@assay/contract";
import { isPayloadObject } from "../service/payload.ts";
import type { PayloadObject } from "../service/payload.ts";

/** A string that is not only white space. Some regular expression engines do not include U+FEFF in `\s`. */
const nonBlankText = { pattern: "[^\\s\\uFEFF]" };

/** Numbers that this server accepts as an id or a page size. */
const positiveInteger = { minimum: 1, maximum: 999_999_999_999_999 };

const conversationName = { pattern: "^users/[^/]+/conversations/[^/]+$" };

const cursor = { pattern: "^[A-Za-z0-9_-]+$" };

/** Constraints of this server on parameters, which the specification does not describe, and an example query. */
const parameterConstraints: Readonly<Record<string, PayloadObject>> = {
  // Random queries find almost nothing, so clients generated from this document need an example.
  q: { examples: ["test"] },
  filter_id: positiveInteger,
  filter_user_id: positiveInteger,
  page_first: positiveInteger,
  page_after: cursor,
};

const pageToken = { pattern: "^[A-Za-z0-9_-]*$" };
const pageSize = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** Null is equivalent to an absent member. */
const optionalText = { type: ["string", "null"] };

/** Constraints on request members. The two spellings of a member are mutually exclusive. */
const requestConstraints: Readonly<Record<string, PayloadObject>> = {
  LegacyCreateRequest: { properties: { question: nonBlankText } },
  LegacyFollowUpRequest: { properties: { question: nonBlankText } },
  CurrentNameRequest: { properties: { name: conversationName } },
  CurrentFollowUpRequest: { properties: { parent: conversationName } },
  CurrentNewConversation: { properties: { questions: { maxItems: 1 } } },
  // At least one block must have text.
  CurrentNewQuestion: {
    properties: { input: { contains: { properties: { question: { properties: { text: nonBlankText } } } } } },
  },
  CurrentInput: { allOf: [{ required: ["question"] }] },
  CurrentCreateRequest: { properties: { parent: optionalText } },
  CurrentListRequest: {
    properties: {
      parent: optionalText,
      pageSize,
      page_size: pageSize,
      pageToken,
      page_token: pageToken,
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

/** Merges objects deeply. Replaces all other values. */
const mergeDeeply = (value: unknown, overrides: unknown): unknown =>
  isPayloadObject(value) && isPayloadObject(overrides)
    ? Object.fromEntries(
        [...new Set([...Object.keys(value), ...Object.keys(overrides)])].map((name) => [
          name,
          Object.hasOwn(overrides, name) ? mergeDeeply(value[name], overrides[name]) : value[name],
        ]),
      )
    : overrides;

const eventData =
  searchStreamOpenApi.paths[searchPath].get.responses["200"].content["text/event-stream"]["x-event-data"];

const jsonText = (contentSchema: PayloadObject): PayloadObject => ({
  type: "string",
  contentMediaType: "application/json",
  contentSchema,
});

/**
 * The schema of one event, in the form that OpenAPI 3.2 defines for `itemSchema`. Version 3.1 does not cover event streams, but tools that
 * support them use `schema` as the schema of each event. Unlisted events may occur.
 */
const searchEvent: PayloadObject = {
  type: "object",
  description: "One event of the stream.",
  required: ["event", "data"],
  properties: {
    event: {
      type: "string",
      description: "The kind of event. Unlisted names may occur.",
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

/** An OpenAPI document and a name that is unique among the parts. */
interface Part {
  readonly name: string;
  readonly document: OpenApiDocument;
}

const parts: readonly Part[] = [
  { name: "search", document: searchStreamOpenApi },
  { name: "legacy", document: legacyOpenApi },
  { name: "current", document: currentOpenApi },
];

const createSchemeName = ({ name }: Part, scheme: string): string =>
  `${name}${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`;

/** Prefixes the names of security schemes with the name of their part, because parts use the same names for different schemes. */
const prefixSecuritySchemes = (part: Part): PayloadObject =>
  Object.fromEntries(
    Object.entries(part.document.components.securitySchemes).map(([name, scheme]) => [
      createSchemeName(part, name),
      scheme,
    ]),
  );

const toServedOperation = (part: Part, operation: Operation): Operation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) => ({
    ...parameter,
    schema: { ...parameter.schema, ...parameterConstraints[parameter.name] },
  })),
  security: operation.security.map((choice) =>
    Object.fromEntries(Object.entries(choice).map(([name, scopes]) => [createSchemeName(part, name), scopes])),
  ),
});

const toServedPaths = (part: Part): PayloadObject =>
  Object.fromEntries(
    Object.entries(part.document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]: readonly [string, Operation]) => [
          method,
          toServedOperation(part, operation),
        ]),
      ),
    ]),
  );

const mergeParts = (selectObjects: (part: Part) => PayloadObject): PayloadObject =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(selectObjects(part))));

/**
 * The OpenAPI document of this server, which does not depend on its address. Responses are described as in the documents that Assay uses
 * for targets without a document. Requests also have the constraints of this server.
 */
export const apiDocument: PayloadObject = {
  openapi: "3.1.0",
  info: {
    title: "Code search",
    version: "1.0.0",
    description: "Streaming search and conversations, as the reference server offers them.",
  },
  // Relative to the URL of the document.
  servers: [{ url: "/" }],
  paths: mergeDeeply(mergeParts(toServedPaths), eventStream),
  components: {
    securitySchemes: mergeParts(prefixSecuritySchemes),
    schemas: mergeDeeply(
      mergeParts(({ document }) => document.components.schemas),
      requestConstraints,
    ),
  },
};
