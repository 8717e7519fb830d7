import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findNewestRun, resolveRunArgument, resolveRunArguments } from "./latest-run.ts";
import { callAssay } from "./testing/call-assay.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { testContext } from "./testing/test-context.ts";

/** A working folder with runs, each with the given files. */
function folderWith(runs: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const cwd = temporaryFolder();
  for (const [name, files] of Object.entries(runs)) {
    const folder = join(cwd, "reports/runs", name);
    mkdirSync(folder, { recursive: true });
    for (const [file, value] of Object.entries(files)) {
      writeFileSync(join(folder, file), JSON.stringify(value));
    }
  }
  return cwd;
}

const runs = {
  "20260101T000000Z-aaaaaa": { "manifest.json": { startedAt: "2026-01-01T00:00:00.100Z" } },
  renamed: { "manifest.json": { startedAt: "2026-01-03T00:00:00.000Z" }, "verdicts.json": {} },
  "20260102T000000Z-cccccc": { "manifest.json": { startedAt: "2026-01-02T00:00:00.000Z" }, "report.html": "" },
  load: { "load-run.json": { runId: "20260104T000000Z-dddddd" } },
  "load-with-result": { "load.json": { run: { startedAt: "2026-01-02T12:00:00.000Z" } } },
  "not-a-run": { "notes.json": {} },
};

describe("the newest run", () => {
  const cwd = folderWith(runs);

  test.each([
    { need: "run", newest: "load" },
    { need: "evidence", newest: "renamed" },
    { need: "judgeable", newest: "renamed" },
    { need: "result", newest: "renamed" },
    { need: "page", newest: "20260102T000000Z-cccccc" },
    { need: "load", newest: "load-with-result" },
  ] as const)("that has what $need needs is $newest, by the time at which it began", ({ need, newest }) => {
    expect(findNewestRun(cwd, need)).toBe(`reports/runs/${newest}`);
  });

  test("is not the run that is left out", () => {
    expect(findNewestRun(cwd, "evidence", (folder) => folder !== join(cwd, "reports/runs/renamed"))).toBe(
      "reports/runs/20260102T000000Z-cccccc",
    );
  });

  test("whose files are damaged is dated by its folder", () => {
    const damaged = folderWith({ old: { "manifest.json": "" }, new: { "manifest.json": "" } });
    utimesSync(join(damaged, "reports/runs/old"), 1, 1);
    expect(findNewestRun(damaged, "evidence")).toBe("reports/runs/new");
  });

  test("is undefined without runs", () => {
    expect(findNewestRun(temporaryFolder(), "run")).toBeUndefined();
  });
});

describe("a name", () => {
  test("`latest` is the newest run, and standard error says which", () => {
    const context = testContext({ cwd: folderWith(runs) });
    expect(resolveRunArgument("latest", context, "evidence")).toBe("reports/runs/renamed");
    expect(context.written).toEqual({
      out: "",
      err: "note: the newest run of contract tests is reports/runs/renamed\n",
    });
  });

  test("that is left out is the same", () => {
    const context = testContext({ cwd: folderWith(runs) });
    expect([resolveRunArgument(undefined, context, "run"), resolveRunArguments([], context, "run")]).toEqual([
      "reports/runs/load",
      ["reports/runs/load"],
    ]);
  });

  test("`latest` of a folder that is there means that folder", () => {
    const context = testContext({ cwd: folderWith({ ...runs, latest: {} }) });
    expect([resolveRunArgument("latest", context, "run"), context.written.err]).toEqual(["latest", ""]);
  });

  test("of anything else is given on", () => {
    const context = testContext({ cwd: folderWith(runs) });
    expect([resolveRunArgument("else", context, "run"), context.written.err]).toEqual(["else", ""]);
  });
});

test.each([
  ["judge"],
  ["judge", "latest"],
  ["explain", "latest", "done-is-last"],
  ["report"],
  ["baseline", "set", "a"],
  ["compare", "latest", "latest"],
  ["check", "latest"],
  ["cleanup", "latest"],
  ["list", "--coverage", "--run", "latest"],
  ["run", "--baseline", "latest"],
])("`assay %s %s` is refused where nothing was run", async (...args) => {
  expect(await callAssay(args, { cwd: temporaryFolder() })).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(/^assay: there is no [a-z ]*run[a-z ]* in reports\/runs yet; pass a run folder\n$/u),
  });
});
