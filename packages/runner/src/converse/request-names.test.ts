import { ruleIds } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { currentDialect } from "./current-dialect.ts";
import type { PlainCall } from "./dialect.ts";
import { legacyDialect } from "./legacy-dialect.ts";
import { type RequestNames, recordSpelling, applyRequestNames } from "./request-names.ts";
import { runOnce } from "./testing/driven-run.ts";

const list = currentDialect.list({ size: 2, cursor: "c" });
const sent = (call: PlainCall, names: RequestNames): unknown => JSON.parse(applyRequestNames(call, names).body ?? "");

const inSnake = (json: unknown): object =>
  JSON.parse(JSON.stringify(json).replaceAll("nextPageToken", "next_page_token"));

const name = "users/7/conversations/1";

describe("members of requests of the current interface", () => {
  test.each<{ what: string; call: PlainCall; described: readonly string[]; usesSnakeCase?: boolean; body: object }>([
    { what: "nothing known", call: list, described: [], body: { parent: "users/~self", pageSize: 2, pageToken: "c" } },
    {
      what: "the document",
      call: list,
      described: ["parent", "page_size", "cursor"],
      body: { parent: "users/~self", page_size: 2, cursor: "c" },
    },
    {
      what: "answers with underscores",
      call: list,
      described: [],
      usesSnakeCase: true,
      body: { parent: "users/~self", page_size: 2, page_token: "c" },
    },
    {
      what: "a document that contradicts answers",
      call: list,
      described: ["pageSize", "pageToken"],
      usesSnakeCase: true,
      body: { parent: "users/~self", pageSize: 2, pageToken: "c" },
    },
    { what: "another name", call: currentDialect.get(name), described: ["conversation"], body: { conversation: name } },
  ])("are named after $what", ({ call, described, body, ...spelling }) => {
    expect(sent(call, { describedMembers: new Map([[`current/${call.operation}`, described]]), ...spelling })).toEqual(
      body,
    );
  });

  test("do not change in a creation or in the legacy interface", () => {
    const names = { describedMembers: new Map(), usesSnakeCase: true };
    for (const call of [currentDialect.create("q"), currentDialect.createInvalid("json"), legacyDialect.list()]) {
      expect(applyRequestNames(call, names)).toBe(call);
    }
  });

  test.each<{ json: unknown; usesSnakeCase: boolean | undefined }>([
    { json: { next_page_token: "" }, usesSnakeCase: true },
    { json: { nextPageToken: "", create_time: "" }, usesSnakeCase: false },
    { json: { conversation: { update_time: "" } }, usesSnakeCase: true },
    { json: { createTime: "", create_time: "" }, usesSnakeCase: undefined },
    { json: ["next_page_token"], usesSnakeCase: undefined },
  ])("are spelled as in $json", ({ json, usesSnakeCase }) => {
    const names: RequestNames = { describedMembers: new Map() };
    recordSpelling(names, json);
    expect(names.usesSnakeCase).toBe(usesSnakeCase);
  });

  test.each<{ json: unknown; member: string }>([
    { json: { nextCursor: "c" }, member: "cursor" },
    { json: { next_cursor: "c" }, member: "cursor" },
    { json: { nextPageToken: "c" }, member: "pageToken" },
    { json: { next_page_token: "c" }, member: "page_token" },
    { json: { nextAfter: "c" }, member: "after" },
    { json: { endCursor: "c" }, member: "pageToken" },
  ])("send the cursor of $json in `$member`", ({ json, member }) => {
    const names: RequestNames = { describedMembers: new Map() };
    recordSpelling(names, json);
    expect(sent(list, names)).toHaveProperty(member, "c");
  });

  test("are those of the document, whatever the spelling of answers", () => {
    const names: RequestNames = { describedMembers: new Map([["current/list", ["limit", "after"]]]) };
    recordSpelling(names, { nextCursor: "c" });
    expect(sent(list, names)).toEqual({ parent: "users/~self", limit: 2, after: "c" });
  });

  test("are those of the answers in a run", async () => {
    const { calls } = await runOnce(
      { rules: new Set(ruleIds.filter((id) => id.startsWith("current/"))), credentials: new Set() },
      {
        after: ({ operation }, usual) =>
          operation === "list" ? { status: 200, json: { next_page_token: "", ...inSnake(usual) } } : undefined,
      },
    );
    const sizes = calls.filter(({ operation }) => operation === "list").flatMap(({ json }) => Object.keys(json));
    expect(sizes).toContain("page_size");
    expect(sizes).not.toContain("pageSize");
  });
});
