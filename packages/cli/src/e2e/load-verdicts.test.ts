import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { LoadResult, TrustCheck } from "@assay/results";
import { getBuiltK6Path } from "@assay/scenarios";
import { afterEach, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { hasK6 } from "../testing/has-k6.ts";
import type { ListeningTarget } from "../testing/front.ts";
import { startStreamTarget, type Treatment } from "../testing/stream-target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const open: ListeningTarget[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((target) => target.close()));
});

const realK6 = process.env["ASSAY_K6"] ?? (existsSync(getBuiltK6Path()) ? getBuiltK6Path() : "k6");

/** A k6 beside which a shell does something to it, given its process id as `$pid`. */
function hinderedK6(name: string, hindrance: string): string {
  const path = join(cwd, name);
  const body = `pid=$$\nif [ "$1" = run ]; then ( ${hindrance} ) >/dev/null 2>&1 & fi\nexec "${realK6}" "$@"\n`;
  writeFileSync(path, `#!/bin/sh\n${body}`);
  chmodSync(path, 0o755);
  return path;
}

interface Loaded {
  readonly code: number | null;
  readonly out: string;
  readonly result: LoadResult;
}

interface LoadRequest {
  readonly name: string;
  readonly treat: (search: number) => Treatment;
  readonly args: readonly string[];
  readonly k6?: string;
  /** Whether there are judges beside it, and searches before and after it. */
  readonly isJudged?: boolean;
}

async function load({ name, treat, args, k6 = realK6, isJudged = false }: LoadRequest): Promise<Loaded> {
  const target = await startStreamTarget(treat);
  open.push(target);
  const fixed = ["--url", target.url, "--warmup", "0s", "--seed", "1", "--query", "x", "--out", name];
  const alone = isJudged ? [] : ["--no-canary"];
  const { code, out } = await callAssay(["load", "search-first-match", ...fixed, ...alone, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ASSAY_K6: k6 },
  });
  return { code, out, result: JSON.parse(readFileSync(join(cwd, name, "load.json"), "utf8")) };
}

/** Conditions that a busy machine may break; then a run decides nothing, and rightly so. */
const ofTheMachine: ReadonlySet<TrustCheck["check"]> = new Set<TrustCheck["check"]>([
  "start-lag",
  "generator-cpu",
  "generator-timer",
]);

const brokenIn = ({ trust }: LoadResult): readonly TrustCheck["check"][] =>
  trust.checks.filter(({ ok }) => ok === false).map(({ check }) => check);

/**
 * How a run ended beside how it has to end: with this code, or with 3 where its own record says that the machine kept the generator
 * from its work, unless failures that this does not explain decide.
 */
function endOf({ code, result }: Loaded, expected: number) {
  const broken = brokenIn(result);
  const decisive = result.thresholds.some((threshold) => threshold.decisive === true);
  return {
    is: { code, broken: broken.filter((check) => !ofTheMachine.has(check)) },
    has: { code: broken.length === 0 || decisive ? expected : 3, broken: [] },
  };
}

const slow: Treatment = { firstMatchMs: 2500 };
const fast: Treatment = { firstMatchMs: 5 };
const short = ["--duration", "4s", "--rate", "10"];
/** Enough searches for a 95th percentile. */
const enough = ["--duration", "4s", "--rate", "26"];

const title = hasK6() ? "" : " (skipped: no k6)";

describe.skipIf(!hasK6())(`a slow target is no bad generator${title}`, () => {
  test("whose first match comes late, in the few that could begin as well, misses a threshold: 4", async () => {
    const args = [...enough, "--max-vus", "20", "--threshold", "first-match p95 < 100"];
    const { code, result } = await load({ name: "late", treat: () => slow, args });
    const late = brokenIn(result).filter((check) => ofTheMachine.has(check));
    expect([code, brokenIn(result)]).toEqual([late.length === 0 ? 4 : 3, ["arrivals-begun", ...late]]);
    expect(result.saturation).toMatchObject({ maxVus: 20, limitedBy: "max-vus", servedPerSecond: 0 });
    const { stream } = result.outcomes;
    // 104 arrivals, each begun or not; those that wait longer than a tenth of a second exceed the limit. On a machine that is very
    // busy the last ones are late for the end.
    const count = (stream?.ok ?? 0) + (stream?.["not-begun"] ?? 0);
    expect([count > 50, count <= 104]).toEqual([true, true]);
    expect(result.saturation?.notBegun).toBe(stream?.["not-begun"]);
    expect(result.thresholds[0]).toMatchObject({
      ok: false,
      counts: { count, over: count, unknown: 0 },
    });
  });

  test("for which too few virtual users were given is not known to be slow: 3, and no pass", async () => {
    const args = ["--rate", "8", "--max-vus", "2", "--duration", "3s"];
    const { code, out, result } = await load({ name: "few", treat: () => slow, args });
    expect([code, brokenIn(result).includes("arrivals-begun"), result.saturation?.limitedBy]).toEqual([
      3,
      true,
      "max-vus",
    ]);
    const [rate] = result.thresholds;
    expect([rate?.threshold, rate?.ok, rate?.valueFraction]).toEqual(["ok-rate >= 0.99", false, expect.any(Number)]);
    expect(rate?.valueFraction).toBeLessThan(0.5);
    expect(result.summary).toMatch(/\d+ of \d+ arrivals could not begin, because all 2 virtual users were busy/u);
    expect(out.replaceAll(/\s+/gu, " ")).toMatch(/\d+ of \d+ arrivals could not begin/u);
  });

  test(
    "that stalls until all virtual users wait for it misses what nobody has to demand: 4",
    { tags: "proof" },
    async () => {
      const loaded = await load({
        name: "stalls",
        treat: (search) => (search < 20 ? fast : slow),
        args: [...short, "--max-vus", "8"],
      });
      const end = endOf(loaded, 4);
      expect(end.is).toEqual(end.has);
      expect(loaded.result.saturation?.sentence).toMatch(
        /^the target is saturated: \d+ of \d+ arrivals could not begin, because all 8 virtual users were waiting for it from second /u,
      );
    },
  );

  test("whom as many virtual users wait for as it takes is slow and not saturated: 4", { tags: "proof" }, async () => {
    const args = [...enough, "--threshold", "first-match p95 < 100", "--warn-threshold", "first-match p50 < 50"];
    const loaded = await load({ name: "enough", treat: () => slow, args });
    const end = endOf(loaded, 4);
    expect(end.is).toEqual(end.has);
    expect(loaded.result.saturation).toBeUndefined();
    expect(Object.keys(loaded.result.outcomes["stream"] ?? {})).toEqual(["ok"]);
    expect(loaded.result.thresholds.map(({ ok }) => ok)).toEqual([false, false, true]);
  });

  test("half of whose streams are slow misses the one and keeps the other: 4", { tags: "proof" }, async () => {
    const args = [...enough, "--threshold", "first-match p95 < 1000", "--threshold", "first-match p95 < 60s"];
    const loaded = await load({
      name: "half",
      treat: (search) => (search % 2 === 0 ? slow : fast),
      args,
    });
    const end = endOf(loaded, 4);
    expect(end.is).toEqual(end.has);
    const { counts, ok } = loaded.result.thresholds[0] ?? {};
    expect(ok).toBe(false);
    // A busy machine may make some more of them slow.
    expect(counts?.over).toBeGreaterThanOrEqual(Math.floor((counts?.count ?? 0) / 2));
  });

  test("that dies in the middle misses what nobody has to demand: 4", { tags: "proof" }, async () => {
    const args = ["--duration", "8s", "--rate", "10", "--threshold", "first-match p50 < 60s"];
    const loaded = await load({
      name: "dead",
      treat: (search) => (search < 20 ? fast : "dies"),
      args,
    });
    const end = endOf(loaded, 4);
    expect(end.is).toEqual(end.has);
    const { result } = loaded;
    expect(result.outcomes["stream"]).toMatchObject({ ok: 20 });
    expect(result.outcomes["stream"]?.transport).toBeGreaterThanOrEqual(20);
    expect(result.complete).toBe(false);
    expect(result.thresholds.find(({ threshold }) => threshold.startsWith("ok-rate"))?.ok).toBe(false);
  });

  test("ends a run as soon as its threshold can no longer be met, with what was seen: 4", async () => {
    const args = ["--duration", "60s", "--rate", "20", "--abort-threshold", "first-match max < 2000"];
    const loaded = await load({ name: "aborted", treat: () => slow, args });
    const end = endOf(loaded, 4);
    expect(end.is).toEqual(end.has);
    const { result } = loaded;
    const sent = Object.values(result.outcomes["stream"] ?? {}).reduce((sum, count) => sum + count, 0);
    // Of 1200 planned; how many until the first one is seen depends on the machine.
    expect([sent > 0, sent < 1200, result.complete]).toEqual([true, true, false]);
    expect(result.thresholds[0]).toMatchObject({ severity: "abort", ok: false });
  });

  test("that never answers ends a run long before the deadline of its first search: 4", async () => {
    const args = ["--duration", "60s", "--rate", "20", "--abort-threshold", "first-match max < 2000"];
    const loaded = await load({ name: "silent", treat: () => "silent", args });
    const end = endOf(loaded, 4);
    expect(end.is).toEqual(end.has);
    const { result } = loaded;
    // None has ended by itself: each was cut off by the end of the run, and is later than that.
    expect(Object.keys(result.outcomes["stream"] ?? {})).toEqual(["canceled"]);
    expect(result.thresholds[0]).toMatchObject({ severity: "abort", ok: false });
  });
});

test.skipIf(!hasK6())(`where nobody listens nothing is sent: 3${title}`, async () => {
  const target = await startStreamTarget(() => fast);
  await target.close();
  const args = [
    "load",
    "search-first-match",
    "--url",
    target.url,
    "--query",
    "x",
    "--out",
    "nobody",
    "--warmup",
    "60s",
  ];
  const env = { PATH: process.env["PATH"] ?? "", ASSAY_K6: realK6 };
  const { code } = await callAssay(args, { cwd, env });
  const result: LoadResult = JSON.parse(readFileSync(join(cwd, "nobody", "load.json"), "utf8"));
  expect([code, existsSync(join(cwd, "nobody", "samples.ndjson"))]).toEqual([3, false]);
  expect(result.incomplete).toEqual([
    {
      code: "unreachable",
      message: expect.stringMatching(/^no load was sent, .*the connection was refused.*check the port/u),
    },
  ]);
});

describe.skipIf(!hasK6())(`a page to log in is no target${title}`, () => {
  const answered = {
    outcome: "incomplete",
    violations: {},
    incomplete: [{ code: "not-the-api", message: expect.stringContaining("it answered text/html with status 200") }],
  };

  test("is not loaded: 3", async () => {
    const loaded = await load({ name: "page", treat: () => "page", args: ["--duration", "60s"], isJudged: true });
    expect([loaded.code, existsSync(join(cwd, "page", "samples.ndjson"))]).toEqual([3, false]);
    expect(loaded.result).toMatchObject(answered);
  });

  test("whose answers were not looked at before is recognized by them, and breaks no rule: 3", async () => {
    const loaded = await load({ name: "page-alone", treat: () => "page", args: short });
    expect(loaded.code).toBe(3);
    expect(loaded.result).toMatchObject({ ...answered, judgement: { broken: [] } });
  });

  test("that comes instead of streams after some time, as when a session ends, fails no rule: 3", async () => {
    const treat = (search: number): Treatment => (search < 12 ? fast : "page");
    const { code, result } = await load({ name: "page-later", treat, args: short, isJudged: true });
    expect([code, result.judgement?.notTheApi, result.judgement?.broken]).toEqual([3, undefined, []]);
    expect(result).toMatchObject({ violations: {}, canary: { failed: [] } });
    expect(result.incomplete[0]).toEqual({
      code: "not-the-api",
      message: expect.stringMatching(/searches were answered with a web page \(status 200\), the first in second 0/u),
    });
    const again = await callAssay(["judge", "page-later"], { cwd });
    expect([again.code, again.out.replaceAll(/\s+/gu, " ")]).toEqual([
      3,
      expect.stringContaining("was not always the API"),
    ]);
  });
});

describe.skipIf(!hasK6())(`a bad generator is no slow target${title}`, () => {
  const demanding = ["--rate", "10", "--threshold", "first-match p50 < 100", "--threshold", "first-match max < 1"];

  test("one that is stopped most of the time decides nothing, whatever its figures say: 3", async () => {
    const hindrance = "sleep 1; while kill -STOP $pid; do sleep 0.5; kill -CONT $pid; sleep 0.1; done";
    const k6 = hinderedK6("starved-k6", hindrance);
    const { code, result } = await load({
      name: "starved",
      treat: () => fast,
      args: ["--duration", "4s", ...demanding],
      k6,
    });
    expect([code, result.trust.valid]).toEqual([3, false]);
    expect(brokenIn(result)).toContain("start-lag");
    expect(result.thresholds.some(({ ok }) => ok === false)).toBe(true);
  });

  test("one whose clock jumps decides nothing: 3", { tags: "proof" }, async () => {
    // A process that is stopped sees its clock jump by as much.
    const k6 = hinderedK6("jumping-k6", "sleep 3; kill -STOP $pid; sleep 3; kill -CONT $pid");
    const { code, result } = await load({
      name: "jumped",
      treat: () => fast,
      args: ["--duration", "8s", ...demanding],
      k6,
    });
    expect([code, result.trust.valid]).toEqual([3, false]);
    expect(brokenIn(result)).toContain("start-lag");
  });

  test("one beside four busy loops decides nothing, or was on time by its own record", { tags: "proof" }, async () => {
    const loops = Array.from({ length: 4 }, () => spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" }));
    const loaded = await load({
      name: "busy",
      treat: () => fast,
      args: ["--duration", "5s", "--rate", "40", "--threshold", "first-match p95 < 60s"],
    }).finally(() => {
      for (const loop of loops) {
        loop.kill("SIGKILL");
      }
    });
    const end = endOf(loaded, 0);
    expect(end.is).toEqual(end.has);
  });

  test("one that is stopped does not end a run on the target's account", { tags: "proof" }, async () => {
    const hindrance = "sleep 1; while kill -STOP $pid; do sleep 0.5; kill -CONT $pid; sleep 0.1; done";
    const { code, result } = await load({
      name: "stopped",
      treat: () => fast,
      args: ["--duration", "4s", "--rate", "10", "--abort-threshold", "first-match max < 100"],
      k6: hinderedK6("stopped-k6", hindrance),
    });
    expect(code).toBe(3);
    expect(result.incomplete.length).toBeGreaterThan(0);
  });
});
