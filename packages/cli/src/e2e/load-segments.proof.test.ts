/** @module-tag proof */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findK6, quantile, readSamples, startK6 } from "@assay/load";
import { bucketBounds, histogramQuantile, latencyBucket } from "@assay/results";
import type { LoadPlan, LoadResult } from "@assay/results";
import { bundleScenario, createDefaultPlan, getBuiltK6Path } from "@assay/scenarios";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { serverHost } from "../testing/hosted-server.ts";
import type { HostedServer } from "../testing/hosted-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();
const title = hasK6() ? "" : " (skipped: no k6)";
const parts = ["0:1/3", "1/3:2/3", "2/3:1"];

const planFor = ({ url }: HostedServer): LoadPlan => ({
  ...planWithoutConversation(),
  targets: { base: url },
  ratePerSecond: 30,
  durationMs: 4000,
  warmupMs: 1000,
  queries: [{ name: "test", text: "test count:20" }],
});

function planWithoutConversation(): Omit<LoadPlan, "targets" | "conversation"> {
  const { conversation: _none, ...plan } = createDefaultPlan("search-first-match");
  return plan;
}

interface Part {
  readonly server: HostedServer;
  /** Of the bundle that all of them run. */
  readonly sha256: string;
  readonly segment?: string;
}

/** Runs k6 alone, as a pod of a cluster does: the whole load or one segment. */
async function runK6(name: string, { server, sha256, segment }: Part): Promise<void> {
  const folder = join(cwd, name);
  const plan = planFor(server);
  mkdirSync(folder);
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  copyFileSync(join(cwd, "scenario.js"), join(folder, "scenario.js"));
  const k6 = await findK6({ env: process.env, builtPath: getBuiltK6Path() });
  const segments = ["--execution-segment", segment ?? "0:1", "--execution-segment-sequence", "0,1/3,2/3,1"];
  const { cause } = await startK6({
    k6,
    folder,
    env: { ASSAY_TOKEN: server.token, ASSAY_SCENARIO_SHA256: sha256 },
    extraArgs: segment === undefined ? [] : segments,
    wallLimitMs: 40_000,
  });
  expect(cause).toBe("complete");
}

const resultIn = (folder: string): LoadResult => JSON.parse(readFileSync(join(cwd, folder, "load.json"), "utf8"));

const firstMatchesOf = async (folder: string): Promise<readonly number[]> =>
  [...(await readSamples(join(cwd, folder, "samples.ndjson"))).samples]
    .filter(({ phase }) => phase === "measure")
    .map((sample) => (sample.kind === "stream" ? (sample.firstMatchMs ?? 0) - sample.planMs : 0));

// That parts are merged to the whole, exactly, is tried each time in `merge-load-runs.test.ts` of the package `load`.
describe.runIf(hasK6())(`a load by three processes on segments${title}`, () => {
  let server: HostedServer;
  beforeAll(async () => {
    server = await startServer({ repos, vocabulary: "observed", latency: "laptop" });
    const { sha256 } = await bundleScenario({ scenario: "search-first-match", outFile: join(cwd, "scenario.js") });
    await Promise.all(parts.map((segment, index) => runK6(`part-${index}`, { server, sha256, segment })));
    await runK6("whole", { server, sha256 });
    await runK6("again", { server, sha256, segment: parts[0] ?? "" });
    await callAssay(["load", "merge", ...parts.map((_, index) => `part-${index}`), "--out", "merged", "--quiet"], {
      cwd,
    });
  }, 120_000);

  test("has exactly the arrivals of one process", async () => {
    const { outcomes, run } = resultIn("merged");
    expect([run.processes, outcomes["stream"]]).toEqual([3, { ok: 120 }]);
    expect(await firstMatchesOf("whole")).toHaveLength(120);
  });

  test("of which one is left out names its share and decides nothing", async () => {
    const merged = await callAssay(["load", "merge", "part-0", "part-2", "--out", "two", "--quiet"], { cwd });
    expect([merged.code, merged.out]).toEqual([
      3,
      expect.stringContaining("the share 1/3:2/3 of the load is missing; pass the folders of all runners"),
    ]);
    const twice = await callAssay(["load", "merge", "part-0", "again", "--out", "twice"], { cwd });
    expect(twice.code).toBe(2);
    expect(resultIn("merged").run.segments).toEqual(["0:1"]);
  });

  test("has the percentiles of all samples together, from samples exactly and from histograms within a bucket", async () => {
    const { metrics, histograms } = resultIn("merged");
    const all = (await Promise.all(parts.map((_, index) => firstMatchesOf(`part-${index}`)))).flat();
    const p50 = quantile(Float64Array.from(all).sort(), 0.5);
    const shown = metrics.find(({ metric }) => metric === "first-match")?.p50?.value ?? 0;
    expect(shown).toBeCloseTo(p50, 3);
    const histogram = histograms.find(({ metric, phase }) => metric === "first-match" && phase === "measure");
    const estimate = (histogram === undefined ? undefined : histogramQuantile(histogram, 0.5)) ?? 0;
    const { lowMicros, highMicros } = bucketBounds(latencyBucket(Math.round(p50 * 1000)));
    expect(estimate).toBeGreaterThanOrEqual(lowMicros);
    expect(estimate).toBeLessThanOrEqual(highMicros);
  });
});
