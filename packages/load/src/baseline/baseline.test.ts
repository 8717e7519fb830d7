import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compareStored } from "../compare/compare-stored.ts";
import { storedRunOf } from "../compare/testing/simulate-stored.ts";
import { listBaselines } from "./list-baselines.ts";
import { readBaseline } from "./read-baseline.ts";
import { setBaseline } from "./set-baseline.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-baseline-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const run = (id: string) => storedRunOf(id, `2026-01-0${id.length}T00:00:00.000Z`, Float64Array.of(1, 2, 3));
const seenCodes = new Set<string>();

/** Awaits a failure and keeps its code, for the last test. */
const failure = async (promise: Promise<unknown>): Promise<string> => {
  const caught = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const message = caught instanceof Error ? caught.message : "did not fail";
  seenCodes.add(message.slice(0, message.indexOf(":")));
  expect(message).toMatch(/^[a-z-]+: [^\n]+\.?( \(and \d+ more\))?$/u);
  return message;
};

describe("a baseline", () => {
  test("is read as it was stored, has only the facts for a comparison, and can be compared", async () => {
    const inside = join(folder, "deep", "baselines");
    const results = [run("a"), run("bb")].map((stored) => ({
      ...stored,
      histograms: ["large"],
      summary: "text",
      folder: "reports/runs/x",
    }));
    const path = await setBaseline({ folder: inside, name: "main-2.0_x", runs: results });
    expect(path).toBe(join(inside, "main-2.0_x.json"));
    const baseline = await readBaseline(inside, "main-2.0_x");
    expect(baseline).toEqual({ assay: "baseline", schemaVersion: 1, name: "main-2.0_x", runs: [run("a"), run("bb")] });
    expect(compareStored(baseline.runs, [run("ccc")], { base: "main", head: "now" }).incomparable).toEqual([]);
    expect(await readdir(inside)).toEqual(["main-2.0_x.json"]);
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  test("replaces one of the same name", async () => {
    await setBaseline({ folder, name: "main", runs: [run("a"), run("bb")] });
    await setBaseline({ folder, name: "main", runs: [run("ccc")] });
    expect((await readBaseline(folder, "main")).runs.map((stored) => stored.run.id)).toEqual(["ccc"]);
  });

  test("that is refused leaves the previous one unchanged", async () => {
    const path = await setBaseline({ folder, name: "main", runs: [run("a")] });
    const before = await readFile(path, "utf8");
    await failure(setBaseline({ folder, name: "main", runs: [run("a"), { nothing: true }] }));
    expect(await readFile(path, "utf8")).toBe(before);
  });
});

describe("a baseline cannot be set for", () => {
  const good = run("a");
  test.each([
    {
      name: "a name with a slash",
      as: "../main",
      runs: [good],
      says: /^bad-name: "\.\.\/main" is not a valid baseline name; use 1 to 60 characters/u,
    },
    { name: "an empty name", as: "", runs: [good], says: /^bad-name/u },
    { name: "a name that is too long", as: "x".repeat(61), runs: [good], says: /^bad-name/u },
    { name: "a name with capitals", as: "Main", runs: [good], says: /^bad-name/u },
    { name: "a name with a line break at its end", as: "main\n", runs: [good], says: /^bad-name/u },
    { name: "no runs", as: "main", runs: [], says: /^no-runs/u },
    {
      name: "a value that is not a run",
      as: "main",
      runs: [good, { schemaVersion: 1, verdicts: [] }],
      says: /^not-a-load-result: run 2 of those given is not the result of a load run/u,
    },
    { name: "nothing", as: "main", runs: [null], says: /^not-a-load-result/u },
    {
      name: "a result with a damaged metric",
      as: "main",
      runs: [{ ...good, metrics: [{ metric: "first-match", side: "base", count: 3, p50: { value: "3" } }] }],
      says: /^not-a-load-result/u,
    },
    {
      name: "another schema version",
      as: "main",
      runs: [{ ...good, schemaVersion: 3 }],
      says: /^unsupported-schema: run 1 of those given has schema version 3/u,
    },
    {
      name: "an invalid run",
      as: "main",
      runs: [{ ...good, trust: { valid: false } }],
      says: /^unusable-run: run a is invalid/u,
    },
    {
      name: "an invalid run, and its folder",
      as: "main",
      runs: [{ ...good, trust: { valid: false }, folder: "before-7" }],
      says: /^unusable-run: run a \(before-7\) is invalid/u,
    },
    { name: "a folder that is not text", as: "main", runs: [{ ...good, folder: {} }], says: /^not-a-load-result/u },
    {
      name: "a run that was answered by a login page",
      as: "main",
      runs: [{ ...good, incomplete: [{ code: "not-the-api", message: "a web page" }] }],
      says: /^unusable-run: run a was not always answered by the API/u,
    },
    {
      name: "a run that ended early",
      as: "main",
      runs: [{ ...good, complete: false }],
      says: /^unusable-run: run a ended early/u,
    },
    { name: "one run twice", as: "main", runs: [good, good], says: /^unusable-run: run a was passed twice/u },
    {
      name: "runs at different rates",
      as: "main",
      runs: [good, { ...run("bb"), plan: { ...good.plan, ratePerSecond: 7 } }],
      says: /^runs-differ: the arrival rate differs: 20 a second in run a, 7 a second in run bb/u,
    },
  ])("$name", async ({ as, runs, says }) => {
    expect(await failure(setBaseline({ folder, name: as, runs }))).toMatch(says);
    expect(await readdir(folder)).toEqual([]);
  });

  test("a baseline in a folder that is a file", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(setBaseline({ folder: join(folder, "file"), name: "main", runs: [good] })).rejects.toThrow(
      /make the folder/u,
    );
  });
});

describe("a baseline cannot be read from", () => {
  test("a name that does not exist names the nearest one", async () => {
    await setBaseline({ folder, name: "release-1", runs: [run("a")] });
    await setBaseline({ folder, name: "main", runs: [run("a")] });
    expect(await failure(readBaseline(folder, "mian"))).toContain('the nearest name is "main"');
    expect(await failure(readBaseline(folder, "relase-1"))).toContain('the nearest name is "release-1"');
  });

  test("a folder that does not exist has no baselines", async () => {
    expect(await failure(readBaseline(join(folder, "none"), "main"))).toContain("set one with");
    expect(await listBaselines(join(folder, "none"))).toEqual([]);
  });

  test.each([
    { name: "a file that is not JSON", text: "{", says: /^not-a-baseline/u },
    { name: "another kind of file", text: '{"assay":"samples"}', says: /^not-a-baseline/u },
    { name: "a list", text: "[]", says: /^not-a-baseline/u },
    { name: "another schema", text: '{"assay":"baseline","schemaVersion":9,"runs":[]}', says: /^unsupported-schema/u },
    {
      name: "a value that is not a run",
      text: '{"assay":"baseline","schemaVersion":1,"runs":[{"schemaVersion":1}]}',
      says: /^not-a-load-result: run 1 in /u,
    },
  ])("$name", async ({ text, says }) => {
    await writeFile(join(folder, "main.json"), text);
    expect(await failure(readBaseline(folder, "main"))).toMatch(says);
  });

  test("a file that is too large, before it is read", async () => {
    await writeFile(join(folder, "main.json"), Buffer.alloc(33 * 1024 * 1024));
    expect(await failure(readBaseline(folder, "main"))).toMatch(/^too-large/u);
  });

  test("a folder in its place", async () => {
    await mkdir(join(folder, "main.json"));
    expect(await failure(readBaseline(folder, "main"))).toMatch(/^unreadable: .*EISDIR/u);
  });
});

describe("the list", () => {
  test("has all baselines by name, a damaged one with its problem, and no other files", async () => {
    await setBaseline({ folder, name: "main", runs: [run("bb"), run("a")] });
    await writeFile(join(folder, "broken.json"), "{");
    await writeFile(join(folder, "notes.txt"), "");
    await writeFile(join(folder, "Capital.json"), "");
    expect(await listBaselines(folder)).toEqual([
      { name: "broken", problem: expect.stringMatching(/^not-a-baseline/u) },
      {
        name: "main",
        runs: 2,
        scenario: "search-first-match",
        target: "http://127.0.0.1:1",
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-01-02T00:00:00.000Z",
      },
    ]);
  });

  test("of a file is unreadable", async () => {
    await writeFile(join(folder, "file"), "");
    expect(await failure(listBaselines(join(folder, "file")))).toMatch(/^unreadable/u);
  });
});

test("the tests above cover every code", () => {
  expect([...seenCodes].toSorted()).toEqual([
    "bad-name",
    "no-baseline",
    "no-runs",
    "not-a-baseline",
    "not-a-load-result",
    "runs-differ",
    "too-large",
    "unreadable",
    "unsupported-schema",
    "unusable-run",
  ]);
});
