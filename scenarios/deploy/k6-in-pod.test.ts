import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const script = fileURLToPath(new URL("k6-in-pod.sh", import.meta.url));
const scenario = "export default function () {}\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-pod-"));
  mkdirSync(join(folder, "results"));
  writeFileSync(join(folder, "plan.json"), '{"version":1}');
  writeFileSync(join(folder, "search.js"), scenario);
  // Prints its arguments and environment instead of running k6.
  writeFileSync(join(folder, "k6"), '#!/bin/sh\necho "$@"\npwd\nenv | grep ^ASSAY_ | sort\n');
  chmodSync(join(folder, "k6"), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inPod = (
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { status: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync("sh", [script, ...args], {
    encoding: "utf8",
    timeout: 10_000,
    env: {
      PATH: process.env["PATH"],
      HOSTNAME: "assay-load-2",
      ASSAY_K6_PROGRAM: join(folder, "k6"),
      ASSAY_PLAN: join(folder, "plan.json"),
      ASSAY_RESULTS: join(folder, "results"),
      ...env,
    },
  });
  return { status, out: stdout, err: stderr };
};

const run = (env: NodeJS.ProcessEnv = {}): ReturnType<typeof inPod> =>
  inPod(["run", "--quiet", "--no-thresholds", join(folder, "search.js"), "--paused", "--tag", "instance_id=2"], env);

test.each([
  { name: "settings for kept exchanges", env: { ASSAY_KEEP_BYTES: "1000" }, keeps: true },
  { name: "no settings", env: {}, keeps: false },
])("exchanges are kept with $name: $keeps", ({ env, keeps }) => {
  const path = `ASSAY_EXCHANGES=${join(folder, "results/assay-load-2/exchanges")}`;
  expect(run(env).out.split("\n").includes(path)).toBe(keeps);
});

test("a run gets a folder named after its host with its plan and scenario, and the paths to write to", () => {
  const { status, out } = run();
  const own = join(folder, "results/assay-load-2");
  expect(status).toBe(0);
  expect(readFileSync(join(own, "plan.json"), "utf8")).toBe('{"version":1}');
  expect(readFileSync(join(own, "scenario.js"), "utf8")).toBe(scenario);
  expect(out.split("\n")).toEqual(
    expect.arrayContaining([
      `run --quiet --no-thresholds ${join(folder, "search.js")} --paused --tag instance_id=2`,
      own,
      `ASSAY_PLAN=${join(own, "plan.json")}`,
      `ASSAY_SAMPLES=${join(own, "samples.ndjson")}`,
      `ASSAY_SUMMARY=${join(own, "k6-summary.json")}`,
      `ASSAY_LEDGER=${join(own, "ledger.ndjson")}`,
      `ASSAY_SCENARIO_SHA256=${createHash("sha256").update(scenario).digest("hex")}`,
    ]),
  );
});

test("files of an earlier run with the same name are removed, and nothing else", () => {
  mkdirSync(join(folder, "results/assay-load-2"));
  mkdirSync(join(folder, "results/assay-load-1"));
  writeFileSync(join(folder, "results/assay-load-2/k6-summary.json"), "{}");
  writeFileSync(join(folder, "results/assay-load-1/k6-summary.json"), "{}");
  expect(run().status).toBe(0);
  expect(readdirSync(join(folder, "results/assay-load-2")).sort()).toEqual(["plan.json", "scenario.js"]);
  expect(existsSync(join(folder, "results/assay-load-1/k6-summary.json"))).toBe(true);
});

describe("calls k6 unchanged", () => {
  test.each([
    { name: "for another command", args: ["archive", "/x.js"], env: {} },
    { name: "for a run without a place for results", args: ["run", "/x.js"], env: { ASSAY_RESULTS: "" } },
    { name: "without a command", args: [], env: {} },
  ])("$name", ({ args, env }) => {
    const { status, out } = inPod(args, env);
    expect(status).toBe(0);
    expect(out.split("\n")[0]).toBe(args.join(" "));
    expect(out).not.toContain("ASSAY_SAMPLES");
    expect(readdirSync(join(folder, "results"))).toEqual([]);
  });
});

describe("refuses and changes nothing", () => {
  test.each([
    { name: "a host name that leads elsewhere", env: { HOSTNAME: "../plan" }, says: "host name" },
    { name: "a host name that is hidden", env: { HOSTNAME: ".." }, says: "host name" },
    { name: "a missing plan", env: { ASSAY_PLAN: "/nowhere/plan.json" }, says: "/nowhere/plan.json" },
    { name: "no plan", env: { ASSAY_PLAN: "" }, says: "ASSAY_PLAN" },
  ])("$name", ({ env, says }) => {
    const { status, err } = run(env);
    expect(status).toBe(2);
    expect(err).toContain(says);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(readdirSync(join(folder, "results"))).toEqual([]);
  });
});

test("the exit code of k6 is returned", () => {
  writeFileSync(join(folder, "k6"), "#!/bin/sh\nexit 107\n");
  expect(run().status).toBe(107);
});
