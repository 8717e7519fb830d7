import type { ExchangeDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { conversationLimits } from "./conversation-limits.ts";
import type { ConverseOptions } from "./converse.ts";
import { type ServedCall, startConversationServer, testTokens } from "./testing/conversation-server.ts";
import { driveAgainst, realWait, runOnce, senderTo, testRun } from "./testing/driven-run.ts";

const mark = `[assay run=${testRun}]`;

const probesOf = (drafts: readonly ExchangeDraft[], name: string): readonly string[] =>
  drafts.filter((draft) => draft.interface === name).map(({ probe }) => probe);

/** Probes through the interface that did not create the conversation, whose calls fall anywhere between those of that interface. */
const acrossProbes = new Set(["delete-across", "follow-up-across", "two-at-once"]);

/** The distinct probes in the order of their first call, without those across the interfaces. */
const order = (drafts: readonly ExchangeDraft[], name: string): readonly string[] => [
  ...new Set(probesOf(drafts, name).filter((probe) => !acrossProbes.has(probe))),
];

const withProbe = (drafts: readonly ExchangeDraft[], probe: string): readonly ExchangeDraft[] =>
  drafts.filter((draft) => draft.probe === probe);

describe("a run with every rule and every token", () => {
  const all = runOnce();

  test("sends every probe in order, and leaves nothing", async () => {
    const { drafts, end, left } = await all;
    expect(order(drafts, "legacy")).toEqual([
      "create",
      "list-at-work",
      "poll",
      "cancel",
      "cancel-again",
      "delete-at-work",
      "follow-up",
      "follow-up-poll",
      "token-limit",
      "quota",
      "entitlement",
      "parallel-reads",
      "list",
      "list-filter-id",
      "list-filter-user-id",
      "list-filter-read-token",
      "list-starred",
      "list-not-starred",
      "list-page-first",
      "list-sort",
      "list-pages",
      "shared",
      "other-user",
      "migration",
      "missing-token",
      "invalid-token",
      "other-scheme",
      "unscoped-token",
      "read-token",
      "client-header",
      "unknown-id",
      "missing-question",
      "question-no-text",
      "not-json",
      "follow-up-mismatch",
      "cancel-by-others",
      "cancel-late",
      "read-again",
      "cancel-follow-up",
      "delete",
      "read-after-delete",
      "follow-up-after-delete",
    ]);
    expect(order(drafts, "current")).toEqual([
      "create",
      "poll",
      "cancel",
      "cancel-again",
      "delete-at-work",
      "follow-up",
      "follow-up-poll",
      "token-limit",
      "quota",
      "entitlement",
      "parallel-reads",
      "list",
      "list-pages",
      "other-user",
      "migration",
      "missing-token",
      "invalid-token",
      "unscoped-token",
      "read-token",
      "client-header",
      "unknown-id",
      "other-method",
      "missing-question",
      "question-no-text",
      "not-json",
      "read-token-write",
      "write-token",
      "cancel-by-others",
      "cancel-late",
      "read-again",
      "cancel-follow-up",
      "delete",
      "read-after-delete",
      "follow-up-after-delete",
      // Created with the read-only and the write-only token.
      "cleanup",
    ]);
    expect([end.skippedProbes, end.stop, end.distress, end.cleanUp.leftovers, left]).toEqual([
      [],
      undefined,
      undefined,
      [],
      [],
    ]);
  });

  test("asks and deletes through the other interface, and asks two questions at once", async () => {
    const { drafts } = await all;
    for (const name of ["legacy", "current"]) {
      const own = drafts.filter((draft) => draft.interface === name && acrossProbes.has(draft.probe));
      const operations = (probe: string): ReadonlySet<string | undefined> =>
        new Set(own.filter((draft) => draft.probe === probe).map(({ operation }) => operation));
      expect(operations("follow-up-across")).toEqual(new Set(["follow-up", "get"]));
      expect(operations("delete-across")).toEqual(new Set(["delete", "get"]));
      expect(operations("two-at-once")).toEqual(new Set(["follow-up", "get"]));
    }
    const [first, second] = withProbe(drafts, "two-at-once").filter(
      ({ session, interface: name, operation }) =>
        name === "legacy" && session === "legacy-access-token" && operation === "follow-up",
    );
    expect(second?.times.sentAtMicros ?? Number.POSITIVE_INFINITY).toBeLessThan(first?.times.endedAtMicros ?? 0);
  });

  test("records each exchange once, with ascending ids", async () => {
    const { drafts, calls } = await all;
    expect(drafts.length).toBe(calls.length);
    expect(drafts.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(drafts.map((_, index) => index + 1));
  });

  test("reads several conversations concurrently, each in a session of its own", async () => {
    const { drafts } = await all;
    const reads = drafts.filter(({ probe, interface: name }) => probe === "parallel-reads" && name === "legacy");
    const [first] = reads.map(({ times }) => times.endedAtMicros).toSorted((a, b) => a - b);
    expect(new Set(reads.map(({ session }) => session)).size).toBe(3);
    expect(new Set(reads.map(({ request }) => request.url)).size).toBeGreaterThan(1);
    expect(reads.every(({ times }) => times.sentAtMicros < (first ?? 0))).toBe(true);
  });

  test("asks unique questions, each with the mark of the run", async () => {
    const { calls, end } = await all;
    const asked = calls
      .filter(({ user }) => user === "1" || user === "3" || user === "4")
      .map(({ body }) => body)
      .filter((body) => body.includes("assay run="));
    expect(asked.every((body) => body.includes(mark))).toBe(true);
    // One of each interface is refused after the deletion, and returned to the budget. Another user creates a conversation.
    expect([new Set(asked).size, asked.length]).toEqual([asked.length, end.questionsAsked + 2 - 1]);
  });

  test("polls with two concurrent pollers, each with one request at a time", async () => {
    const rules = new Set(["legacy/get-returns-the-conversation"]);
    // Even with slow reads, both have read several times before the question is answered.
    let reads = 0;
    const { drafts } = await runOnce(
      { rules },
      {
        processingMs: () => (reads < 12 ? Number.POSITIVE_INFINITY : 0),
        before: ({ operation }) => void (reads += operation === "get" ? 1 : 0),
      },
    );
    const polls = withProbe(drafts, "poll");
    const [one = [], two = []] = ["legacy-poller-1", "legacy-poller-2"].map((name) =>
      polls.filter(({ session }) => session === name).map(({ times }) => [times.sentAtMicros, times.endedAtMicros]),
    );
    expect([one.length > 1, two.length > 1, one.length + two.length]).toEqual([true, true, polls.length]);
    expect(one.flat()).toEqual(one.flat().toSorted((a, b) => a - b));
    expect(two.flat()).toEqual(two.flat().toSorted((a, b) => a - b));
    expect(two.at(0)![0]).toBeLessThan(one.at(-1)![1]!);
  });

  test("cancels as soon as the creation is answered", async () => {
    const { drafts } = await all;
    const legacy = drafts.filter((draft) => draft.probe === "cancel" && draft.interface === "legacy");
    expect(legacy.map(({ operation }) => operation).slice(0, 3)).toEqual(["create", "cancel", "get"]);
  });

  test("polls a cancelled question that never ends for a few seconds, in both interfaces", async () => {
    const cancelled = new Set<string>();
    const startedMs = performance.now();
    const { drafts } = await runOnce(
      { rules: new Set(["legacy/cancel-is-accepted", "current/cancel-is-accepted"]), wait: realWait },
      {
        after({ operation, interface: name, id, json }, usual) {
          const key = `${name} ${id === "" ? String(json["name"]) : id}`;
          if (operation === "cancel") {
            cancelled.add(key);
          }
          const text = JSON.stringify(usual)
            .replaceAll('"status":"completed"', '"status":"processing"')
            .replaceAll(/"state":\{"\w+":/gu, '"state":{"processing":');
          return operation === "get" && cancelled.has(key) ? { status: 200, json: JSON.parse(text) } : undefined;
        },
      },
    );
    expect(cancelled.size).toBeGreaterThan(1);
    expect(new Set(withProbe(drafts, "cancel").map((draft) => draft.interface)).size).toBe(2);
    // Far less than the question's deadline of five minutes.
    expect(performance.now() - startedMs).toBeLessThan(60_000);
  });

  test("cancels an answered question, and then reads everything again", async () => {
    const { drafts } = await all;
    const late = drafts.flatMap(({ probe }, index) => (probe === "cancel-late" ? [index] : []));
    expect(new Set(late.map((index) => `${drafts[index]?.interface} ${drafts[index]?.credential}`))).toEqual(
      new Set(["current access-token", "legacy access-token"]),
    );
    expect(late.length).toBe(2);
    expect(drafts.slice(late.at(-1)).filter(({ probe }) => probe === "read-again").length).toBeGreaterThan(0);
  });

  test("cancels a follow-up to an answered question, and reads both", async () => {
    const { drafts } = await runOnce({ credentials: new Set() });
    const added = withProbe(drafts, "cancel-follow-up");
    const of = (name: string): readonly string[] =>
      added.flatMap((draft) => (draft.interface === name ? [draft.operation ?? ""] : []));
    // A second one is asked while the first is in progress.
    expect([of("legacy").slice(0, 4), of("current").slice(0, 4)]).toEqual([
      ["follow-up", "follow-up", "cancel", "get"],
      ["follow-up", "follow-up", "cancel", "get"],
    ]);
  });

  test("reads finished conversations through the other interface, as their creator", async () => {
    const { drafts } = await all;
    const migrated = withProbe(drafts, "migration");
    const legacy = migrated.filter((draft) => draft.interface === "legacy");
    expect(legacy.map(({ credential }) => credential)).toEqual([
      "access-token",
      "access-token",
      "access-token",
      "quota-token",
      "entitlement-token",
    ]);
    expect(migrated.map(({ response }) => response?.status)).toEqual(migrated.map(() => 200));
    const names = migrated.filter((draft) => draft.interface === "current").map(({ request }) => request.body);
    expect(names[0]).toMatch(/^\{"name":"users\/~self\/conversations\/\d+"\}$/);
  });

  test("reads pages in the order of ids and stops at the end", async () => {
    const { drafts } = await all;
    const pages = withProbe(drafts, "list-pages").filter((draft) => draft.interface === "legacy");
    const queries = pages.map(({ request }) => new URL(request.url).searchParams);
    expect(queries.map((query) => ["sort", "page_first", "page_after"].map((name) => query.get(name)))).toEqual([
      ["id", "2", null],
      ["id", "2", "2"],
      ["id", "2", "4"],
      // Six conversations, so that the last page is not full.
      ["-id", "4", null],
      ["-id", "4", "4"],
    ]);
  });
});

describe("probes that no selected rule needs are not sent", () => {
  test.each([
    {
      rule: "legacy/unknown-id-is-not-found",
      legacy: ["create", "poll", "list", "unknown-id", "cancel-by-others", "delete", "read-after-delete"],
      current: [],
    },
    {
      rule: "current/scope-is-required",
      legacy: [],
      current: [
        "create",
        "poll",
        "follow-up",
        "follow-up-poll",
        "list",
        "unscoped-token",
        "cancel-by-others",
        "delete",
        "read-after-delete",
        // Created with the token without a scope.
        "cleanup",
      ],
    },
    {
      rule: "legacy/filter-id-filters",
      legacy: ["create", "poll", "cancel", "token-limit", "list", "list-filter-id", "delete", "read-after-delete"],
      current: [],
    },
    { rule: "stream/done-is-last", legacy: [], current: [] },
  ])("for $rule", async ({ rule, legacy, current }) => {
    const { drafts, left } = await runOnce({ rules: new Set([rule]) });
    expect([order(drafts, "legacy"), order(drafts, "current"), left]).toEqual([legacy, current, []]);
  });

  test("and an interface that was not selected gets no calls, not even for migration", async () => {
    const { drafts, left } = await runOnce({ interfaces: new Set(["current"]) });
    expect([probesOf(drafts, "legacy"), order(drafts, "current").includes("migration"), left]).toEqual([[], false, []]);
  });
});

describe("a probe that cannot be sent is recorded", () => {
  test("without further tokens", async () => {
    const { end } = await runOnce({ credentials: new Set() });
    expect(end.skippedProbes.map((skipped) => `${skipped.interface} ${skipped.probe}: ${skipped.reason}`)).toEqual(
      expect.arrayContaining([
        "legacy quota: no quota-token is set",
        "legacy shared: no token for another user is set",
        "current read-token-write: no read-token is set",
      ]),
    );
  });

  test("without any token: only the missing main token", async () => {
    const { drafts, end } = await runOnce({ credentials: new Set(), mainCredential: "none" });
    expect(order(drafts, "legacy")).toEqual(["missing-token", "invalid-token"]);
    expect(end.skippedProbes.find(({ probe }) => probe === "create")?.reason).toBe("no token is set");
  });

  test("and reported to a listener, like each exchange and question", async () => {
    const told: string[] = [];
    const { end, drafts } = await runOnce({
      credentials: new Set(),
      listener: {
        exchangeStarted: () => void told.push("started"),
        exchangeRecorded: () => void told.push("recorded"),
        probeSkipped: ({ id }) => void told.push(`skipped ${id}`),
        questionAsked: (asked, allowed) => void told.push(`asked ${asked} of ${allowed}`),
      },
    });
    const count = (what: string): number => told.filter((line) => line.startsWith(what)).length;
    expect([count("started"), count("recorded")]).toEqual([drafts.length, drafts.length]);
    expect([count("skipped"), count("asked")]).toEqual([end.skippedProbes.length, end.questionsAsked]);
  });

  test("for a missing interface", async () => {
    const { drafts, end } = await runOnce(
      {},
      { before: ({ interface: name }) => (name === "current" ? { status: 404 } : undefined) },
    );
    expect(order(drafts, "current")).toEqual(["create"]);
    expect(
      end.skippedProbes.find((skipped) => skipped.interface === "current" && skipped.probe === "list")?.reason,
    ).toBe("the creation of a conversation returned status 404");
    expect(order(drafts, "legacy")).toContain("delete");
  });
});

describe("the budget of questions", () => {
  test.each([
    { questions: 0, asked: 0 },
    { questions: 1, asked: 1 },
    { questions: 5, asked: 5 },
  ])("of $questions is never exceeded", async ({ questions, asked }) => {
    const { end, calls, left } = await runOnce({
      limits: conversationLimits("local", { questions }),
    });
    expect(end.questionsAsked).toBe(asked);
    expect(calls.filter(({ body }) => body.includes(mark)).length).toBe(asked);
    expect([left, end.skippedProbes.length > 0]).toEqual([[], true]);
  });

  test("of zero allows no writes, not even those that must be refused", async () => {
    const { calls, end } = await runOnce({ limits: conversationLimits("local", { questions: 0 }) });
    expect(new Set(calls.map(({ operation }) => operation))).toEqual(new Set(["list", "get"]));
    expect(end.skippedProbes.find(({ probe }) => probe === "not-json")?.reason).toMatch(/^no questions may be asked/);
  });

  test("is charged before the call, whatever the answer", async () => {
    const options = { limits: conversationLimits("local", { questions: 3 }) };
    const { end, calls } = await runOnce(options, {
      before: ({ operation }) => (operation === "create" ? { status: 500 } : undefined),
    });
    expect([end.questionsAsked, calls.filter(({ body }) => body.includes(mark)).length]).toEqual([3, 3]);
  });
});

describe("a target in distress", () => {
  const asksFor = ({ body }: ServedCall): boolean => body.includes(mark);
  const main: Partial<ConverseOptions> = {
    credentials: new Set(),
    interfaces: new Set(["legacy"]),
  };

  test.each([
    { name: "status 429", twist: { status: 429 } },
    { name: "status 503", twist: { status: 503, json: {} } },
    {
      name: "a quota that is nearly used up",
      twist: { status: 200, json: { quota_usage: { total_quota: 9, quota_limit: 10 } } },
    },
    {
      name: "a quota that is used up",
      twist: { status: 200, json: { state: { error: { code: "ERROR_QUOTA_EXCEEDED" } } } },
    },
    {
      name: "a rate limit",
      twist: { status: 200, json: { questions: [{ error: { kind: "RateLimitExceeded" } }] } },
    },
  ])("by $name gets no further question", async ({ twist }) => {
    const { calls, end, left } = await runOnce(main, {
      before: ({ operation }) => (operation === "get" ? twist : undefined),
    });
    expect(calls.filter(asksFor)).toHaveLength(1);
    expect(end.distress).toBeDefined();
    expect(end.skippedProbes.find(({ probe }) => probe === "cancel")?.reason).toContain(
      "no more questions are asked because",
    );
    expect(left.length + end.cleanUp.leftovers.length).toBe(2 * left.length);
  });

  test.each([
    { name: "a quota without a limit", twist: { total_quota: 900, quota_limit: -1 } },
    { name: "a quota that is far from its limit", twist: { total_quota: 8, quota_limit: 10 } },
    { name: "no numbers", twist: { total_quota: "9", quota_limit: null } },
  ])("is not caused by $name", async ({ twist }) => {
    const { end } = await runOnce(main, {
      after: ({ operation }, usual) =>
        operation === "get" ? { status: 200, json: { ...Object(usual), quota_usage: twist } } : undefined,
    });
    expect([end.distress, end.questionsAsked]).toEqual([undefined, 12]);
  });

  test("is not caused by the quota of another user", async () => {
    const { end } = await runOnce({
      rules: new Set(["current/error-code-is-listed"]),
      interfaces: new Set(["current"]),
    });
    expect(end.questionsAsked).toBe(5);
    expect(end.distress).toBeUndefined();
  });
});

describe("polling", () => {
  const one: Partial<ConverseOptions> = {
    credentials: new Set(),
    interfaces: new Set(["current"]),
    rules: new Set(["current/get-returns-the-conversation"]),
  };

  test("waits for the retry time of a target", async () => {
    let polls = 0;
    const { calls, left } = await runOnce(
      { ...one, wait: realWait },
      {
        before: ({ operation }) =>
          operation === "get" && (polls += 1) === 1 ? { status: 429, headers: { "retry-after": "1" } } : undefined,
      },
    );
    const [first, second] = calls.filter(({ operation }) => operation === "get");
    // A call of the second poller may be in flight already; the next call after it waits.
    const later = calls.find(({ atMs }) => atMs > (second?.atMs ?? 0));
    expect(later!.atMs - first!.atMs).toBeGreaterThan(900);
    expect(left).toEqual([]);
  });

  test("of a question that never ends stops at the deadline, and it is cancelled and deleted", async () => {
    const options = { ...one, limits: conversationLimits("local", { questionDeadlineMs: 300 }) };
    const { calls, end, left } = await runOnce(options, { processingMs: 1_000_000 });
    expect(calls.map(({ operation }) => operation)).toContain("cancel");
    expect([left, end.cleanUp.leftovers]).toEqual([[], []]);
  });

  test.each([
    { name: "unknown states", json: { state: { processing: {}, completed: {} } } },
    { name: "something that is not a conversation", json: [1] },
    { name: "NaN", json: { state: Number.NaN } },
  ])("of $name stops soon", async ({ json }) => {
    const { calls } = await runOnce(one, {
      before: ({ operation }) => (operation === "get" ? { status: 200, json } : undefined),
    });
    expect(calls.filter(({ operation }) => operation === "get").length).toBeLessThan(15);
  });
});

describe("hostile answers", () => {
  const legacy: Partial<ConverseOptions> = {
    credentials: new Set(["other-token"]),
    interfaces: new Set(["legacy"]),
  };
  const allowed = /^\/\.api\/deepsearch\/v1(?:\/-?\d+(?:\/questions(?:\/\d+\/cancel)?)?)?$/;

  test.each(["../../x", "%2e%2e", -1.5, 1e300, 2 ** 53, null, [7]])(
    "an id %j never gets into an address",
    async (id) => {
      const { calls, end } = await runOnce(legacy, {
        after: ({ operation }, usual) =>
          operation === "list" ? undefined : { status: 200, json: { ...Object(usual), id } },
      });
      expect(calls.filter(({ url }) => !allowed.test(url.pathname))).toEqual([]);
      expect(end.stop).toBeUndefined();
    },
  );

  test("a list that never ends is read for 50 pages, one with a repeated cursor only until the repetition", async () => {
    const rules = new Set(["legacy/pages-do-not-overlap"]);
    let page = 0;
    const endless = await runOnce(
      { ...legacy, rules },
      {
        before: ({ url }) =>
          url.searchParams.has("page_first")
            ? { status: 200, json: { conversations: [], next_cursor: `../<b>&${(page += 1)}` } }
            : undefined,
      },
    );
    const walked = withProbe(endless.drafts, "list-pages");
    expect(walked).toHaveLength(50);
    // The length of this list is unknown, so pages of one conversation could be too many.
    expect(new URL(walked[0]!.request.url).searchParams.get("page_first")).toBe("2");
    expect(new URL(walked[1]!.request.url).searchParams.get("page_after")).toBe("../<b>&1");
    const cycle = await runOnce(
      { ...legacy, rules },
      {
        before: ({ url }) => (url.searchParams.has("page_first") ? { status: 200, json: { next: "a" } } : undefined),
      },
    );
    expect(withProbe(cycle.drafts, "list-pages")).toHaveLength(2);
  });

  test("a conversation that does not show our question is not written to and not deleted", async () => {
    const { calls, end, left } = await runOnce(legacy, {
      after: ({ operation }, usual) =>
        operation === "get" || operation === "create"
          ? {
              status: 200,
              json: {
                ...Object(usual),
                questions: [{ id: 5, question: "mine", status: "completed" }],
              },
            }
          : undefined,
    });
    const writes = calls.filter(({ operation }) => ["follow-up", "cancel", "delete"].includes(operation));
    expect(writes).toEqual([]);
    expect(end.cleanUp.leftovers.map(({ reason }) => reason)).toEqual(
      left.map(() => "its questions do not have the mark of the run, so it was not touched"),
    );
  });
});

test.each(["legacy", "current"] as const)("both conversations of one creation are deleted (%s)", async (name) => {
  const planted: number[] = [];
  await using server = await startConversationServer({
    after({ operation, body, user }) {
      const [text] = operation === "create" ? (/[^"]*\[assay run=[^"]*/u.exec(body) ?? []) : [];
      planted.push(...(text === undefined ? [] : [server.plant(text, user)]));
      return undefined;
    },
  });
  // Summaries of the current interface have no questions.
  await driveAgainst(server.url, { rules: new Set([`${name}/create-is-accepted`]), interfaces: new Set([name]) });
  expect([planted.length > 0, [...server.conversations.keys()]]).toEqual([true, []]);
});

test("calls never exceed the rate, whichever component sends them", async () => {
  const slow = conversationLimits("local", { requestsPerSecond: 40 });
  const { calls } = await runOnce({
    limits: slow,
    wait: realWait,
    rules: new Set(["legacy/missing-token-is-refused", "current/missing-token-is-refused", "legacy/sort-is-kept"]),
  });
  const times = calls.map(({ atMs }) => atMs);
  const spanMs = times.at(-1)! - times[0]!;
  expect(calls.length).toBeLessThanOrEqual(40 + spanMs * 0.04 + 1);
});

test("neither the ledger nor messages contain a token", async () => {
  const { end, ledger } = await runOnce({ rules: new Set(["legacy/error-fits-schema"]) });
  const told = JSON.stringify([end, ledger.entries()]);
  expect(Object.values(testTokens).filter((token) => token !== "" && told.includes(token))).toEqual([]);
});

test("the sender gets the signal, the timeout and the session of each call", async () => {
  await using server = await startConversationServer();
  const send = senderTo(server.url);
  const sent: unknown[] = [];
  await driveAgainst(server.url, {
    send: (call) => {
      sent.push([typeof call.totalTimeoutMs, typeof call.session]);
      return send(call);
    },
    rules: new Set(["legacy/create-is-accepted"]),
  });
  expect(new Set(sent.map(String))).toEqual(new Set(["number,string"]));
});

test("a creation without a connection leaves nothing to search for", async () => {
  const { end, drafts } = await driveAgainst("http://127.0.0.1:1", { rules: new Set(["legacy/create-is-accepted"]) });
  expect(drafts.map(({ operation }) => operation)).toContain("create");
  expect(end.cleanUp.leftovers).toEqual([]);
});

test("no call and no wait exceeds the remaining time of the run", async () => {
  await using server = await startConversationServer();
  const send = senderTo(server.url);
  const timeouts: (number | undefined)[] = [];
  await driveAgainst(server.url, {
    send: (call) => {
      timeouts.push(call.totalTimeoutMs);
      return send(call);
    },
    remainingMs: () => 7000,
    cleanUpDeadlineMs: 7000,
    rules: new Set(["legacy/create-is-accepted"]),
  });
  expect(timeouts.length).toBeGreaterThan(0);
  expect(Math.max(...timeouts.map((ms) => ms ?? 0))).toBeLessThanOrEqual(7000);
});
