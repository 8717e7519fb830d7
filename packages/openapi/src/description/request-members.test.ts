import { expect, test } from "vitest";
import type { JsonObject } from "../json-object.ts";
import { listRequestMembers } from "./request-members.ts";

const documentWith = (schema: unknown, schemas: JsonObject = {}): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/api/deepsearch.v1.Service/ListConversationSummaries": {
      post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
    },
  },
  components: { schemas },
});

const page = { type: "object", properties: { page_size: {}, page_token: {} } };

test.each<{ name: string; document: JsonObject; members: readonly string[] | undefined }>([
  { name: "a schema", document: documentWith(page), members: ["page_size", "page_token"] },
  {
    name: "a reference and its siblings",
    document: documentWith(
      { $ref: "#/components/schemas/List" },
      { List: { properties: { parent: {} }, allOf: [{ $ref: "#/components/schemas/Page" }, null] }, Page: page },
    ),
    members: ["parent", "page_size", "page_token"],
  },
  {
    name: "a circle",
    document: documentWith({ $ref: "#/components/schemas/A" }, { A: { allOf: [{ $ref: "#/components/schemas/A" }] } }),
    members: [],
  },
  { name: "no properties", document: documentWith(true), members: [] },
  { name: "no operation", document: { openapi: "3.1.0", paths: [] }, members: undefined },
])("members of a request are read from $name", ({ document, members }) => {
  expect(listRequestMembers(document).get("current/list")).toEqual(members);
});
