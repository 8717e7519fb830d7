import { describe, expect, test } from "vitest";
import { allRequirements } from "../requirements/all-requirements.ts";
import type { RequirementId } from "../requirements/requirement-id.ts";
import {
  currentPath,
  currentProcedures,
  errorCodes,
  legacyPath,
  listParameters,
  sortOrders,
  statsMembers,
} from "../vocabulary.ts";
import { currentOpenApi } from "./current-open-api.ts";
import { currentSchemas } from "./current-schemas.ts";
import { legacyOpenApi } from "./legacy-open-api.ts";
import { legacySchemas } from "./legacy-schemas.ts";
import type { JsonSchema, OpenApiDocument } from "./open-api-document.ts";

const conversationRequirements = allRequirements.filter(({ specification }) => specification === "conversation-api");

const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]: readonly [string, NonNullable<typeof item.get>]) => ({
      path,
      method,
      operation,
    })),
  );

const signatures = (document: OpenApiDocument): readonly string[] =>
  operationsOf(document).map(
    ({ path, method, operation }) => `${operation["x-assay-operation"]}: ${method} ${path} as ${operation.operationId}`,
  );

describe.each([
  { name: "legacy", document: legacyOpenApi, schemas: legacySchemas, prefix: "Legacy" },
  { name: "current", document: currentOpenApi, schemas: currentSchemas, prefix: "Current" },
])("the $name OpenAPI document", ({ document, schemas, prefix }) => {
  const serialised = JSON.stringify(document);

  test("refers only to its own schemas, and to all except those for single rules", () => {
    const targets = new Set([...serialised.matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)].map(([, to]) => to));
    const known = Object.keys(schemas);
    expect([...targets].filter((target) => target === undefined || !known.includes(target))).toEqual([]);
    const single = known.filter((schema) => !targets.has(schema));
    expect(
      single.filter((schema) => !/^(Legacy(Conversation|Question)|Current(Conversation|State|Error))$/.test(schema)),
    ).toEqual([]);
  });

  test("has schemas with its own prefix and with a description", () => {
    const rows: readonly (readonly [string, JsonSchema])[] = Object.entries(schemas);
    expect(rows.filter(([schema]) => !schema.startsWith(prefix))).toEqual([]);
    expect(rows.filter(([, { description = "" }]) => description.length < 10)).toEqual([]);
  });

  test("never forbids unlisted members", () => {
    expect(serialised).not.toContain('"additionalProperties":false');
    expect(serialised).not.toContain("unevaluatedProperties");
  });

  test("permits every refusal and every failure with any body", () => {
    const anyBody = { "*/*": { schema: { $ref: `#/components/schemas/${prefix}UndocumentedBody` } } };
    const bodies = operationsOf(document).flatMap(({ operation }) => [
      operation.responses["4XX"]?.content,
      operation.responses["5XX"]?.content,
    ]);
    expect(bodies).toEqual(Array.from({ length: 12 }, () => anyBody));
  });

  test("requires one access token in `Authorization`", () => {
    const { accessToken } = document.components.securitySchemes;
    expect([accessToken.type, accessToken.in, accessToken.name]).toEqual(["apiKey", "header", "Authorization"]);
    const schemes = operationsOf(document).flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    expect(new Set(schemes)).toEqual(new Set(["accessToken"]));
  });

  test("has a parameter for exactly the placeholders of a path", () => {
    const wrong = operationsOf(document).filter(({ path, operation }) => {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join() !== inPath.join();
    });
    expect(wrong).toEqual([]);
  });
});

describe("the legacy OpenAPI document", () => {
  test("has the six operations", () => {
    expect(signatures(legacyOpenApi)).toEqual([
      `create: post ${legacyPath} as createConversation`,
      `list: get ${legacyPath} as listConversations`,
      `get: get ${legacyPath}/{id} as getConversation`,
      `delete: delete ${legacyPath}/{id} as deleteConversation`,
      `follow-up: post ${legacyPath}/{id}/questions as addQuestion`,
      `cancel: post ${legacyPath}/{id}/questions/{qid}/cancel as cancelQuestion`,
    ]);
  });

  test("demands `X-Requested-With` everywhere", () => {
    const headers = operationsOf(legacyOpenApi).map(({ operation }) =>
      operation.parameters
        .filter((parameter) => parameter.in === "header" && parameter.required)
        .map(({ name }) => name),
    );
    expect(headers).toEqual(Array.from({ length: 6 }, () => ["X-Requested-With"]));
  });

  test("lists with the parameters of the vocabulary, all optional", () => {
    const { parameters } = legacyOpenApi.paths[legacyPath].get;
    const query = parameters.filter((parameter) => parameter.in === "query");
    expect(query.map(({ name }) => name)).toEqual(listParameters);
    expect(query.filter(({ required }) => required)).toEqual([]);
    const sort: JsonSchema | undefined = query.find(({ name }) => name === "sort")?.schema;
    expect([sort?.enum, sort?.default]).toEqual([sortOrders, "-updated_at"]);
  });

  test("has one body for both codes of success", () => {
    const differing = operationsOf(legacyOpenApi).filter(
      ({ operation }) =>
        JSON.stringify(operation.responses["200"]?.content) !== JSON.stringify(operation.responses["202"]?.content),
    );
    expect(differing).toEqual([]);
  });

  test("describes all stats of the vocabulary, as counts", () => {
    const stats: JsonSchema = legacySchemas.LegacyStats;
    expect(Object.keys(stats.properties ?? {})).toEqual(statsMembers);
    expect(
      new Set(Object.values(stats.properties ?? {}).map(({ type, minimum }) => `${String(type)} ${minimum}`)),
    ).toEqual(new Set(["integer 0"]));
  });

  test.each([
    ["LegacyConversation", "LegacyConversationAnswer"],
    ["LegacyQuestion", "LegacyQuestionAnswer"],
  ] as const)("demands the same members in %s and in %s", (shallow, deep) => {
    expect(legacySchemas[deep].required).toEqual(legacySchemas[shallow].required);
    expect(Object.keys(legacySchemas[deep].properties)).toEqual(Object.keys(legacySchemas[shallow].properties));
  });

  test.each([
    ["2.1", "LegacyConversation"],
    ["2.1", "LegacyViewer"],
    ["2.1", "LegacyQuotaUsage"],
    ["2.2", "LegacyQuestion"],
    ["2.2", "LegacySource"],
    ["2.2", "LegacyTurn"],
    ["2.3", "LegacyStats"],
    ["7", "LegacyError"],
  ] as const)("has a sentence in section %s for each member of %s", (section, name) => {
    const texts = conversationRequirements.filter((sentence) => sentence.section === section).map(({ text }) => text);
    const members = Object.keys(legacySchemas[name].properties);
    expect(members.filter((member) => !texts.some((text) => text.includes(`\`${member}\``)))).toEqual([]);
  });
});

describe("the current OpenAPI document", () => {
  test("has the procedures of the vocabulary, each a POST", () => {
    expect(signatures(currentOpenApi)).toEqual(
      Object.entries(currentProcedures).map(
        ([operation, procedure]) => `${operation}: post ${currentPath}/${procedure} as ${procedure}`,
      ),
    );
  });

  test("requires any scope of the external API", () => {
    const needs = operationsOf(currentOpenApi).map(({ operation }) => operation.security);
    const either = [{ accessToken: ["externalapi:read"] }, { accessToken: ["externalapi:write"] }];
    expect(needs).toEqual(Array.from({ length: 6 }, () => either));
  });

  test("requires no header", () => {
    expect(operationsOf(currentOpenApi).flatMap(({ operation }) => operation.parameters)).toEqual([]);
  });

  test("closes the lists of states and of codes", () => {
    const { CurrentListedState, CurrentListedError } = currentSchemas;
    expect(CurrentListedState.oneOf.map(({ required }) => required)).toEqual([
      ["processing"],
      ["completed"],
      ["error"],
      ["canceled"],
    ]);
    expect(CurrentListedError.properties.code.enum).toEqual(errorCodes);
    const texts = conversationRequirements.filter(({ section }) => section === "7").map(({ text }) => text);
    expect(errorCodes.filter((code) => !texts.some((text) => text.startsWith(code)))).toEqual([]);
  });

  test("has both spellings of every response member of two words", () => {
    const answers = [
      "CurrentConversation",
      "CurrentConversationAnswer",
      "CurrentQuestion",
      "CurrentError",
      "CurrentListedError",
      "CurrentConversationList",
      "CurrentConversationSummary",
      "CurrentListRequest",
    ] as const;
    const names = answers.flatMap((schema) =>
      Object.keys(currentSchemas[schema].properties).map((name) => ({ schema, name })),
    );
    const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const camel = names.filter(({ name }) => /[A-Z]/.test(name));
    expect(camel.length).toBeGreaterThan(10);
    expect(
      camel.filter(({ schema, name }) => !Object.keys(currentSchemas[schema].properties).includes(snake(name))),
    ).toEqual([]);
  });
});

const statsSentences = Object.fromEntries(
  statsMembers.flatMap((name) => [
    [`LegacyStats.${name}`, "conversation-api#2.3.3-members"],
    [`LegacyStats.${name} minimum`, "conversation-api#2.3.1-counts"],
  ]),
);

const ofConversation = (schema: string): Readonly<Record<string, RequirementId>> => ({
  [`${schema}.id`]: "conversation-api#2.1.1-id",
  [`${schema}.questions`]: "conversation-api#2.1.2-questions",
  [`${schema}.created_at`]: "conversation-api#2.1.3-created-at",
  [`${schema}.updated_at`]: "conversation-api#2.1.4-updated-at",
  [`${schema}.user_id`]: "conversation-api#2.1.5-user-id",
  [`${schema}.read_token`]: "conversation-api#2.1.6-read-token",
  [`${schema}.share_url`]: "conversation-api#2.1.8-share-url",
});

const ofQuestion = (schema: string): Readonly<Record<string, RequirementId>> => ({
  [`${schema}.id`]: "conversation-api#2.2.1-id",
  [`${schema}.conversation_id`]: "conversation-api#2.2.2-conversation-id",
  [`${schema}.question`]: "conversation-api#2.2.3-question",
  [`${schema}.created_at`]: "conversation-api#2.2.4-created-at",
  [`${schema}.updated_at`]: "conversation-api#2.2.5-updated-at",
  [`${schema}.status`]: "conversation-api#2.2.6-status",
});

/** The requirement behind each required response member, and behind each value that is narrower than its type. */
const demanded: Readonly<Record<string, string>> = {
  ...ofConversation("LegacyConversation"),
  ...ofConversation("LegacyConversationAnswer"),
  "LegacyViewer.is_owner": "conversation-api#2.1.9-viewer",
  "LegacyQuotaUsage.total_quota": "conversation-api#2.1.10-quota-usage",
  "LegacyQuotaUsage.quota_limit": "conversation-api#2.1.10-quota-usage",
  "LegacyQuotaUsage.reset_time": "conversation-api#2.1.10-quota-usage",
  ...ofQuestion("LegacyQuestion"),
  ...ofQuestion("LegacyQuestionAnswer"),
  "LegacySource.type": "conversation-api#2.2.14-source-type",
  "LegacySource.link": "conversation-api#2.2.15-source-link",
  "LegacySource.link pattern": "conversation-api#2.2.15-source-link",
  "LegacySource.label": "conversation-api#2.2.16-source-label",
  "LegacyTurn.reasoning": "conversation-api#2.2.17-turn-reasoning",
  "LegacyTurn.timestamp": "conversation-api#2.2.18-turn-timestamp",
  "LegacyTurn.timestamp maximum": "conversation-api#2.2.18-turn-timestamp",
  "LegacyTurn.role": "conversation-api#2.2.19-turn-role",
  ...statsSentences,
  "LegacyError.title": "conversation-api#7.10-error-members",
  "LegacyError.kind": "conversation-api#7.10-error-members",
  "LegacyError.message": "conversation-api#7.10-error-members",
  "LegacyError.details": "conversation-api#7.10-error-members",
  "CurrentConversation.name": "conversation-api#2.4.5-name-for-id",
  "CurrentConversationAnswer.name": "conversation-api#2.4.5-name-for-id",
  "CurrentError.code": "conversation-api#7.13-error-state",
  "CurrentError.message": "conversation-api#7.13-error-state",
  "CurrentListedError.code": "conversation-api#7.13-error-state",
  "CurrentListedError.code enum": "conversation-api#7.14-internal",
  "CurrentListedError.message": "conversation-api#7.13-error-state",
  // An answer keeps its text in every form.
  "CurrentMarkdown.text": "conversation-api#2.4.8-answer",
};

const narrowing = ["pattern", "const", "enum", "format", "minimum", "maximum", "minLength", "maxLength", "minItems"];

describe("the demands of response schemas", () => {
  // Request schemas are not part of responses.
  const answers = Object.entries<JsonSchema>({ ...legacySchemas, ...currentSchemas }).filter(
    ([name]) => !/Request$|^Current(?:New|Input|QuestionText)/u.test(name),
  );
  const found = answers.flatMap(([name, { properties = {}, required = [] }]) => [
    ...required.map((member) => `${name}.${member}`),
    ...Object.entries(properties).flatMap(([member, schema]) =>
      narrowing.filter((word) => Object.hasOwn(schema, word)).map((word) => `${name}.${member} ${word}`),
    ),
  ]);

  test("each have a requirement", () => {
    expect(found.toSorted()).toEqual(Object.keys(demanded).toSorted());
    const known = new Set<string>(conversationRequirements.map(({ id }) => id));
    expect(Object.values(demanded).filter((id) => !known.has(id))).toEqual([]);
  });
});
