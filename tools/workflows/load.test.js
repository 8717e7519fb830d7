import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startCommandHost, removeStepFoldersAfterTests, root, step } from "./actions-step.js";

removeStepFoldersAfterTests();

const stored = join(root, "packages/cli/src/testing/stored-load.ts");

/** The command without the load, which would take minutes and a k6: its result exists already. */
const program = (command) => `
import { appendFileSync, renameSync } from "node:fs";
const args = process.argv.slice(2);
const { NIGHT, CODE } = process.env;
if (args.includes("load")) {
  appendFileSync("called", JSON.stringify(args));
  renameSync(NIGHT, args.find((each) => each.startsWith("--out=")).slice(6));
  process.exit(Number(CODE ?? 0));
}
await import(${JSON.stringify(command)});
`;

let command;
beforeAll(async () => {
  const { GITHUB_ACTION_PATH: gate } = await startCommandHost();
  command = join(gate, "../../../packages/cli/bin/assay.js");
});

const idOf = (day) => `202601${String(day).padStart(2, "0")}T030405Z-abcdef`;

/** A slightly different value each night. */
const medianOf = (day, medianMs) => medianMs * (1 + ((day * 7) % 10) / 1000);

/** A repository that Assay was checked out to. */
function checkout(folder) {
  mkdirSync(join(folder, "packages/cli/bin"), { recursive: true });
  mkdirSync(join(folder, ".github/actions/load"), { recursive: true });
  writeFileSync(join(folder, "packages/cli/bin/assay.js"), program(command));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return { GITHUB_ACTION_PATH: join(folder, ".github/actions/load") };
}

/** Restores the cache: runs of earlier nights, and the baseline of the first ten. */
async function bringHistory(one, { earlier = [], baseline = [], medianMs = 100 }) {
  const { writeStoredLoad } = await import(stored);
  const history = join(one.temp, "assay-history");
  const runs = join(history, "reports/runs");
  const keep = (day, median) => writeStoredLoad(runs, { id: idOf(day), medianMs: medianOf(day, median) });
  if (baseline.length > 0) {
    baseline.forEach((day) => keep(day, 100));
    await one.runText(`cd "${history}" && node "${command}" baseline set nightly reports/runs && rm -r reports/runs`);
  }
  earlier.forEach((day) => keep(day, medianMs));
  return {
    ids: () => (existsSync(runs) ? readdirSync(runs) : []),
    hasBaseline: () => existsSync(join(history, "reports/baselines/nightly.json")),
  };
}

/** The folder for the load of this night. */
async function loadedOf({ temp }, { target, ...run }) {
  const { writeStoredLoad } = await import(stored);
  const folder = writeStoredLoad(join(temp, "loaded"), run);
  if (target !== undefined) {
    const file = join(folder, "load.json");
    const result = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...result, run: { ...result.run, target } }));
  }
  return folder;
}

/** The job of a night, and its results. */
async function night(number, { variables = {}, own: different = {}, ...before } = {}) {
  const one = step();
  const own = checkout(join(one.cwd, "assay"));
  const history = await bringHistory(one, before);
  const ended = await one.run("load/load.sh", {
    ...own,
    LOAD_URL: "https://staging.example.com",
    LOAD_CONFIRM_HOST: "staging.example.com\n other.example.com \n",
    LOAD_THRESHOLD: "first-match p95 < 800\nfirst-match p50 < 400\n",
    LOAD_HISTORY: "nightly",
    NIGHT: await loadedOf(one, { id: idOf(number), medianMs: medianOf(number, before.medianMs ?? 100), ...different }),
    ...variables,
  });
  const file = join(one.cwd, "called");
  const called = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  return { ...ended, ids: history.ids(), hasBaseline: history.hasBaseline(), called };
}

const from = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe.concurrent("a night", () => {
  test("passes its inputs on, one flag for each line", async () => {
    const { called, outputs, ids, log } = await night(1);
    expect(called).toEqual([
      "load",
      "--url=https://staging.example.com",
      "--confirm-host=staging.example.com",
      "--confirm-host=other.example.com",
      "--threshold=first-match p95 < 800",
      "--threshold=first-match p50 < 400",
      expect.stringMatching(/^--out=/u),
      "--",
      "search-first-match",
    ]);
    expect([outputs["exit-code"], outputs.kept, ids]).toEqual(["0", "true", [idOf(1)]]);
    expect(log).toContain("1 of the 10 runs are there that a baseline needs");
  });

  test("without a baseline has no decision, which fails if one is required", async () => {
    const { outputs, called } = await night(1, { variables: { LOAD_DECIDE: "true" } });
    expect(outputs["exit-code"]).toBe("5");
    expect(called).toContain("--decide");
  });

  test("the tenth makes the baseline", async () => {
    const { outputs, ids, hasBaseline } = await night(10, { earlier: from(1, 9) });
    expect([outputs["exit-code"], ids, hasBaseline]).toEqual(["0", [], true]);
  });

  test.each([
    { name: "that is as the baseline is", medianMs: 100, code: "0" },
    { name: "that is slower than it", medianMs: 130, code: "4" },
  ])("$name ends with $code, and the newest ten are kept", async ({ medianMs, code }) => {
    const { outputs, ids, summary } = await night(22, { baseline: from(1, 10), earlier: from(11, 21), medianMs });
    expect(outputs["exit-code"]).toBe(code);
    expect(ids).toEqual(from(13, 22).map((at) => idOf(at)));
    expect(summary).not.toBe("");
  });

  test("whose baseline is reset starts again, without the earlier runs", async () => {
    const variables = { LOAD_RESET_BASELINE: "true" };
    const { outputs, hasBaseline, ids } = await night(21, { baseline: from(1, 10), earlier: from(11, 20), variables });
    expect([outputs["exit-code"], hasBaseline, ids]).toEqual(["0", false, [idOf(21)]]);
  });
});

const other = { target: "https://other.example.com" };

describe.concurrent("a night that is not of the same as those that are kept", () => {
  test.each([
    { name: "runs", before: { earlier: from(1, 9) } },
    { name: "a baseline", before: { baseline: from(1, 10) } },
  ])("of another target than that of $name that are kept is refused", async ({ before }) => {
    const { outputs, ids } = await night(21, { ...before, own: other });
    expect([outputs["exit-code"], outputs.kept, ids.length]).toEqual(["2", undefined, before.earlier?.length ?? 0]);
    expect(outputs.summary).toMatch(
      /it is search-first-match on https:\/\/other\.example\.com, .*Give another history/u,
    );
  });

  test("of another target starts again if the baseline is reset", async () => {
    const variables = { LOAD_RESET_BASELINE: "true" };
    const { outputs, ids } = await night(21, { earlier: from(1, 9), own: other, variables });
    expect([outputs["exit-code"], ids]).toEqual(["0", [idOf(21)]]);
  });

  test("whose first ten are of two machines makes no baseline, and reports it", async () => {
    const { outputs, hasBaseline } = await night(10, { earlier: from(1, 9), own: { ratePerSecond: 20 } });
    expect([outputs["exit-code"], hasBaseline]).toEqual(["3", false]);
    expect(outputs.summary).toContain("the first 10 runs make no baseline");
  });
});

describe.concurrent("a night that is not well", () => {
  test.each(["1", "3", "130", "70", "2"])("that ends with %s is not kept", async (CODE) => {
    const { outputs, ids } = await night(1, { variables: { CODE } });
    expect([outputs["exit-code"], outputs.kept, ids]).toEqual([CODE, undefined, []]);
  });

  test("that misses a threshold is kept, and fails", async () => {
    const { outputs, ids } = await night(1, { variables: { CODE: "4" } });
    expect([outputs["exit-code"], ids.length]).toEqual(["4", 1]);
  });

  test.each([
    { name: "no target", variables: { LOAD_URL: "" }, says: "there is no target" },
    { name: "a baseline that is a path", variables: { LOAD_BASELINE: "../x" }, says: "the input baseline" },
    { name: "a history with a slash", variables: { LOAD_HISTORY: "nightly/eu" }, says: "the input history" },
    { name: "a history with a comma", variables: { LOAD_HISTORY: "a,b" }, says: "the input history" },
    { name: "a switch that is none", variables: { LOAD_DECIDE: "$(touch pwned)" }, says: "takes true or false" },
  ])("with $name is a mistake, and nothing is loaded", async ({ variables, says }) => {
    const { outputs, called } = await night(1, { variables });
    expect([outputs["exit-code"], called]).toEqual(["2", undefined]);
    expect(outputs.summary).toContain(says);
  });
});

test("codes have the same priority as in the command", () => {
  const [, order] = /for known in ([\d ]+);/u.exec(readFileSync(join(root, ".github/actions/load/load.sh"), "utf8"));
  const source = readFileSync(join(root, "packages/results/src/exit-codes.ts"), "utf8");
  const [, outcomes] = /outcomePrecedence = \[([^\]]+)\]/u.exec(source);
  const codes = [...source.matchAll(/code: (\d+), *(?:\n *)?(?:\n)? *outcome: "([a-z-]+)"/gu)];
  const expected = [...outcomes.matchAll(/"([a-z-]+)"/gu)].flatMap(([, name]) =>
    codes.filter(([, , outcome]) => outcome === name).map(([, code]) => code),
  );
  expect(expected.length).toBe(10);
  expect(`${order} 0`.split(" ")).toEqual(expected);
});
