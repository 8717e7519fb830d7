import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type { CredentialKind, ExchangeDraft, HeaderField, RecordedExchange } from "@assay/evidence";
import { conversationRules } from "@assay/rules";
import type { ConversationRule } from "@assay/rules";
import { describe, expect, test } from "vitest";
import { judgeExchanges } from "./judge-exchanges.ts";
import type { JudgeInput } from "./judge-exchanges.ts";
import { findServedApi } from "./served-api.ts";

const base = "https://search.example.com";

interface Sketch {
  readonly interface?: "legacy" | "current" | "reference";
  readonly operation?: ExchangeDraft["operation"];
  readonly credential?: CredentialKind;
  readonly status?: number;
  readonly body?: string;
  readonly type?: string;
  readonly end?: ExchangeDraft["end"];
  readonly headers?: readonly HeaderField[];
}

let next = 0;

const usual: Required<Sketch> = {
  interface: "legacy",
  operation: "list",
  credential: "access-token",
  status: 200,
  body: "[]",
  type: "application/json",
  end: { kind: "complete" },
  headers: [],
};

/** A list of the user's conversations by default. */
function call(sketch: Sketch = {}): RecordedExchange {
  const { interface: name, operation, credential, status, body, type, end, ...rest } = { ...usual, ...sketch };
  next += 1;
  const url = name === "reference" ? `${base}/api-reference` : `${base}/.api/deepsearch/v1`;
  const headers = [["x-requested-with", "test 1"]] as const;
  return recordDraft({
    id: String(10_000 + next),
    probe: "list",
    interface: name,
    operation,
    credential,
    request: { method: "GET", url, headers },
    ...(end.kind === "failed"
      ? {}
      : {
          response: {
            status,
            headers: [["content-type", type], ...rest.headers],
            chunks: [{ bytes: Buffer.from(body), atMicros: next * 1000 + 500 }],
          },
        }),
    end,
    times: { sentAtMicros: next * 1000, endedAtMicros: next * 1000 + 500 },
  });
}

const judged = (exchanges: readonly RecordedExchange[], other: Partial<JudgeInput> = {}, rules?: readonly RuleId[]) =>
  judgeExchanges({
    exchanges,
    settings: {
      rules: rules ?? ruleIds.filter((id) => id.startsWith("legacy/")),
      mustTest: [],
      strict: false,
      access: "private",
    },
    tool: { name: "assay", version: "0" },
    run: { id: "r", startedAt: "", target: base, embedded: false, profile: "gate", seed: 1, strict: false },
    ...other,
  });

const outcomeOf = (result: ReturnType<typeof judged>, rule: RuleId) =>
  result.verdicts.find((verdict) => verdict.rule === rule)?.verdict;

describe("a server error", () => {
  const anonymous = (status: number) => call({ credential: "none", status, body: "Please sign in." });

  test("each time that a token is missing is a failure, and none of the transport", () => {
    const result = judged([call(), anonymous(500), anonymous(500), call()]);
    expect(outcomeOf(result, "legacy/missing-token-is-refused")).toMatchObject({ outcome: "failed" });
    expect([result.exitCode, result.incomplete]).toEqual([1, []]);
  });

  test("that comes once leaves the run incomplete", () => {
    const result = judged([call(), anonymous(500), anonymous(401), call()]);
    expect(outcomeOf(result, "legacy/missing-token-is-refused")).toMatchObject({ outcome: "passed" });
    expect([result.exitCode, result.incomplete.map(({ code }) => code)]).toEqual([3, ["transport"]]);
  });
});

describe("an interface that never answered in its own way", () => {
  const broken = { kind: "failed", code: "reset", message: "the connection was reset" } as const;

  test.each<{ name: string; sketch: Sketch; code: string; says: RegExp }>([
    {
      name: "is not found",
      sketch: { status: 404, body: "no" },
      code: "not-the-api",
      says: /with status 404.*--inter/u,
    },
    {
      name: "is a web page",
      sketch: { body: "<!doctype html>", type: "text/html" },
      code: "not-the-api",
      says: /a web page/u,
    },
    { name: "redirects", sketch: { status: 302 }, code: "not-the-api", says: /a redirection/u },
    { name: "refuses the token", sketch: { status: 401 }, code: "authentication-refused", says: /status 401/u },
    { name: "is in distress", sketch: { status: 503 }, code: "transport", says: /status 503/u },
    { name: "breaks off", sketch: { end: broken }, code: "transport", says: /was reset/u },
  ])("because it $name leaves the run incomplete and breaks no rule", ({ sketch, code, says }) => {
    const result = judged([call(sketch), call(sketch)]);
    expect(result).toMatchObject({ outcome: "incomplete", exitCode: 3 });
    expect(result.incomplete[0]).toMatchObject({ code, message: expect.stringMatching(says) });
    expect([result.counts.failed, result.counts.passed]).toEqual([0, 0]);
  });

  test("does not matter if no rule is about it", () => {
    const result = judged([call({ interface: "current", status: 404 }), call()]);
    expect(result.incomplete.map(({ message }) => message).join()).not.toContain("current");
  });

  test("is there when one call shows it, and what bad credentials meet shows nothing of it", () => {
    expect(judged([call({ status: 404 }), call()]).incomplete).toEqual([]);
    const onlyBad = judged([call({ status: 404, credential: "invalid-token" }), call({ status: 404 })]);
    expect(onlyBad.incomplete[0]?.code).toBe("not-the-api");
  });
});

describe("a call that was asked to come back later", () => {
  test.each([
    { name: "costs nothing when it is answered then", statuses: [503, 200], reasons: 0 },
    { name: "leaves the run incomplete when it is not", statuses: [503, 503], reasons: 1 },
    { name: "leaves the run incomplete when it was not sent again", statuses: [503], reasons: 1 },
  ])("as the target was busy, $name", ({ statuses, reasons }) => {
    const busy = { headers: [["Retry-After", "0"]] } as const;
    const { incomplete } = judged([
      call(),
      ...statuses.map((status) => call({ status, ...(status === 503 ? busy : {}) })),
    ]);
    expect(incomplete.filter(({ code }) => code === "transport")).toHaveLength(reasons);
  });

  test("costs nothing by itself", () => {
    const messages = judged([call({ status: 429 }), call()]).incomplete.map(({ message }) => message);
    expect(messages.filter((message) => message.includes("the target answered with status"))).toEqual([]);
  });

  test("is not the same as one that failed", () => {
    expect(judged([call({ status: 500 }), call()]).incomplete[0]?.message).toContain("status 500");
  });
});

describe("a rule about conversations that throws", () => {
  const throws: ConversationRule = {
    needs: "conversations",
    id: "legacy/list-parameters-are-accepted",
    check() {
      throw new Error("a bug");
    },
  };
  const others = conversationRules.filter(({ id }) => id !== throws.id);

  test("is a bug of the harness, reported by name, and does not affect the others", () => {
    const result = judged([call()], { conversationRules: [throws, ...others] });
    expect([result.outcome, result.exitCode]).toEqual(["harness-error", 70]);
    expect(result.summary).toContain(`the rule ${throws.id} failed: a bug`);
    expect(outcomeOf(result, throws.id)).toMatchObject({ outcome: "blocked" });
    expect(outcomeOf(result, "legacy/success-status-is-listed")).toMatchObject({ outcome: "passed" });
  });
});

describe("a run that asked nothing", () => {
  const settings = {
    rules: ruleIds,
    mustTest: ["legacy/create-is-accepted"],
    strict: false,
    access: "private",
  } as const;

  test("says why of each rule about conversations that only an answer shows, and of no other", () => {
    const result = judged([call()], { settings: { ...settings, noQuestionsReason: "nobody may ask" } });
    expect(outcomeOf(result, "legacy/create-is-accepted")).toEqual({
      outcome: "not-applicable",
      reason: "nobody may ask",
    });
    expect(outcomeOf(result, "legacy/success-status-is-listed")).toMatchObject({ outcome: "passed" });
    expect(outcomeOf(result, "stream/two-fields")).toEqual({
      outcome: "not-tested",
      reason: "no response showed it; choose a `--query` that finds at least 20 lines",
    });
    expect(result.incomplete.map(({ code }) => code)).not.toContain("must-test");
  });

  test("would be incomplete for the same rule otherwise", () => {
    expect(judged([call()], { settings }).incomplete.map(({ code }) => code)).toContain("must-test");
  });
});

test("conversations left on the target change the exit code", () => {
  const result = judged([call()], { cleanupFailure: "legacy conversation 7: deleting it was not answered" });
  expect([result.outcome, result.exitCode]).toEqual(["cleanup-incomplete", 6]);
});

describe("the served OpenAPI document", () => {
  const specification = JSON.stringify({ openapi: "3.1.0", info: { title: "t", version: "1" }, paths: {} });
  const reference = (body: string, other: Sketch = {}): RecordedExchange =>
    call({ interface: "reference", operation: "describe", credential: "none", body, ...other });

  test("is the first that is one", async () => {
    const page = reference("<a href='/openapi.json' download>x</a>", { type: "text/html" });
    const served = await findServedApi([call(), page, reference(specification), reference("{}")]);
    expect(served).toMatchObject({ address: `${base}/api-reference`, notes: [] });
    expect(served.api?.source).toBe("served");
  });

  test("is the same again for the same bytes", async () => {
    const [first, second] = [
      await findServedApi([reference(specification)]),
      await findServedApi([reference(specification)]),
    ];
    expect(second.api).toBe(first.api);
    expect(second.sha256).toMatch(/^[0-9a-f]{64}$/u);
  });

  test.each<{ name: string; exchange: RecordedExchange; says: string }>([
    { name: "is none", exchange: reference("{}"), says: "openapi" },
    { name: "is not found", exchange: reference("no", { status: 404 }), says: "status 404" },
    {
      name: "never came",
      exchange: reference("", { end: { kind: "failed", code: "reset", message: "it broke off" } }),
      says: "it broke off",
    },
  ])("that $name is a note", async ({ exchange, says }) => {
    const { api, notes } = await findServedApi([exchange]);
    expect([api, notes]).toEqual([undefined, [expect.stringContaining(says)]]);
  });

  test("is reported only if conversations were judged", async () => {
    const api = await findServedApi([reference(specification)]);
    expect(judged([reference(specification)], { api }).openapi).toBeUndefined();
    const shown = judged([reference(specification), call()], { api }).openapi;
    expect(shown).toMatchObject({ source: "served", address: `${base}/api-reference` });
    expect(judged([call()]).openapi?.notes.at(-1)).toContain("the one that comes with the tool judged");
    expect(judged([call()]).openapi?.unseen).toContain("legacy create: never asked");
  });
});
