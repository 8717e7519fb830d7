import { loadSides } from "@assay/contract";
import { rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { repetitions } from "@assay/tools/proving";
import {
  type FailedLoadRule,
  describeJudgement,
  type K6Summary,
  type LoadJudgement,
  type LoadPlan,
  type LoadResult,
  type LoadSample,
  loadOutcomes,
} from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildLoadResult } from "../result/build-load-result.ts";
import { writeLoadResult } from "../result/stored-result.ts";
import { parseThreshold } from "../result/threshold.ts";
import {
  conversationAt,
  environment,
  failedAt,
  idleGenerator,
  planWith,
  runWith,
  samplesText,
  streamAt,
  summaryOf,
} from "../testing/load-fixtures.ts";
import { temporaryFolder } from "../testing/run-folder.ts";
import { mergeLoadRuns, type MergedLoad } from "./merge-load-runs.ts";

interface Run {
  readonly samples: readonly LoadSample[];
  readonly plan?: LoadPlan;
  readonly epochMs?: number;
  readonly summary?: Partial<K6Summary>;
  readonly has?: readonly ("samples" | "summary" | "result")[];
  readonly result?: Partial<Parameters<typeof buildLoadResult>[0]>;
}
let made = 0;
/** The folder of a run that has ended, with the files it is to have. */
const folderOf = async ({
  samples,
  plan = planWith(),
  epochMs,
  summary,
  has = ["samples", "summary"],
  result,
}: Run) => {
  const testDurationMs = 65_000 + made;
  const id = `run-${made}`;
  made += 1;
  const folder = await temporaryFolder();
  const files = {
    samples: ["samples.ndjson", samplesText(samples, epochMs)],
    summary: ["k6-summary.json", JSON.stringify(summaryOf(plan, samples, { testDurationMs, ...summary }))],
  } as const;
  for (const name of ["samples", "summary"] as const) {
    const [file, text] = files[name];
    await writeFile(join(folder, file), text);
  }
  const built = await buildLoadResult({
    folder,
    plan,
    run: runWith({ id }),
    environment,
    toolVersion: "0.1.0",
    k6End: { exitCode: 0, cause: "complete" },
    thresholds: [],
    ...result,
  });
  if (has.includes("result")) {
    await writeLoadResult(folder, built);
  }
  return { folder, built };
};
const only = async (run: Run): Promise<string> => {
  const { folder } = await folderOf(run);
  const left = run.has ?? ["samples", "summary"];
  const files = [["samples", "samples.ndjson"] as const, ["summary", "k6-summary.json"] as const];
  await Promise.all(files.filter(([name]) => !left.includes(name)).map(async ([, file]) => rm(join(folder, file))));
  return folder;
};
const streams = (from: number, count: number, step = 100): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, index) => streamAt(from + index * step));

/** Facts that a merge must not change. */
const figures = ({ outcomes, violations, metrics, histograms, intervals, knee }: LoadResult) => ({
  outcomes,
  violations,
  metrics,
  histograms,
  intervals,
  knee,
});

const anySample = fc
  .tuple(
    fc.nat(60_000),
    fc.record({
      outcome: fc.oneof({ weight: 3, arbitrary: fc.constant("ok" as const) }, fc.constantFrom(...loadOutcomes)),
      phase: fc.constantFrom("warmup" as const, "measure" as const),
      side: fc.constantFrom(...loadSides),
    }),
    fc.nat(2_000_000),
  )
  .map(([planMs, changes, micros]): LoadSample =>
    micros % 3 === 0
      ? conversationAt(planMs, { ...changes, endMs: planMs + micros / 1000 })
      : streamAt(planMs, { ...changes, firstMatchMs: planMs + micros / 1000 }),
  );
const splitting = fc.integer({ min: 1, max: 4 }).chain((parts) =>
  fc.record({
    parts: fc.constant(parts),
    samples: fc.array(fc.tuple(anySample, fc.nat(parts - 1)), { minLength: 1, maxLength: 150 }),
  }),
);
const shape = fc.constantFrom("steady" as const, "breakpoint" as const);

test("merging the parts of a run that was split gives the run, exactly", async () => {
  await fc.assert(
    fc.asyncProperty(splitting, shape, async ({ parts, samples }, given) => {
      const plan = planWith({ shape: given, targets: { base: "http://a", head: "http://b" } });
      const whole = await folderOf({ samples: samples.map(([sample]) => sample), plan });
      const folders = await Promise.all(
        Array.from({ length: parts }, async (_none, part) =>
          only({ plan, samples: samples.filter(([, at]) => at === part).map(([sample]) => sample) }),
        ),
      );
      const merged = await mergeLoadRuns(folders);
      expect(figures(merged)).toEqual(figures(whole.built));
      expect([merged.run.processes, merged.plan]).toEqual([parts, plan]);
    }),
    { numRuns: repetitions(10, 40) },
  );
});

test("percentiles are those of the union, not a mean of percentiles", async () => {
  const fast = streams(0, 150);
  const slow = Array.from({ length: 50 }, (_none, at) => streamAt(at * 100, { firstMatchMs: at * 100 + 900 }));
  const merged = await mergeLoadRuns([await only({ samples: fast }), await only({ samples: slow })]);
  const match = merged.metrics.find(({ metric }) => metric === "first-match");
  expect([match?.p50?.value, match?.p95?.value]).toEqual([20, 900]);
});

describe("a merge", () => {
  test("thresholds of the parts are judged once, on the union", async () => {
    const thresholds = [parseThreshold("first-match p95 < 800")];
    const parts = await Promise.all(
      [0, 50].map(async (from) => folderOf({ samples: streams(from, 60), has: ["result"], result: { thresholds } })),
    );
    // Neither part has samples enough for the percentile; both together have.
    expect(parts.map(({ built }) => built.outcome)).toEqual(["incomplete", "incomplete"]);
    const merged = await mergeLoadRuns(parts.map(({ folder }) => folder));
    expect(merged.thresholds).toMatchObject([
      { threshold: "first-match p95 < 800", valueMs: 20, ok: true },
      { ok: true },
    ]);
    expect(merged.outcome).toBe("passed");
  });

  test("the whole lacks a fact that one part lacks", async () => {
    const merged = await mergeLoadRuns([
      await only({ samples: streams(0, 30) }),
      await only({ samples: streams(50, 30), summary: { droppedIterations: 2 } }),
      await only({ samples: streams(70, 30), summary: { violations: { comment: 1 } } }),
    ]);
    expect(merged).toMatchObject({
      outcome: "failed",
      exitCode: 1,
      violations: { comment: 1 },
      trust: { valid: false },
    });
  });

  test("the busiest generator decides, their figures are added", async () => {
    const busy = { ...idleGenerator, cpuSeconds: 129, timerLagP99Ms: 7 };
    const merged = await mergeLoadRuns([
      await only({ samples: streams(0, 30) }),
      await only({ samples: streams(50, 30), summary: { generator: busy } }),
    ]);
    expect(merged.generator).toEqual({
      ...idleGenerator,
      cpuSeconds: 131,
      cores: 4,
      maxRssBytes: 12e7,
      timerLagP99Ms: 7,
    });
    expect(merged.summary).toContain("k6 used 99 % of its cores");
  });

  test("a failed canary and left conversations count for the whole", async () => {
    const canary = {
      outcome: "passed",
      summary: "well",
      exchanges: 3,
      observedRules: 9,
      failed: [],
      folder: "canary",
    } as const;
    const failed = { ...canary, outcome: "failed", failed: [{ rule: "stream/x", message: "m" }] } as const;
    const parts = await Promise.all(
      [canary, failed].map(async (report, at) =>
        folderOf({
          samples: streams(at * 50, 30),
          has: ["result"],
          result: { canary: report, cleanUp: { created: 2, removed: 2 - at, left: at === 0 ? [] : ["x"] } },
        }),
      ),
    );
    const merged = await mergeLoadRuns(parts.map(({ folder }) => folder));
    expect(merged).toMatchObject({
      outcome: "failed",
      canary: { outcome: "failed", exchanges: 6, failed: [{ rule: "stream/x" }] },
      cleanUp: { created: 4, removed: 3, left: ["x"] },
    });
  });

  test.each<[string, readonly number[], number, number]>([
    ["segments of one load keep its rate", [10, 10], 300, 10],
    ["equal loads side by side add up", [10, 10], 600, 20],
    ["shares add up", [4, 6], 200, 10],
  ])("%s", async (...[, rates, count, ratePerSecond]) => {
    const folders = await Promise.all(
      rates.map(async (rate) => only({ plan: planWith({ ratePerSecond: rate }), samples: streams(rate, count, 90) })),
    );
    expect((await mergeLoadRuns(folders)).plan.ratePerSecond).toBe(ratePerSecond);
  });
});

describe("shares of one load", () => {
  const share = async (segment: string | undefined, ratePerSecond = 10): Promise<string> =>
    only({
      plan: planWith({ ratePerSecond }),
      samples: streams(0, 40),
      summary: segment === undefined ? {} : { segment },
    });
  const merge = async (...segments: readonly (string | undefined)[]): Promise<LoadResult> =>
    mergeLoadRuns(await Promise.all(segments.map(async (segment) => share(segment))));

  test.each([
    [["0:1/3", "1/3:2/3", "2/3:1"]],
    [["1/3:2/3", "2/3:1", "0:1/3"]],
    [["0:1/10", "1/2:1", "1/10:1/2"]],
    [["0:1"]],
  ])("%j are a whole load", async (segments) => {
    const merged = await merge(...segments);
    expect(merged).toMatchObject({ exitCode: 0, complete: true, plan: { ratePerSecond: 10, maxVus: 20 } });
    expect(merged.run.segments).toEqual(["0:1"]);
  });

  test.each([
    [["0:1/3", "1/3:2/3"], "the share 2/3:1 of the load is missing", ["0:2/3"]],
    [["0:1/3", "2/3:1"], "the share 1/3:2/3 of the load is missing", ["0:1/3", "2/3:1"]],
    [["1/10:1/2"], "the shares 0:1/10, 1/2:1 of the load are missing", ["1/10:1/2"]],
  ])("%j are not a whole load: incomplete, and the missing part is named", async (segments, why, there) => {
    const { outcome, exitCode, complete, incomplete, run } = await merge(...segments);
    expect([outcome, exitCode, complete, run.segments]).toEqual(["incomplete", 3, false, there]);
    expect(incomplete).toEqual([{ code: "evidence-incomplete", message: `${why}; pass the folders of all runners` }]);
  });

  test.each([[["0:1/3", "0:1/3"]], [["0:1/2", "1/2:1", "1/3:2/3"]], [["0:1", "0:1/3"]]])(
    "%j are refused by name",
    async (segments) => {
      const folders = await Promise.all(segments.map(async (segment) => share(segment)));
      await expect(mergeLoadRuns(folders)).rejects.toMatchObject({
        code: "merged-twice",
        message: expect.stringMatching(/ran the share \S+ of the load and \S+ the share \S+, which overlap/u),
      });
      await expect(mergeLoadRuns(folders)).rejects.toThrow(folders.at(-1));
    },
  );

  test("whole loads of several machines add up, and each that is cut has to be whole", async () => {
    const whole = await Promise.all([share("0:1", 4), share("0:1", 4)]);
    expect((await mergeLoadRuns(whole)).plan).toMatchObject({ ratePerSecond: 8, maxVus: 40 });
    const cut = await Promise.all([share("0:1/2", 6), share("1/2:1", 6)]);
    const merged = await mergeLoadRuns([...whole, ...cut]);
    expect([merged.exitCode, merged.plan.ratePerSecond, merged.run.segments]).toEqual([0, 14, ["0:1"]]);
    const { exitCode, summary, run } = await mergeLoadRuns([...whole, cut[1] ?? ""]);
    expect([exitCode, run.segments]).toEqual([3, undefined]);
    expect(summary).toContain(
      "the share 0:1/2 of the load is missing; pass the folders of all runners (it had 6 arrivals per second)",
    );
  });

  test("a file of an earlier version without a share is merged as before, and an invalid share is refused", async () => {
    expect((await merge(undefined, undefined)).run).not.toHaveProperty("segments");
    expect((await merge(undefined, "0:1/2")).exitCode).toBe(3);
    await expect(merge("0:half")).rejects.toMatchObject({ code: "nothing-to-merge" });
  });
});

describe("a process that was killed or never began", () => {
  const share = async (segment: string): Promise<string> => only({ samples: streams(0, 3), summary: { segment } });
  const unfinished = [
    {
      name: "was killed, so that its samples have no summary",
      create: async (): Promise<string> => {
        const folder = await share("1/2:1");
        await rm(join(folder, "k6-summary.json"));
        return folder;
      },
    },
    {
      name: "was killed while it wrote its summary",
      create: async (): Promise<string> => {
        const folder = await share("1/2:1");
        await writeFile(join(folder, "k6-summary.json"), '{"version":');
        return folder;
      },
    },
    { name: "has no folder", create: async (): Promise<string> => join(await temporaryFolder(), "assay-load-2") },
  ];
  test.each(unfinished)("that $name makes the result incomplete", async ({ create }) => {
    const folder = await create();
    const merged = await mergeLoadRuns([await share("0:1/2"), folder]);
    expect([merged.exitCode, merged.complete]).toEqual([3, false]);
    expect(JSON.stringify(merged)).toContain(`${basename(folder)} contains neither load.json nor a readable`);
  });

  test.each(unfinished)("that $name also does when the other folders do not name their shares", async ({ create }) => {
    const merged = await mergeLoadRuns([await only({ samples: streams(0, 3) }), await create()]);
    expect([merged.exitCode, merged.complete]).toEqual([3, false]);
  });

  test("leaves nothing to merge if no other has ended", async () => {
    const folders = await Promise.all(unfinished.map(async ({ create }) => create()));
    await expect(mergeLoadRuns(folders)).rejects.toMatchObject({ code: "nothing-to-merge" });
  });
});

describe("one load with several processes", () => {
  const segments = ["0:1/2", "1/2:1"];
  const mergeOne = async (end: MergedLoad["end"], facts: Partial<MergedLoad["facts"]> = {}): Promise<LoadResult> => {
    const folders = await Promise.all(
      segments.map(async (segment) => only({ samples: streams(0, 40), summary: { segment } })),
    );
    return mergeLoadRuns(folders, {
      load: {
        plan: planWith({ maxVus: 77 }),
        end,
        facts: { run: runWith({ limits: "staging", processes: 2 }), ...facts },
      },
    });
  };

  test("has the facts of its caller, and the script and the shares of its processes", async () => {
    const cleanUp = { created: 3, removed: 2, left: ["conversation 3"] };
    const { run, plan, cleanUp: merged, exitCode } = await mergeOne({ cause: "complete" }, { cleanUp });
    expect(run).toMatchObject({ limits: "staging", processes: 2, segments: ["0:1"] });
    expect([plan.maxVus, merged, exitCode]).toEqual([77, cleanUp, 6]);
  });

  test("that was ended because of the target fails as on one machine", async () => {
    const sentence = "the target could not handle the load";
    const { outcome, exitCode, summary, complete } = await mergeOne({ cause: "distress", sentence });
    const { built } = await folderOf({
      samples: streams(0, 40),
      plan: planWith({ maxVus: 77 }),
      result: { k6End: { cause: "distress", sentence } },
    });
    expect([outcome, exitCode, summary, complete]).toEqual([
      built.outcome,
      built.exitCode,
      expect.stringContaining(sentence),
      false,
    ]);
    expect(built.exitCode).toBeGreaterThan(0);
  });

  test.each([
    [{ cause: "crashed" as const, sentence: "1 of 2 runners was evicted" }, {}, 3],
    [{ cause: "deadline" as const, sentence: "the runners took too long" }, {}, 3],
    [{ cause: "interrupted" as const, sentence: "the run was interrupted" }, { interrupted: "SIGTERM" as const }, 143],
  ])("that did not end as planned is incomplete: %j", async (end, facts, exitCode) => {
    const merged = await mergeOne(end, facts);
    expect([merged.complete, merged.exitCode]).toEqual([false, exitCode]);
    expect(merged.trust.checks.find(({ check }) => check === "completed")).toMatchObject({
      ok: false,
      sentence: end.sentence,
    });
  });
});

describe("loads that cannot be merged", () => {
  const other: readonly (readonly [string, Partial<LoadPlan>, Partial<K6Summary>])[] = [
    ["different-scenario", {}, { scenarioSha256: "cd".repeat(32) }],
    ["different-scenario", {}, { scenarioSha256: "" }],
    ["different-target", { targets: { base: "http://elsewhere" } }, {}],
    ["different-plan", { durationMs: 30_000 }, {}],
    ["different-plan", { queries: [{ name: "q2", text: "two" }] }, {}],
  ];
  test.each(other)("%s", async (code, plan, summary) => {
    const first = await only({ samples: streams(0, 3) });
    const second = await only({ samples: streams(1, 3), plan: planWith(plan), summary });
    await expect(mergeLoadRuns([first, second])).rejects.toMatchObject({ code });
  });

  test("the same run twice, also by another path or as a copy", async () => {
    const samples = streams(0, 3);
    const [one, copy] = await Promise.all([0, 1].map(async () => only({ samples, summary: { testDurationMs: 5 } })));
    const link = join(await temporaryFolder(), "link");
    await symlink(one ?? "", link);
    for (const folders of [
      [one, one],
      [one, link],
      [one, copy],
    ]) {
      await expect(mergeLoadRuns(folders.map(String))).rejects.toMatchObject({ code: "merged-twice" });
    }
  });

  test("nothing, or a folder without a run", async () => {
    await expect(mergeLoadRuns([])).rejects.toMatchObject({ code: "nothing-to-merge" });
    await expect(mergeLoadRuns([await temporaryFolder()])).rejects.toMatchObject({ code: "nothing-to-merge" });
  });

  test("a run without samples, by name", async () => {
    const folder = await only({ samples: streams(0, 3), has: ["summary"] });
    const failure = mergeLoadRuns([folder, await only({ samples: streams(1, 3) })]);
    await expect(failure).rejects.toMatchObject({ code: "nothing-to-merge" });
    await expect(failure).rejects.toThrow(`${folder} has no readable samples (there is no samples.ndjson)`);
  });

  test("a run whose samples cannot be read, with the reason", async () => {
    const folder = await only({ samples: streams(0, 3) });
    await writeFile(join(folder, "samples.ndjson"), "{}\n");
    await expect(mergeLoadRuns([folder])).rejects.toThrow(/readable samples \(.*samples\.ndjson/u);
  });

  test("the result of a merge, which has no samples of its own", async () => {
    const merged = await temporaryFolder();
    const parts = await Promise.all([0, 33].map(async (from) => only({ samples: streams(from, 5) })));
    await writeLoadResult(merged, await mergeLoadRuns(parts, { id: "merged" }));
    await expect(mergeLoadRuns([merged])).rejects.toThrow("(it is the result of a merge)");
  });

  test("a run whose result cannot be read", async () => {
    const folder = await only({ samples: [failedAt(0, "timeout")] });
    await writeFile(join(folder, "load.json"), "{");
    await expect(mergeLoadRuns([folder])).rejects.toMatchObject({ code: "unreadable-result" });
  });
});

describe("the verdicts on the exchanges of the parts", () => {
  const judgement: LoadJudgement = {
    groups: [{ group: "search", sent: 10, judged: 6, brokenOff: 1, unanswered: 1, thinnedOut: 1, lost: 1 }],
    rules: [
      { rule: "stream/data-is-json", outcome: "passed", confirmed: true },
      { rule: "stream/done-is-last", outcome: "passed", confirmed: true },
      { rule: "stream/two-fields", outcome: "not-tested", reason: "nothing came" },
    ],
    broken: [],
    unloaded: 4,
    sentence: "",
    keptBytes: 100,
    capBytes: 1000,
    problems: [],
  };
  const brokenAt = (atSeconds: number, dependence: FailedLoadRule["dependence"]): LoadJudgement => ({
    ...judgement,
    rules: [{ rule: "stream/done-is-last", outcome: "failed" }],
    broken: [
      {
        rule: "stream/done-is-last",
        title: "t",
        violations: 3,
        message: `at ${atSeconds}`,
        exchange: "e7",
        atSeconds,
        phase: "measure",
        query: "q",
        inFlight: 9,
        ratePerSecond: 9,
        dependence,
      },
    ],
  });
  /** Folders of parts with these judgements, undefined for one that was not judged. */
  const parts = async (judgements: readonly (LoadJudgement | undefined)[]) =>
    Promise.all(
      judgements.map(async (one, index) =>
        folderOf({
          samples: streams(index * 10, 5),
          has: ["result"],
          result: { thresholds: [], ...(one === undefined ? {} : { judgement: one }) },
        }),
      ),
    );
  const merged = async (judgements: readonly (LoadJudgement | undefined)[]) => {
    const createdParts = await parts(judgements);
    const result = await mergeLoadRuns(createdParts.map(({ folder }) => folder));
    return {
      result,
      runs: createdParts.map(({ built }) => built.run.id),
      folders: createdParts.map(({ folder }) => basename(folder)),
    };
  };

  test("are added up, and exchanges that were not judged stay unjudged", async () => {
    const { result } = await merged([judgement, judgement]);
    expect(result.judgement).toEqual({
      ...judgement,
      groups: [{ group: "search", sent: 20, judged: 12, brokenOff: 2, unanswered: 2, thinnedOut: 2, lost: 2 }],
      unloaded: 8,
      sentence: describeJudgement(result.judgement?.groups ?? []),
      keptBytes: 200,
      capBytes: 2000,
    });
  });

  test("fail if one part fails: with the first violation of all, its run, and the number in all parts", async () => {
    const { result, runs } = await merged([judgement, brokenAt(40, "unknown"), brokenAt(30, "under-load")]);
    expect([result.outcome, result.judgement?.rules.find(({ rule }) => rule === "stream/done-is-last")]).toEqual([
      "failed",
      { rule: "stream/done-is-last", outcome: "failed" },
    ]);
    expect(result.judgement?.broken).toMatchObject([
      { exchange: "e7", run: runs[2], atSeconds: 30, violations: 6, dependence: "under-load", message: "at 30" },
    ]);
  });

  test.each<[string, FailedLoadRule["dependence"], FailedLoadRule["dependence"], FailedLoadRule["dependence"]]>([
    ["what one part saw without load, too", "without-load-too", "under-load", "without-load-too"],
    ["what one part alone could tell", "unknown", "under-load", "under-load"],
    ["what none could tell", "unknown", "unknown", "unknown"],
  ])("report the dependence on load: %s", async (...[, one, other, expected]) => {
    const { result } = await merged([brokenAt(1, one), brokenAt(2, other)]);
    expect(result.judgement?.broken.map(({ dependence }) => dependence)).toEqual([expected]);
  });

  test("names a part that was not judged, and does not count it", async () => {
    const { result, folders } = await merged([judgement, undefined]);
    expect(result.judgement?.groups).toEqual(judgement.groups);
    expect(result.judgement?.problems).toEqual([`the exchanges of ${folders[1]} were not judged and are not included`]);
  });

  test("are absent if no part was judged", async () => {
    expect((await merged([undefined, undefined])).result.judgement).toBeUndefined();
  });
});
