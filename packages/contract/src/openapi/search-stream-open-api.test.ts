import { describe, expect, test } from "vitest";
import { isUnspecifiedId } from "../unspecified-behaviour.ts";
import type { UnspecifiedId } from "../unspecified-behaviour.ts";
import { allRequirements } from "../requirements/all-requirements.ts";
import type { RequirementId } from "../requirements/requirement-id.ts";
import { eventNames, matchTypes, searchParameters, searchPath } from "../vocabulary.ts";
import type { JsonSchema } from "./open-api-document.ts";
import { searchStreamOpenApi } from "./search-stream-open-api.ts";

const searchStreamRequirements = allRequirements.filter(({ specification }) => specification === "search-stream");

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

  test("refers only to its own schemas", () => {
    const names = [...serialised.matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    const known = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`));
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => name === undefined || !known.has(name))).toEqual([]);
  });

  test("never forbids unlisted members", () => {
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
    const texts = searchStreamRequirements.filter((sentence) => sentence.section === section).map(({ text }) => text);
    expect(Object.keys(schemas[name].properties)).toEqual(fields);
    expect(fields.filter((field) => !texts.some((text) => text.includes(`\`${field}\``)))).toEqual([]);
  });
});

/** The requirement behind each required member, and behind each value that is narrower than its type. */
const demanded: Readonly<Record<string, RequirementId>> = {
  "FilterSuggestion.value": "search-stream#2.1.1-value",
  "FilterSuggestion.value pattern": "search-stream#2.1.1-value",
  "FilterSuggestion.count minimum": "search-stream#2.1.3-count",
  "Progress.repositoriesCount minimum": "search-stream#6.7-progress",
  "Progress.matchCount minimum": "search-stream#6.7-progress",
  "Progress.durationMs minimum": "search-stream#2.2.4-duration-ms",
  "Position.offset minimum": "search-stream#2.3.3-path-matches",
  "Position.line minimum": "search-stream#2.3.3-path-matches",
  "Position.column minimum": "search-stream#2.3.3-path-matches",
  "LineMatch.lineNumber minimum": "search-stream#2.3.11-line-matches",
  "FilterSuggestion.label": "search-stream#2.1.2-label",
  "FilterSuggestion.count": "search-stream#2.1.3-count",
  "FilterSuggestion.exhaustive": "search-stream#2.1.4-exhaustive",
  "FilterSuggestion.kind": "search-stream#2.1.5-kind",
  "Progress.done": "search-stream#2.2.1-done",
  "Progress.matchCount": "search-stream#6.7-progress",
  "Progress.durationMs": "search-stream#6.7-progress",
  "Progress.trace pattern": "search-stream#2.2.6-trace",
  "Skipped.reason": "search-stream#2.2.7-skipped-reason",
  "Skipped.title": "search-stream#2.2.8-skipped-title",
  "Skipped.message": "search-stream#2.2.9-skipped-message",
  "Skipped.severity": "search-stream#2.2.10-skipped-severity",
  "SuggestedQuery.title": "search-stream#2.2.11-skipped-suggested",
  "SuggestedQuery.queryExpression": "search-stream#2.2.11-skipped-suggested",
  "Range.start": "search-stream#2.3.3-path-matches",
  "Range.end": "search-stream#2.3.3-path-matches",
  "Position.offset": "search-stream#2.3.3-path-matches",
  "Position.line": "search-stream#2.3.3-path-matches",
  "Position.column": "search-stream#2.3.3-path-matches",
  "LineMatch.line": "search-stream#2.3.11-line-matches",
  "LineMatch.lineNumber": "search-stream#2.3.11-line-matches",
  "LineMatch.offsetAndLengths": "search-stream#2.3.11-line-matches",
  "ContentMatch.type": "search-stream#2.3.1-type",
  "ContentMatch.type const": "search-stream#2.3.1-type",
  "ContentMatch.path": "search-stream#2.3.2-path",
  "ContentMatch.repositoryID": "search-stream#2.3.4-repository-id",
  "ContentMatch.repository": "search-stream#2.3.5-repository",
  "ContentMatch.repoLastFetched pattern": "search-stream#2.3.7-repo-last-fetched",
  "ContentMatch.commit pattern": "search-stream#2.3.9-commit",
  "ContentMatch.hunks": "search-stream#2.3.10-hunks",
  ...Object.fromEntries(
    ["Match", "PathMatch", "CommitMatch", "DiffMatch", "SymbolMatch", "RepoMatch"].map((name) => [
      `${name}.type`,
      "search-stream#2.3.13-match-types",
    ]),
  ),
  ...Object.fromEntries(
    ["PathMatch", "CommitMatch", "DiffMatch", "SymbolMatch", "RepoMatch"].map((name) => [
      `${name}.type const`,
      "search-stream#2.3.13-match-types",
    ]),
  ),
};

/** Members that may be left out because their subject may be missing; an unspecified behaviour accepts each. */
const optional: Readonly<Record<string, UnspecifiedId>> = {
  "Progress.skipped": "stream/progress-without-skipped",
  "Progress.trace": "stream/null-for-absent",
  "Skipped.suggested": "stream/null-for-absent",
  "ContentMatch.pathMatches": "stream/null-for-absent",
  "ContentMatch.repoStars": "stream/null-for-absent",
  "ContentMatch.repoLastFetched": "stream/null-for-absent",
  "ContentMatch.branches": "stream/null-for-absent",
  "ContentMatch.commit": "stream/null-for-absent",
  "ContentMatch.lineMatches": "stream/null-for-absent",
  "ContentMatch.language": "stream/null-for-absent",
};

const narrowing = ["pattern", "const", "enum", "format", "minimum", "maximum", "minLength", "maxLength"] as const;

describe("the demands of the schemas", () => {
  const named = Object.entries<JsonSchema>(schemas);
  const members = named.flatMap(([name, { properties = {}, required = [] }]) =>
    Object.entries(properties).map(([member, schema]) => ({
      path: `${name}.${member}`,
      isRequired: required.includes(member),
      narrowed: narrowing.filter((word) => Object.hasOwn(schema, word)).map((word) => `${name}.${member} ${word}`),
    })),
  );

  test("each have a requirement", () => {
    const required = members.flatMap(({ path, isRequired, narrowed }) => [...(isRequired ? [path] : []), ...narrowed]);
    expect(required.toSorted()).toEqual(Object.keys(demanded).toSorted());
    const known = new Set<string>(searchStreamRequirements.map(({ id }) => id));
    expect(Object.values(demanded).filter((id) => !known.has(id))).toEqual([]);
  });

  test("do not include optional members", () => {
    // Only a final progress must have it, which this schema of every progress cannot express; a separate rule does.
    const others = members
      .filter(({ isRequired, path }) => !isRequired && path !== "Progress.repositoriesCount")
      .map(({ path }) => path);
    expect(others.toSorted()).toEqual(Object.keys(optional).toSorted());
    expect(Object.values(optional).filter((id) => !isUnspecifiedId(id))).toEqual([]);
  });
});
