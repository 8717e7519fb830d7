import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { scanForSecrets } from "@assay/evidence";
import { readSamples } from "@assay/load";
import type { LoadResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { startAssay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { serverHost } from "../testing/hosted-server.ts";
import type { HostedServer } from "../testing/hosted-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();
/** Few searches over a time that is long enough for the canary to be heard on a machine that is busy. */
const short = ["--duration", "8s", "--warmup", "0s", "--rate", "2", "--query", "test"];

const resultIn = (folder: string): LoadResult => JSON.parse(readFileSync(join(cwd, folder, "load.json"), "utf8"));

/** Libraries that a process has loaded; empty if the system does not report them. */
const filesMappedBy = (pid = 0): string =>
  process.platform === "linux" ? readFileSync(`/proc/${pid}/maps`, "utf8") : "";

const tokenOf = ({ token }: Pick<HostedServer, "token">): Readonly<Record<string, string>> => ({
  ASSAY_TOKEN: token,
});

/** How many searches ended well: sixteen were planned, of which the last may be late for the end on a machine that is busy. */
function okIn({ outcomes }: LoadResult): number {
  const ok = outcomes["stream"]?.ok ?? 0;
  expect([ok >= 14, ok <= 16]).toEqual([true, true]);
  return ok;
}

/** Codes of reasons but one: a machine that is busy with other tests may make the figures untrusted. */
const codesOf = ({ incomplete }: LoadResult): readonly string[] =>
  incomplete.map(({ code }) => code).filter((code) => code !== "invalid-load");

/** Runs a load in this process and returns how it ended. */
async function load(out: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ended = await callAssay(["load", ...args, "--out", out, "--seed", "1"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  return { ...ended, result: resultIn(out) };
}

const title = hasK6() ? "" : " (skipped: no k6)";

describe.skipIf(!hasK6())(`a load${title}`, () => {
  let server: HostedServer;
  beforeAll(async () => {
    server = await startServer({ repos, vocabulary: "observed" });
  });

  test(
    "without an address is put on a reference server in another process, and its files tell all of it",
    { tags: "proof" },
    async () => {
      // The canary's conversations are the matter of the next test: on a busy machine they do not end in so short a time.
      const quiet = ["--latency", "laptop", "--questions", "0", "--warmup", "1s"];
      const { code, out, err, result } = await load("embedded", ["search-first-match", ...short, ...quiet]);
      expect([0, 3]).toContain(code);
      expect(codesOf(result)).toEqual([]);
      expect(result.run).toMatchObject({ embedded: true, limits: "local", seed: 1 });
      const ok = okIn(result);
      expect(result.outcomes).toEqual({ stream: { ok } });
      expect(result.metrics.find(({ metric }) => metric === "first-match")).toMatchObject({
        count: ok,
        side: "base",
      });
      expect(result.canary).toMatchObject({ failed: [] });
      expect(readdirSync(join(cwd, "embedded"))).toEqual(
        expect.arrayContaining(["canary", "junit.xml", "k6-summary.json", "plan.json", "samples.ndjson", "summary.md"]),
      );
      expect(existsSync(join(cwd, "embedded/canary/verdicts.json"))).toBe(true);
      expect(out).toContain("files: embedded\n");
      // Without a terminal there is a line when the load begins, and one in ten seconds after it.
      expect(err).toMatch(/^warm-up of \d+ s, then \d+ s are measured$/mu);
    },
  );

  test("of conversations leaves none behind, its own or the canary's", { tags: "proof" }, async () => {
    const args = ["conversation-poll", "--duration", "3s", "--warmup", "0s", "--rate", "2", "--poll-interval", "100ms"];
    const { code, result } = await load("polling", [...args, "--url", server.url, "--json"], tokenOf(server));
    expect([0, 3]).toContain(code);
    expect(["nothing-observed"]).toEqual(expect.arrayContaining([...codesOf(result)]));
    expect(result.cleanUp).toMatchObject({ left: [] });
    expect(result.cleanUp?.created).toBeGreaterThanOrEqual(6);
    expect(result.outcomes["conversation"]).toEqual({ ok: 6 });
    expect(await server.conversationCount()).toBe(0);
  });

  test("on a target that breaks the contract fails with the code of what is broken, whatever its speed", async () => {
    const broken = await startServer({ repos, vocabulary: "observed", fault: "no-done" });
    const { code, out, result } = await load(
      "broken",
      ["search-first-match", ...short, "--url", broken.url],
      tokenOf(broken),
    );
    await broken.close();
    expect(code).toBe(1);
    const count = result.violations["no-done"] ?? 0;
    expect([count >= 14, count <= 16]).toEqual([true, true]);
    expect(result.canary?.failed.map(({ rule }) => rule)).toContain("stream/done-is-last");
    expect(out).toContain(`✗ failed  no-done, ${count} times`);
    expect(readdirSync(join(cwd, "broken"))).toEqual(
      expect.arrayContaining(["canary", "junit.xml", "k6-summary.json", "plan.json", "samples.ndjson", "summary.md"]),
    );
  });

  // Each part of the next two, and of a pair, has tests of its own with a program in place of k6.
  test("on an unreachable target fails after a few tries", { tags: "proof" }, async () => {
    const args = ["search-first-match", "--url", "http://127.0.0.1:9", "--rate", "10", "--warmup", "0s"];
    const { code, result } = await load("nobody", args);
    expect([code, result.complete]).toEqual([3, false]);
    expect(result.incomplete[0]).toMatchObject({ code: "unreachable" });
  });

  test("on a server that dies in the middle stores the results until then", { tags: "proof" }, async () => {
    const dying = await startServer({ repos, vocabulary: "observed" });
    const args = ["search-first-match", "--duration", "6s", "--warmup", "0s", "--rate", "10", "--query", "test"];
    const running = load("dying", [...args, "--url", dying.url, "--questions", "0"], tokenOf(dying));
    await expect.poll(() => samplesIn("dying"), { timeout: 200_000 }).toBeGreaterThanOrEqual(5);
    await dying.close();
    const { code, result } = await running;
    // The share that went well is missed, unless the machine is too busy for figures or a judge saw how it died.
    expect([1, 3, 4]).toContain(code);
    expect(result.outcomes["stream"]?.ok).toBeGreaterThanOrEqual(5);
    expect(result.outcomes["stream"]?.transport).toBeGreaterThan(0);
    expect(result.complete).toBe(false);
  });

  test("that is interrupted ends in order, with its samples, and leaves no conversation", async () => {
    const args = [
      "conversation-poll",
      "--duration",
      "60s",
      "--warmup",
      "0s",
      "--rate",
      "4",
      "--poll-interval",
      "100ms",
    ];
    const running = startAssay(["load", ...args, "--url", server.url, "--out", "cut"], {
      cwd,
      env: tokenOf(server),
    });
    await running.until(() => samplesIn("cut") >= 8);
    // The bundler would take 80 MB to the end of the load.
    expect(filesMappedBy(running.pid)).not.toContain("rolldown");
    running.kill("SIGINT");
    const { code, out } = await running.ended;
    const result = resultIn("cut");
    expect([code, result.outcome, result.complete]).toEqual([130, "interrupted", false]);
    expect([...(await readSamples(join(cwd, "cut/samples.ndjson"))).samples].length).toBeGreaterThanOrEqual(8);
    expect(out).toContain("? INTERRUPTED  exit code 130");
    // If the machine is too busy to judge the stored exchanges in time, the result shows how to judge them.
    const said = [result.judgement?.sentence, result.unjudged].filter((sentence) => sentence !== undefined);
    expect(said).toEqual([expect.stringMatching(/exchanges were checked|`assay judge cut` judges them/u)]);
    expect(await server.conversationCount()).toBe(0);
  });

  test("that is killed takes its k6 with it", { tags: "proof" }, async () => {
    const args = ["search-first-match", "--duration", "60s", "--warmup", "0s", "--rate", "10", "--query", "test"];
    const env = tokenOf(server);
    const running = startAssay(["load", ...args, "--url", server.url, "--no-canary", "--out", "killed"], { cwd, env });
    await running.until(() => samplesIn("killed") >= 3);
    running.kill("SIGKILL");
    await running.ended;
    const sizes: number[] = [];
    const isStill = (): boolean => {
      sizes.push(statSync(join(cwd, "killed/samples.ndjson")).size);
      return sizes.at(-1) === sizes.at(-2);
    };
    await expect.poll(isStill, { interval: 1000, timeout: 200_000 }).toBe(true);
  });

  describe("on two instances", () => {
    test("of a few seconds is inconclusive, which fails nothing", { tags: "proof" }, async () => {
      const other = await startServer({ repos, vocabulary: "observed" });
      const args = ["search-first-match", "--duration", "3s", "--rate", "10", "--query", "test", "--no-canary"];
      const both = ["--url", server.url, "--against", other.url];
      const env = { ...tokenOf(server), ASSAY_AGAINST_TOKEN: other.token };
      const { code, out, result } = await load("paired", [...args, ...both], env);
      await other.close();
      expect([0, 3]).toContain(code);
      expect(result.comparison).toMatchObject({
        verdict: "inconclusive",
        base: server.url,
        head: other.url,
      });
      expect(result.metrics.map(({ side }) => side)).toEqual(expect.arrayContaining(["base", "head"]));
      expect(out).toMatch(/\n\? INCONCLUSIVE /u);
    });
  });

  test("has no secret in any file, and prints only its own text", async () => {
    const secrets = Object.entries(server.tokens).map(([name, value]) => ({ name, value }));
    expect(readdirSync(cwd)).toEqual(expect.arrayContaining(["broken", "cut"]));
    expect(await scanForSecrets(cwd, secrets)).toEqual([]);
  });

  test("passes dashboard and outputs of k6 through", { tags: "proof" }, async () => {
    const outputs = ["--k6-out", "json=raw.json", "--dashboard", "page.html", "--no-canary", "--quiet"];
    const { out, result } = await load(
      "outputs",
      ["search-first-match", ...short, ...outputs, "--url", server.url],
      tokenOf(server),
    );
    expect(out).toMatch(/^\S (?:PASSED|INCOMPLETE)[^\n]*\n$/u);
    expect(out).toContain(result.summary);
    expect(existsSync(join(cwd, "outputs/raw.json"))).toBe(true);
    expect(readFileSync(join(cwd, "page.html"), "utf8")).toContain("<html");
  });
});

/** How many samples a run has stored. */
function samplesIn(folder: string): number {
  const path = join(cwd, folder, "samples.ndjson");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 2 : 0;
}
