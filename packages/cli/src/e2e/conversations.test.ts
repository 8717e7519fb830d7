import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth, isProving } from "@assay/tools/proving";
import { legacyOpenApi } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServerEnvironment } from "../serve/server-environment.ts";
import { startAssay } from "../testing/assay-process.ts";
import { askQuestion } from "../testing/ask-question.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost, unhurried } from "../testing/hosted-server.ts";
import type { HostedServer } from "../testing/hosted-server.ts";
import { judgeInProcess, runInProcess, speaking } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();
const both = ["legacy", "current"];

let server: HostedServer;
let env: ReturnType<typeof createServerEnvironment>;

beforeAll(async () => {
  server = await startServer({ repos, vocabulary: "observed", ...unhurried });
  env = createServerEnvironment(server);
});
afterAll(() => server.close());

type TestedRun = typeof runInProcess;

/** One run in this process against the server, about conversations, with every token [without a report]. */
const runWith = (out: string, options: Partial<Parameters<TestedRun>[0]> = {}, run: TestedRun = judgeInProcess) => {
  const { SRC_ENDPOINT: url, ASSAY_ACCESS: access, ASSAY_SHARING: sharing, ...tokens } = env;
  return run({ out: join(cwd, out), url, access, sharing, interface: both, ...options }, tokens);
};

const unseen = ({ verdicts }: Awaited<ReturnType<typeof runWith>>["result"]): readonly string[] =>
  verdicts.filter(({ verdict }) => verdict.outcome !== "passed").map(({ rule }) => rule);

describe("a run about conversations", () => {
  // Later tests use these runs as well.
  test("passes every rule that applies, and leaves nothing behind", async () => {
    const { exitCode, result } = await runWith("all", { profile: "release", strict: true }, runInProcess);
    expect([exitCode, speaking(result), result.incomplete]).toEqual([0, [], []]);
    expect(unseen(result)).toEqual(["legacy/unshared-conversation-is-hidden"]);
    expect(result.openapi).toMatchObject({ source: "served", differences: [] });
    expect(await server.conversationCount()).toBe(0);
  });

  test("judged again gives the same bytes", async () => {
    const folder = join(cwd, "all");
    const { code } = await callAssay(["judge", folder, "--out", join(cwd, "again"), "--json"], { cwd });
    const bytes = (name: string): string => readFileSync(join(name, "verdicts.json"), "utf8");
    expect([code, bytes(join(cwd, "again")) === bytes(folder)]).toEqual([0, true]);
  });

  test("contains no token and no read token", async () => {
    const text = readFileSync(join(cwd, "all", "exchanges.ndjson"), "utf8");
    expect(Object.values(server.tokens).filter((token) => text.includes(token))).toEqual([]);
    expect(text).toContain("filter_read_token=");
  });

  test.each(both)("of one interface, %s, asks nothing of the other", { tags: "proof" }, async (name) => {
    const { exitCode, result } = await runWith(`only-${name}`, { interface: [name], profile: "smoke" });
    const asked = new Set(result.exchanges.map((exchange) => exchange.interface));
    expect([exitCode, [...asked].toSorted()]).toEqual([0, [name, "reference"].toSorted()]);
    expect(result.verdicts.every(({ rule }) => rule.startsWith(`${name}/`))).toBe(true);
  });

  test(
    "with sharing off sees that a read token shows others nothing, and keeps nothing of what people asked",
    { tags: "proof" },
    async () => {
      const closed = await startServer({ repos, vocabulary: "observed", sharing: false, ...unhurried });
      const { SRC_ENDPOINT: url, ASSAY_ACCESS: access, ...tokens } = createServerEnvironment(closed);
      const out = join(cwd, "sharing-off");
      // Lists contain conversations of other people.
      const asked = "what does the unannounced acquisition change?";
      const tokensOf = [closed.tokens.access, closed.tokens.other];
      for (const token of tokensOf) {
        await askQuestion(closed.url, token, asked);
      }
      const { exitCode, result } = await judgeInProcess(
        { out, url, access, sharing: "off", interface: ["legacy"] },
        tokens,
      );
      expect(await closed.conversationCount()).toBe(tokensOf.length);
      await closed.close();
      const bodies = readdirSync(join(out, "bodies")).map((name) => readFileSync(join(out, "bodies", name), "utf8"));
      expect(bodies.filter((body) => body.includes("unannounced"))).toEqual([]);
      expect(bodies.some((body) => body.includes("not kept not kept"))).toBe(true);
      expect([exitCode, unseen(result)]).toEqual([
        0,
        // It needs another user who reads a conversation.
        ["legacy/shared-conversation-is-readable"],
      ]);
    },
  );

  // In `npm test` the first run of the tour in the README is against one.
  test(
    "against a server that behaves like real instances fails only rules of the list `field`",
    { tags: "proof" },
    async () => {
      const field = await startServer({ repos, ...unhurried });
      const { SRC_ENDPOINT: url, ASSAY_ACCESS: access, ...tokens } = createServerEnvironment(field);
      const out = join(cwd, "field");
      const options = {
        out,
        url,
        access,
        sharing: "on",
        interface: both,
        strict: true,
        knownFailures: ["field"],
      } as const;
      const { exitCode, result } = await judgeInProcess(options, tokens);
      await field.close();
      expect([exitCode, speaking(result)]).toEqual([0, ["current/answer-is-unchanged"]]);
    },
  );
});

describe("a careful run", () => {
  test("asks nothing without permission, and gives the reason for every rule that needs an answer", async () => {
    // Two requests a second: one interface shows it in a few seconds.
    const { exitCode, result } = await runWith("careful", {
      limits: "production",
      interface: isProving ? both : ["legacy"],
    });
    expect([exitCode, result.exchanges.filter(({ operation }) => operation === "create")]).toEqual([0, []]);
    const created = result.verdicts.find(({ rule }) => rule === "legacy/create-is-accepted");
    expect(created?.verdict).toEqual({
      outcome: "not-applicable",
      reason:
        "the limits production allow no questions to this target; allow some with --limits staging or --questions",
    });
    expect(result.counts.passed).toBeGreaterThan(5);
  });

  test("keeps to its budget of questions", async () => {
    const { result } = await runWith("budget", { interface: ["current"], questions: 1 });
    const asking = new Set(["create", "follow-up"]);
    const asked = result.exchanges.filter(
      ({ operation, probe, status }) => asking.has(operation) && status === 200 && probe !== "not-json",
    );
    expect(asked).toHaveLength(1);
    expect(await server.conversationCount()).toBe(0);
  });

  test("without a token asks no questions", async () => {
    const { SRC_ENDPOINT: url } = env;
    const { exitCode, result } = await judgeInProcess({ out: join(cwd, "nobody"), url, interface: both }, {});
    expect([exitCode, result.exchanges, result.outcome]).toEqual([3, [], "incomplete"]);
  });
});

describe("a run that ends early", () => {
  const ledgerLines = (out: string): number => {
    const path = join(cwd, out, "ledger.ndjson");
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
  };

  // A line is written before a conversation is created, and one when it was deleted.
  test.each(everyNth([5, 1, 2, 9], 4))(
    "interrupted when its ledger has %i lines leaves nothing behind",
    { tags: "more" },
    async (lines) => {
      const out = `interrupted-${lines}`;
      const running = startAssay(["run", "--quiet", "--interface", "legacy", "--interface", "current", "--out", out], {
        cwd,
        env,
      });
      await running.until(() => ledgerLines(out) >= lines);
      running.kill("SIGINT");
      const { code } = await running.ended;
      expect(code).toBe(130);
      expect(await server.conversationCount()).toBe(0);
    },
  );

  test("killed leaves only conversations that `assay cleanup` removes", async () => {
    const args = ["run", "--quiet", "--interface", "legacy", "--interface", "current", "--out", "reports/runs/killed"];
    const running = startAssay(args, { cwd, env });
    await running.until(async () => (await server.conversationCount()) >= 2);
    running.kill("SIGKILL");
    await running.ended;
    expect(await server.conversationCount()).toBeGreaterThan(0);
    const cleaned = await callAssay(["cleanup"], { cwd, env });
    expect([cleaned.code, await server.conversationCount()]).toEqual([0, 0]);
    expect(cleaned.out).toMatch(/deleted legacy conversation \d+\n/u);
    const again = await callAssay(["cleanup", "reports/runs/killed"], { cwd, env });
    expect([again.code, again.out]).toEqual([0, "0 conversations deleted, 0 remaining, in 1 run\n"]);
  });

  test.each([
    { args: ["cleanup", "nowhere"], env: {}, code: 2, says: "there is no such folder: nowhere" },
    { args: ["cleanup"], env: {}, code: 0, says: "0 conversations deleted" },
  ])("assay $args is answered with $code", async ({ args, code, says }) => {
    const ended = await callAssay(args, { cwd });
    expect([ended.code, `${ended.out}${ended.err}`]).toEqual([code, expect.stringContaining(says)]);
  });
});

describe("the OpenAPI document", () => {
  const written = (name: string, document: unknown): string => {
    writeFileSync(join(cwd, name), typeof document === "string" ? document : JSON.stringify(document));
    return join(cwd, name);
  };

  test("of a file judges instead of the target's own", { tags: "proof" }, async () => {
    const schemas = legacyOpenApi.components.schemas;
    const { LegacyConversationAnswer: answer } = schemas;
    const strict = { ...answer, required: ["id", "a_member_that_nobody_sends"] };
    const document = { ...legacyOpenApi, components: { schemas: { ...schemas, LegacyConversationAnswer: strict } } };
    const openapi = written("strict.json", document);
    const { exitCode, result } = await runWith("other-document", { rule: ["legacy/responses-fit-openapi"], openapi });
    expect([exitCode, speaking(result)]).toEqual([1, ["legacy/responses-fit-openapi"]]);
    expect(result.openapi?.differences.join("\n")).toMatch(/created_at` is optional/u);
  });

  test.each([
    ["is no OpenAPI document", "plain.json", "{}"],
    ["is not there", "missing.json", undefined],
    ["is a web page", "page.html", "<!doctype html><a href='openapi.yaml' download>here</a>"],
  ])("of a file that %s is refused before anything is sent", async (_, name, text) => {
    const openapi = text === undefined ? name : written(name, text);
    const { code, err } = await callAssay(["run", "--openapi", openapi, "--out", `refused-${name}`], { cwd, env });
    expect([code, err]).toEqual([2, expect.stringContaining(name)]);
  });

  test("of an address judges, and the run keeps it", { tags: "proof" }, async () => {
    const openapi = `${env["SRC_ENDPOINT"]}/api-reference`;
    const { exitCode, result } = await runWith("named-address", { interface: ["legacy"], profile: "smoke", openapi });
    expect([exitCode, result.openapi]).toEqual([0, expect.objectContaining({ source: "served", differences: [] })]);
  });
});

test("the coverage of a run is shown for each requirement", async () => {
  const { code, out } = await callAssay(["list", "--coverage", "--run", join(cwd, "all")], { cwd });
  expect(code).toBe(0);
  expect(out).toMatch(/legacy\/status-is-listed \(passed, confirmed\)/u);
  expect(out).toMatch(/stream\/two-fields \(not selected\)/u);
  expect(out).toMatch(/\n\d+ of those with rules were seen in the run\n$/u);
  const refused = await callAssay(["list", "--run", join(cwd, "all")], { cwd });
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--coverage")]);
});
