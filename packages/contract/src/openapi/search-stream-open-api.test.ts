import { describe, expect, test } from "vitest";
import { allSentences } from "../sentences/all-sentences.ts";
import { eventNames, matchTypes, searchParameters, searchPath } from "../vocabulary.ts";
import type { JsonSchema } from "./open-api-document.ts";
import { searchStreamOpenApi } from "./search-stream-open-api.ts";

const searchStreamSentences = allSentences.filter(({ document }) => document === "search-stream");

const operation = searchStreamOpenApi.paths[searchPath].get;
const { schemas, securitySchemes } = searchStreamOpenApi.components;
const serialised = JSON.stringify(searchStreamOpenApi);

describe("the OpenAPI document", () => {
  test("has the parameters of the vocabulary, in order", () => {
    expect(operation.parameters.map(({ name }) => name)).toEqual(searchParameters);
  });

  test.each([
    ["q", true, "string", undefined],
    ["v", false, "string", "V3"],
    ["t", false, "string", "standard"],
    ["max-line-len", false, "integer", -1],
    ["cm", false, "boolean", false],
    ["display", false, "integer", -1],
    ["cl", false, "integer", 1],
  ])("says of the parameter %s that required is %s, its type %s and its default %s", (...row) => {
    const [name, required, type, value] = row;
    const parameter = operation.parameters.find((candidate) => candidate.name === name);
    const schema: JsonSchema | undefined = parameter?.schema;
    expect(parameter?.required).toBe(required);
    expect([schema?.type, schema?.default]).toEqual([type, value]);
  });

  test("has the data of every listed event", () => {
    expect(Object.keys(operation.responses["200"].content["text/event-stream"]["x-event-data"])).toEqual(eventNames);
  });

  test("has a schema for every type of match", () => {
    expect(Object.keys(schemas.Match.discriminator.mapping)).toEqual(matchTypes);
    expect(Object.values(schemas.Match.discriminator.mapping)).toEqual(schemas.Match.oneOf.map(({ $ref }) => $ref));
  });

  test("offers both credentials and none", () => {
    expect(operation.security).toEqual([{ accessToken: ["user:all"] }, { oauthToken: ["user:all"] }, {}]);
    expect(Object.keys(securitySchemes)).toEqual(["accessToken", "oauthToken"]);
  });

  test("refers only to schemas of its own", () => {
    const names = [...serialised.matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    const known = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`));
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => name === undefined || !known.has(name))).toEqual([]);
  });

  test("never closes an object against members it does not list", () => {
    expect(serialised).not.toContain("additionalProperties");
    expect(serialised).not.toContain("unevaluatedProperties");
  });

  test.each([
    ["2.1", "FilterSuggestion", ["value", "label", "count", "exhaustive", "kind"]],
    ["2.2", "Progress", ["done", "repositoriesCount", "matchCount", "durationMs", "skipped", "trace"]],
    [
      "2.3",
      "ContentMatch",
      [
        "type",
        "path",
        "pathMatches",
        "repositoryID",
        "repository",
        "repoStars",
        "repoLastFetched",
        "branches",
        "commit",
        "hunks",
        "lineMatches",
        "language",
      ],
    ],
  ] as const)("lists the fields of section %s in %s, each of which has a sentence", (section, name, fields) => {
    const texts = searchStreamSentences.filter((sentence) => sentence.section === section).map(({ text }) => text);
    expect(Object.keys(schemas[name].properties)).toEqual(fields);
    expect(fields.filter((field) => !texts.some((text) => text.includes(`\`${field}\``)))).toEqual([]);
  });
});
