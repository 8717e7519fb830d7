import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBundle, scanForSecrets } from "@assay/evidence";
import type { LoadPlan, LoadResult } from "@assay/results";
import { afterEach, describe, expect, test } from "vitest";
import { openLoadJudge } from "../load-judge/load-judge.ts";
import { callAssay } from "../testing/call-assay.ts";
import { startCrowdedFront, startCrowdedTarget } from "../testing/crowded-target.ts";
import type { ListeningTarget } from "../testing/front.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const startServer = serverHost();
const open: ListeningTarget[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((target) => target.close()));
});

const token = "sgp_0123456789abcdef0123456789abcdef01234567";
const env = { PATH: process.env["PATH"] ?? "", ASSAY_TOKEN: token };

const program = new URL("../../dist/bundle/load-judge-thread.js", import.meta.url);

const resultIn = (folder: string): LoadResult => JSON.parse(readFileSync(join(cwd, folder, "load.json"), "utf8"));

async function callLoadOf(out: string, args: readonly string[], given: Readonly<Record<string, string>> = env) {
  const ended = await callAssay(["load", ...args, "--seed", "1", "--out", out], { cwd, env: given });
  return { ...ended, result: resultIn(out) };
}

const load = (out: string, args: readonly string[], given?: Readonly<Record<string, string>>) =>
  callLoadOf(out, [...args, "--warmup", "0s"], given);

const keptBytes = (folder: string): number =>
  readdirSync(join(cwd, folder, "exchanges"))
    .filter((name) => name.endsWith(".bin"))
    .reduce((sum, name) => sum + statSync(join(cwd, folder, "exchanges", name)).size, 0);

const title = hasK6() ? "" : " (skipped: no k6)";

describe.skipIf(!hasK6())(`what a load has sent is judged by all rules${title}`, () => {
  test("a rule that fails only under load is reported as such: 1; the token is on no disk", async () => {
    const target = await startCrowdedTarget(3, () => `c/${token}.go`);
    open.push(target);
    const args = ["--url", target.url, "--rate", "20", "--duration", "3s", "--query", "x", "--questions", "0"];
    const { code, out, result } = await load("crowded", ["search-first-match", ...args]);
    expect(code).toBe(1);
    const { judgement } = result;
    const [group] = judgement?.groups ?? [];
    expect(group?.judged).toBe(group?.sent);
    const broken = judgement?.broken.find(({ rule }) => rule === "stream/done-is-last");
    expect(broken).toMatchObject({ dependence: "under-load", phase: "measure", query: "x" });
    expect(broken?.inFlight).toBeGreaterThan(3);
    expect(judgement?.unloaded).toBeGreaterThanOrEqual(6);
    const held = judgement?.rules.filter(({ outcome }) => outcome === "passed") ?? [];
    expect(held.length).toBeGreaterThan(10);
    expect(held.filter(({ confirmed }) => confirmed !== true)).toEqual([]);
    expect(judgement?.rules.find(({ rule }) => rule === "stream/count-stops-search")?.outcome).toBe(
      "compares-searches",
    );
    expect(result.summary).toMatch(/^failed under load only: `stream\//u);
    expect(out).toContain("fails only under load; it passed without load");
    expect(await scanForSecrets(join(cwd, "crowded"), [{ name: "token", value: token }])).toEqual([]);
    const again = await callAssay(["judge", "crowded", "--json"], { cwd, env });
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out)).toEqual(judgement);
  });

  test.each([
    { name: "under load only", mostAtATime: 4, dependence: "under-load" },
    { name: "always", mostAtATime: 0, dependence: "without-load-too" },
  ])("a rule about conversations that breaks $name is called so", async ({ name, mostAtATime, dependence }) => {
    const server = await startServer({ repos: [repository] });
    const target = await startCrowdedFront(server.url, mostAtATime, (answer) => answer.replaceAll("Where", "Whence"));
    open.push(target);
    const out = `talk ${name}`;
    const args = ["--url", target.url, "--rate", "10", "--duration", "2s", "--poll-interval", "300ms"];
    const asking = ["--query", "Where is it?", "--questions", "100"];
    const given = { ...env, ASSAY_TOKEN: server.token };
    const { result } = await load(out, ["conversation-poll", ...args, ...asking], given);
    const broken = result.judgement?.broken.find(({ rule }) => rule === "current/question-text-is-kept");
    expect(broken).toMatchObject({ dependence, phase: "measure" });
    expect(result.cleanUp?.left).toEqual([]);
    expect(await server.conversationCount()).toBe(0);
  });

  test("without load a conversation is held as far as questions are left over", { tags: "proof" }, async () => {
    const server = await startServer({ repos: [repository] });
    const args = ["--url", server.url, "--rate", "2", "--duration", "1s", "--questions"];
    const given = { ...env, ASSAY_TOKEN: server.token };
    const unloaded = async (out: string, questions: number) => {
      const { result } = await load(out, ["conversation-poll", ...args, String(questions)], given);
      const { exchanges } = await readBundle(join(cwd, out, "unloaded"));
      expect(result.judgement?.unloaded).toBe(exchanges.length);
      return exchanges.filter(({ record }) => record.operation === "create").length;
    };
    expect(await unloaded("none-over", 4)).toBe(0);
    expect(await unloaded("one-over", 5)).toBe(1);
    expect(await unloaded("many-over", 50)).toBe(2);
  });

  test("of two targets each is compared with what it does without load itself", { tags: "proof" }, async () => {
    const first = await startCrowdedTarget(0, () => "c.go");
    const second = await startCrowdedTarget(3, () => "c.go");
    open.push(first, second);
    const args = ["--against", second.url, "--rate", "20", "--duration", "6s", "--query", "x", "--questions", "0"];
    const { result } = await callLoadOf("two", ["search-first-match", "--url", first.url, ...args]);
    expect(result.judgement?.broken.filter(({ rule }) => rule === "stream/done-is-last")).toMatchObject([
      { side: "base", dependence: "without-load-too" },
      { side: "head", dependence: "under-load" },
    ]);
    expect(result.summary).toContain("failed under load only: `stream/done-is-last` (head)");
    expect(result.summary).toContain("failed: `stream/done-is-last` (base)");
    const again = await callAssay(["judge", "two", "--json"], { cwd, env });
    expect(JSON.parse(again.out)).toEqual(result.judgement);
    const { base: a, head: b } = result.plan.targets;
    renameSync(join(cwd, "two/unloaded-head"), join(cwd, "two/unloaded-b"));
    writeFileSync(join(cwd, "two/plan.json"), JSON.stringify({ ...result.plan, version: 1, targets: { a, b } }));
    const earlier = await callAssay(["judge", "two", "--json"], { cwd, env });
    expect(JSON.parse(earlier.out)).toEqual(result.judgement);
  });

  test("exchanges beyond the limit are sampled fairly, and the result reports it", async () => {
    // No response is repeated, so each one takes space.
    const target = await startCrowdedTarget(1000, (search) => `${search}-`.repeat(1500));
    open.push(target);
    const long = ["--rate", "100", "--duration", "4s", "--query", "x"];
    const { result } = await load("full", [
      "search-first-match",
      "--url",
      target.url,
      ...long,
      "--keep-mb",
      "1",
      "--no-canary",
    ]);
    const [group] = result.judgement?.groups ?? [];
    expect(group?.sent).toBe((group?.judged ?? 0) + (group?.thinnedOut ?? 0) + (group?.lost ?? 0));
    expect(keptBytes("full")).toBeLessThanOrEqual(2 ** 20);
    expect(result.judgement?.sentence).toMatch(/were left out at random because the files were full/u);
  });

  test(
    "an exchange is judged alike, while the load is under way, when it is over, and later; and not for ever after an interrupt",
    { tags: "proof" },
    async () => {
      // No response is repeated, so files are thinned out while they are read.
      const target = await startCrowdedTarget(12, (search) => `${search}-`.repeat(1500));
      open.push(target);
      const args = ["search-first-match", "--url", target.url, "--rate", "60", "--query", "x", "--keep-mb", "1"];
      await load("planned", [...args, "--duration", "1s", "--no-canary"]);
      const plan: LoadPlan = JSON.parse(readFileSync(join(cwd, "planned/plan.json"), "utf8"));
      const judge = (judgesDuringLoad: boolean, graceMs = 1) =>
        openLoadJudge(join(cwd, "followed"), { plan, capBytes: 2 ** 20 }, { judgesDuringLoad, graceMs, program });
      const [beside, after, hurried] = [judge(true), judge(false), judge(false, 0)];
      const { result } = await load("followed", [...args, "--duration", "5s", "--no-canary"]);
      const all = await Promise.all([
        beside.getJudgement(),
        after.getJudgement(),
        hurried.getJudgement(AbortSignal.abort()),
      ]);
      await Promise.all([beside, after, hurried].map((one) => one.close()));
      const again = await callAssay(["judge", "followed", "--json"], { cwd, env });
      const { judgement } = result;
      expect(judgement?.groups).toMatchObject([{ group: "search" }]);
      expect(judgement?.groups[0]?.thinnedOut).toBeGreaterThan(0);
      expect(judgement?.broken.map(({ rule }) => rule)).toContain("stream/done-is-last");
      const left = "judging the exchanges took longer than 0 s after the interrupt";
      expect(all).toEqual([{ judgement }, { judgement }, { unjudged: left }]);
      expect(JSON.parse(again.out)).toEqual(judgement);
    },
  );

  test("without space no exchange is stored and no rule is judged", async () => {
    const target = await startCrowdedTarget(1000, () => "c.go");
    open.push(target);
    const args = [
      "--url",
      target.url,
      "--rate",
      "5",
      "--duration",
      "1s",
      "--query",
      "x",
      "--keep-mb",
      "0",
      "--no-canary",
    ];
    const { result } = await load("none", ["search-first-match", ...args]);
    expect(result.judgement).toBeUndefined();
    expect(readdirSync(join(cwd, "none"))).not.toContain("exchanges");
  });

  test("a poll history that goes back is a failure", { tags: "proof" }, async () => {
    const server = await startServer({ repos: [repository], fault: "legacy-status-set-back" });
    const given = { ...env, ASSAY_TOKEN: server.token };
    const args = [
      "--url",
      server.url,
      "--rate",
      "2",
      "--duration",
      "4s",
      "--questions",
      "20",
      "--interface",
      "legacy",
      "--no-canary",
    ];
    const { code, result } = await load("reverts", ["conversation-poll", ...args], given);
    expect({ code, summary: result.summary, judgement: result.judgement }).toMatchObject({ code: 1 });
    expect(result.judgement?.broken.map(({ rule }) => rule)).toContain("legacy/status-transitions-are-listed");
  });
});
