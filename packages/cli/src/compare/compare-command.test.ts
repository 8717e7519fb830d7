import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { writeStoredLoad } from "../testing/stored-load.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();

/** Ten runs whose medians differ a little, as those of one instance do. */
const tenRuns = (name: string, medianMs: number): void => {
  for (let index = 0; index < 10; index += 1) {
    writeStoredLoad(join(cwd, name), { id: `${name}-${index}`, medianMs: medianMs * (1 + ((index * 7) % 10) / 1000) });
  }
};

const verdictOf = async (args: readonly string[]) => {
  const { code, out, err } = await callAssay(["compare", ...args, "--json"], { cwd });
  const { verdict, outcome, exitCode }: Record<string, unknown> = JSON.parse(out);
  return { code, verdict, outcome, exitCode, err };
};

beforeAll(() => {
  tenRuns("before", 100);
  tenRuns("same", 100);
  tenRuns("slower", 130);
  tenRuns("faster", 70);
  writeStoredLoad(join(cwd, "reports/runs"), { id: "20260102T030405Z-abcdef", medianMs: 200 });
  writeStoredLoad(join(cwd, "other"), { id: "other-rate", medianMs: 100, ratePerSecond: 20 });
});

describe("stored runs", () => {
  test.each([
    { name: "of two equal sides are unchanged", args: ["before", "same"], verdict: "unchanged", code: 0 },
    { name: "of a slower side have regressed", args: ["before", "slower"], verdict: "regressed", code: 4 },
    { name: "of a faster side have improved", args: ["before", "faster"], verdict: "improved", code: 0 },
    {
      name: "one against one decide nothing, however far apart",
      args: ["before/before-0", "20260102T030405Z-abcdef"],
      verdict: "inconclusive",
      code: 0,
    },
    {
      name: "one against one fail when a decision is asked for",
      args: ["before/before-0", "20260102T030405Z-abcdef", "--decide"],
      verdict: "inconclusive",
      code: 5,
    },
    {
      name: "several with commas between are one side",
      args: ["before/before-0,before/before-1", "same", "--decide"],
      verdict: "inconclusive",
      code: 5,
    },
    { name: "of other rates cannot be compared", args: ["before/before-0", "other"], verdict: "inconclusive", code: 3 },
  ])("$name", async ({ args, verdict, code }) => {
    expect(await verdictOf(args)).toMatchObject({ code, exitCode: code, verdict, err: "" });
  });

  test("are shown as a table with the verdict last", async () => {
    const { code, out } = await callAssay(["compare", "before", "slower"], { cwd });
    expect(code).toBe(4);
    expect(out).toMatch(/first-match p50 +✗ regressed +100 +131/u);
    const [, banner = ""] = out.split(`${"─".repeat(100)}\n`);
    expect(banner.split("\n")[0]).toBe("✗ SLOWER  exit code 4");
  });
});

test("a run that cannot be compared is reported with its folder", async () => {
  const folder = writeStoredLoad(join(cwd, "ended"), { id: "before-7", medianMs: 100 });
  const result = JSON.parse(readFileSync(join(folder, "load.json"), "utf8"));
  result.run.id = "20261121T215649Z-77f0b0";
  result.trust.valid = false;
  const incomplete = [{ code: "invalid-load", message: "the figures are invalid" }];
  writeFileSync(
    join(folder, "load.json"),
    JSON.stringify({ ...result, outcome: "incomplete", exitCode: 3, incomplete }),
  );
  const says = "run 20261121T215649Z-77f0b0 (ended/before-7) is invalid";
  expect((await callAssay(["compare", "ended/before-7", "same"], { cwd })).out).toContain(says);
  expect((await callAssay(["baseline", "set", "x", "ended/before-7"], { cwd })).err).toContain(says);
});

describe("a mistyped run", () => {
  beforeAll(() => {
    writeStoredLoad(join(cwd, "reports/runs/tour"), { id: "before", medianMs: 100 });
  });

  test.each([
    { args: ["compare", "reports/runs/tour/befor", "same"], meant: "reports/runs/tour/before" },
    { args: ["compare", "same", "reports/run/tour/before"], meant: "reports/runs/tour/before" },
    { args: ["compare", "tour/befor", "same"], meant: "tour/before" },
    { args: ["compare", "befor", "same"], meant: "before" },
    { args: ["compare", "before/before-0,before/befre-1", "same"], meant: "before/before-1" },
    { args: ["baseline", "set", "x", "reports/runs/tour/befor"], meant: "reports/runs/tour/before" },
    { args: ["load", "merge", "before/before-0", "before/befre-1"], meant: "before/before-1" },
  ])("in `$args` is answered with `$meant`", async ({ args, meant }) => {
    const { code, err } = await callAssay(args, { cwd });
    expect([code, err]).toEqual([2, expect.stringMatching(/^assay: [^\n]+\n$/u)]);
    expect(err).toContain(`did you mean \`${meant}\`?`);
  });
});

describe("a baseline", () => {
  test("is set, listed and compared with by its name", async () => {
    const set = await callAssay(["baseline", "set", "released", "before"], { cwd });
    expect([set.code, set.out]).toEqual([0, "released: saved 10 runs to reports/baselines/released.json\n"]);
    const list = await callAssay(["baseline", "list"], { cwd });
    expect(list.out).toMatch(/^released {2}10 runs of search-first-match on http:\/\/127\.0\.0\.1:3080, 2026/u);
    expect(await verdictOf(["released", "slower"])).toMatchObject({ verdict: "regressed", code: 4 });
  });

  test("that is mistyped is answered with the nearest name", async () => {
    await callAssay(["baseline", "set", "released", "before"], { cwd });
    const { code, err } = await callAssay(["compare", "relased", "slower"], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("did you mean `released`?")]);
  });

  test.each([
    { name: "of a name that is not a file name", args: ["../x", "before"], says: /name/u },
    { name: "of runs that differ", args: ["mixed", "before/before-0", "other"], says: /rate/u },
    { name: "of the same run twice", args: ["twice", "before/before-0", "before/before-0"], says: /passed twice/u },
  ])("$name is refused", async ({ args, says }) => {
    const { code, err } = await callAssay(["baseline", "set", ...args], { cwd });
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  });
});

test("merging needs more than one run", async () => {
  const { code, err } = await callAssay(["load", "merge", "before/before-0"], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining("there is only one run to merge")]);
});
