import { currentOpenApi, currentProcedures, legacyOpenApi, searchStreamOpenApi } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json-object.ts";
import type { ApiDescription } from "./api-description.ts";
import { describeApi, pinnedApi } from "./describe-api.ts";

const legacyPath = "/.api/deepsearch/v1";
const documentWith = (members: JsonObject): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  ...members,
});

const describeOrFail = async (document: JsonObject): Promise<ApiDescription> => {
  const result = await describeApi(document, "served");
  return result.ok ? result.value : expect.fail(result.error.message);
};

const json = (schema: unknown): JsonObject => ({ "application/json": { schema } });

describe("the description of our own documents", () => {
  test("covers every operation of the three interfaces, without a note", () => {
    const api = pinnedApi();
    const conversation = Object.keys(currentProcedures);
    expect(api.operations.map((operation) => `${operation.interface}/${operation.operation}`).sort()).toEqual(
      [
        "stream/search",
        ...["legacy", "current"].flatMap((name) => conversation.map((word) => `${name}/${word}`)),
      ].sort(),
    );
    expect([api.source, api.notes, api.differences, api.otherOperations]).toEqual(["pinned", [], [], []]);
  });

  test.each([
    ["legacy", legacyOpenApi],
    ["current", currentOpenApi],
  ] as const)("agrees with the names that the %s document gives its operations", (name, { paths }) => {
    const named = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.entries<JsonObject>({ ...item }).map(([method, operation]) => {
        return `${String(operation["x-assay-operation"])} ${method.toUpperCase()} ${path}`;
      }),
    );
    const found = pinnedApi().operations.filter((operation) => operation.interface === name);
    expect(found.map(({ operation, method, path }) => `${operation} ${method} ${path}`).sort()).toEqual(named.sort());
  });

  test("is compiled once", () => {
    expect(pinnedApi()).toBe(pinnedApi());
  });

  test.each([
    ["stream", searchStreamOpenApi],
    ["legacy", legacyOpenApi],
    ["current", currentOpenApi],
  ] as const)("does not differ from itself when it is served (%s)", async (name, document) => {
    const api = await describeOrFail(document);
    expect(api.differences).toEqual([]);
    expect(api.operations.map(({ interface: found }) => found)).toEqual(api.operations.map(() => name));
    expect(api.notes.filter((note) => !note.includes("so it was not compared"))).toEqual([]);
  });

  test("judges answers", () => {
    const create = pinnedApi().operation("legacy", "create");
    expect(create?.responseErrors(200, "application/json", { id: "1" })?.map(({ pointer }) => pointer)).toContain(
      "/id",
    );
    expect(create?.responseErrors(429, "text/plain", undefined)).toEqual([]);
    expect(create?.responseErrors(201, "application/json", {})).toBeUndefined();
    expect(pinnedApi().operation("legacy", "search")).toBeUndefined();
  });
});

describe("a served document", () => {
  test("is used although its form is wrong, with a note", async () => {
    const content = json({ type: "integer" });
    const api = await describeOrFail({
      openapi: "3.1.0",
      paths: { [legacyPath]: { post: { responses: { 200: { content } } } } },
    });
    expect(api.notes[0]).toMatch(/^The form of the OpenAPI document is wrong \(not-valid: /);
    expect(api.operation("legacy", "create")?.responseErrors(200, "application/json", "a")).toHaveLength(1);
  });

  test.each([
    ["points outside", { $ref: "http://169.254.169.254/latest" }, "external-reference"],
    ["leads to a file", { $ref: "file:///etc/passwd" }, "external-reference"],
    ["leads nowhere", { $ref: "#/components/schemas/Nowhere" }, "unresolved-reference"],
  ])("is refused when a reference %s", async (_, schema, code) => {
    const paths = { [legacyPath]: { post: { responses: { 200: { description: "d", content: json(schema) } } } } };
    expect(await describeApi(documentWith({ paths }), "served")).toMatchObject({ ok: false, error: { code } });
  });

  test("has a deadline", async () => {
    expect(await describeApi(documentWith({ paths: {} }), "served", { deadlineMs: 1 })).toMatchObject({
      error: { code: "deadline-exceeded" },
    });
  });

  test("is not compared when it is pinned", async () => {
    const paths = { [legacyPath]: { post: { responses: { 200: { description: "d" } } } } };
    const pinned = await describeApi(documentWith({ paths }), "pinned");
    const served = await describeApi(documentWith({ paths }), "served");
    expect(pinned).toMatchObject({ value: { source: "pinned", differences: [], notes: [] } });
    expect(served).toMatchObject({
      value: { source: "served", differences: expect.arrayContaining([expect.anything()]) },
    });
  });
});
