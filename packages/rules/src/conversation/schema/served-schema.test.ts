import { describeApi, pinnedApi } from "@assay/openapi";
import { defined, currentOpenApi } from "@assay/contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { ApiDescription } from "@assay/openapi";
import { conversationRules } from "../../all-rules.ts";
import type { ReferenceContent, ReferenceResponse } from "../engine/reference-response.ts";
import { judgeConversations } from "../engine/judge-conversations.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";

const base = "http://code.example";

/** What both rules about the schema say: whether it was looked at, and codes with arguments. */
function said(reference: readonly ReferenceResponse[], api?: ApiDescription, name: "legacy" | "current" = "current") {
  const { outcomes } = judgeConversations({
    rules: conversationRules.filter(({ id }) => id.startsWith("current/openapi-schema-")),
    target: { access: "private", sharing: "undeclared" },
    calls: recordedCalls([{ interface: name, operation: "list", answer: {} }]),
    reference,
    ...defined({ api }),
  });
  const of = (id: "current/openapi-schema-is-served" | "current/openapi-schema-describes-operations") => {
    const { observations = 0, findings = [] } = outcomes.get(id) ?? {};
    return [observations, ...findings.map(({ code, argument, message }) => `${code} ${argument ?? ""}: ${message}`)];
  };
  return {
    served: of("current/openapi-schema-is-served"),
    describes: of("current/openapi-schema-describes-operations"),
  };
}

const at = (path: string, content: ReferenceContent): ReferenceResponse => ({
  exchange: path,
  url: `${base}${path}`,
  content,
});
const page = (links: number, isOpen = false) => at("/api-reference", { kind: "page", links, isOpen });
const gone = at("/openapi.json", { kind: "missing", status: 404 });
const other = at("/openapi.json", { kind: "none", reason: "it has no member `openapi`" });
const closed = at("/openapi.json", { kind: "unclear", reason: "status 401" });
const document = at("/openapi.json", { kind: "document" });

describe("a schema is served", () => {
  test.each<{ name: string; reference: readonly ReferenceResponse[]; served: readonly unknown[] }>([
    { name: "at once", reference: [at("/api-reference", { kind: "document" })], served: [1] },
    { name: "behind a page", reference: [page(1, true), document], served: [1] },
    { name: "by the second link", reference: [page(2), gone, document], served: [1] },
    {
      name: "not at all",
      reference: [at("/api-reference", { kind: "missing", status: 404 })],
      served: [1, expect.stringMatching(/^missing : nothing was found at \/api-reference/u)],
    },
    {
      name: "no more",
      reference: [page(1), gone],
      served: [1, expect.stringMatching(/^missing : nothing was found at \/openapi\.json/u)],
    },
    { name: "by no link", reference: [page(0)], served: [1, expect.stringMatching(/^no-link /u)] },
    {
      name: "as something else",
      reference: [at("/api-reference", { kind: "none", reason: "it is cut off" })],
      served: [1, expect.stringMatching(/^no-schema .*: it is cut off$/u)],
    },
    { name: "as something else, by the first link", reference: [page(2), other], served: [1, expect.anything()] },
    {
      name: "behind a sign-in",
      reference: [at("/api-reference", { kind: "unclear", reason: "status 401" })],
      served: [0],
    },
    {
      name: "elsewhere",
      reference: [at("/api-reference", { kind: "unclear", reason: "status 302" }), gone],
      served: [0],
    },
    { name: "by a script", reference: [page(0, true)], served: [0] },
    {
      name: "not by a script that names a dead address",
      reference: [page(1, true), gone],
      served: [1, "missing : nothing was found at /openapi.json, where an OpenAPI schema should be (status 404)"],
    },
    { name: "by a script that names one dead address of two", reference: [page(2, true), gone], served: [0] },
    {
      name: "not by a page that fails twice",
      reference: [at("/api-reference", { kind: "missing", status: 500 })],
      served: [1, "missing : /api-reference, where an OpenAPI schema should be, returned 500 twice"],
    },
    { name: "by a link that was not followed", reference: [page(2), gone], served: [0] },
    { name: "by a link behind a sign-in", reference: [page(2), gone, closed], served: [0] },
    {
      name: "by a link to another page",
      reference: [page(1), at("/docs", { kind: "page", links: 0, isOpen: false })],
      served: [0],
    },
    {
      name: "by what was named",
      reference: [at("/of-somebody/openapi.json", { kind: "missing", status: 404 })],
      served: [0],
    },
  ])("$name", ({ reference, served }) => {
    expect(said(reference).served).toEqual(served);
  });

  test("is no matter of the legacy interface", () => {
    expect(said([page(0)], undefined, "legacy").served).toEqual([0]);
  });
});

describe("a schema describes the operations", () => {
  const paths = Object.entries(currentOpenApi.paths);
  const described = async (change: (path: string, item: unknown) => readonly (readonly [string, unknown])[]) => {
    const api = await describeApi(
      { ...currentOpenApi, paths: Object.fromEntries(paths.flatMap(([path, item]) => change(path, item))) },
      "served",
    );
    return api.ok ? api.value : pinnedApi();
  };
  const found = [at("/api-reference", { kind: "document" })] as const;
  let whole: ApiDescription;
  beforeAll(async () => {
    whole = await described((path, item) => [[path, item]]);
  });

  test("of which it has all", () => {
    expect(said(found, whole).describes).toEqual([6]);
  });

  test("and what was named by hand is not looked at", () => {
    expect([said([], whole).describes, said(found, pinnedApi()).describes]).toEqual([[0], [0]]);
  });

  test("of which one is missing", async () => {
    const api = await described((path, item) => (path.endsWith("/CancelConversation") ? [] : [[path, item]]));
    expect(said(found, api).describes).toEqual([
      6,
      "lacks cancel: the OpenAPI schema has no POST /api/deepsearch.v1.Service/CancelConversation",
    ]);
  });

  test("of which one has another method", async () => {
    const api = await described((path, item) =>
      path.endsWith("/GetConversation") ? [[path, { get: Object(item).post }]] : [[path, item]],
    );
    expect(said(found, api).describes).toEqual([6, expect.stringMatching(/^lacks get: .*, but GET \/api/u)]);
  });

  test("which stand below another path", async () => {
    const api = await described((path, item) => [[path.replace("/api/deepsearch.v1.Service", "/deepsearch/v1"), item]]);
    expect(said(found, api).describes).toHaveLength(7);
  });
});

describe("a served schema that describes no operation of the legacy interface", () => {
  const served = async () => {
    const api = await describeApi(currentOpenApi, "served");
    expect(api).toMatchObject({ ok: true, value: { source: "served" } });
    return api.ok ? api.value : pinnedApi();
  };
  const judged = async (answer: unknown) => {
    const { outcomes } = judgeConversations({
      rules: conversationRules.filter(({ id }) => id === "legacy/responses-fit-openapi"),
      target: { access: "private", sharing: "undeclared" },
      calls: recordedCalls([{ interface: "legacy", operation: "list", answer }]),
      api: await served(),
    });
    const { observations = 0, findings = [] } = outcomes.get("legacy/responses-fit-openapi") ?? {};
    return [observations, ...findings.map(({ message }) => message)];
  };

  test("leaves that interface to the one that comes with the tool", async () => {
    expect(await judged([{ id: 1, user_id: "7", questions: [] }])).toEqual([
      1,
      "`/0/user_id` must be integer, according to the OpenAPI document of this project",
      expect.stringMatching(/^the body must be object/u),
    ]);
  });
});

describe("a served schema that gives no verdict on an answer", () => {
  const described = async (members: unknown, more: object = {}) => {
    const json = { "application/json": { schema: { type: "object", properties: members } } };
    const refusal = { "application/json": { schema: { type: "object", properties: { a: { pattern: "(?=x)" } } } } };
    const text = { "application/json": { schema: { type: "object", properties: { total: { type: "integer" } } } } };
    const answers = (content: object) => ({
      200: { description: "d", content },
      400: { description: "d", content: refusal },
    });
    const api = await describeApi(
      {
        openapi: "3.1.0",
        info: { title: "t", version: "1" },
        paths: {
          "/api/deepsearch.v1.Service/GetConversation": { post: { responses: answers(json) } },
          "/api/deepsearch.v1.Service/ListConversationSummaries": { post: { responses: answers(text) } },
        },
        ...more,
      },
      "served",
    );
    return api.ok ? api.value : expect.fail(api.error.message);
  };

  const judged = (api: ApiDescription, got: unknown, listed: unknown = { total: 1 }) => {
    const { outcomes } = judgeConversations({
      rules: conversationRules.filter(({ id }) => id === "current/responses-fit-openapi"),
      target: { access: "private", sharing: "undeclared" },
      calls: recordedCalls([
        { interface: "current", operation: "get", answer: got },
        { interface: "current", operation: "list", answer: listed },
        { interface: "current", operation: "list", status: 400, answer: { a: "b" } },
      ]),
      api,
    });
    const { observations = 0, findings = [], notTested } = outcomes.get("current/responses-fit-openapi") ?? {};
    return { observations, findings: findings.map(({ message }) => message), notTested };
  };

  test.each([
    { name: "a keyword of another draft", schema: { $recursiveRef: "#" }, value: 1, reason: "`$recursiveRef`" },
    {
      name: "a discriminator that names no branch",
      schema: { anyOf: [{ $ref: "#/components/schemas/B" }], discriminator: { propertyName: "b" } },
      value: { b: "C" },
      reason: "`discriminator`",
    },
    {
      name: "an ambiguous dynamic reference",
      schema: { $dynamicRef: "#b" },
      value: 1,
      reason: "`$dynamicRef`",
    },
    { name: "a pattern that is not read", schema: { pattern: "(?=a)" }, value: "a", reason: "cannot be compiled" },
  ])("because of $name is not tested by the other answers", async ({ schema, value, reason }) => {
    const schemas = { B: { type: "object" }, C: { $dynamicAnchor: "b" }, D: { $dynamicAnchor: "b" } };
    const api = await described({ name: { type: "string" }, b: schema }, { components: { schemas } });
    expect(judged(api, { name: "a", b: value })).toEqual({
      observations: 0,
      findings: [],
      notTested: expect.stringContaining(reason),
    });
    expect(api.notes.join()).toContain(reason);
    expect(judged(api, { b: value }, { total: "1" }).findings).toEqual([expect.stringMatching(/^`\/total` must be/u)]);
  });

  test("is tested where the answer does not need the keyword, and where a supported one decides", async () => {
    const api = await described({ name: { type: "string" }, b: { $recursiveRef: "#" } });
    expect(judged(api, { name: "a" })).toEqual({ observations: 2, findings: [], notTested: undefined });
    expect(judged(api, { name: 1, b: 1 })).toMatchObject({ observations: 2, findings: [expect.anything()] });
  });

  test("is tested by what a reference relative to an `$id` leads to", async () => {
    const schemas = { B: { $id: "https://x.example/b", $defs: { c: { $id: "c", type: "string" } }, $ref: "c" } };
    const api = await described({ b: { $ref: "https://x.example/b" } }, { components: { schemas } });
    expect(judged(api, { b: "a" })).toMatchObject({ observations: 2, findings: [] });
    expect(judged(api, { b: 1 })).toMatchObject({ findings: [expect.stringMatching(/^`\/b` must be string/u)] });
  });
});
