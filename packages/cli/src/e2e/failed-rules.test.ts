import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const runs = join(cwd, "reports/runs");
const repository = sharedRepository();
const run = (...args: readonly string[]) => callAssay(["run", "-q", "--interface", "stream", ...args], { cwd });
const runHere = (...args: readonly string[]) => run("--repo", repository, ...args);

/** Runs below the usual folder, the oldest first. */
const folders = (): readonly string[] => readdirSync(runs).toSorted();

beforeAll(async () => {
  await runHere("--rule", "two-fields,done-is-last,one-final-progress", "--fault", "comment,no-done");
  const [folder = ""] = folders();
  // The same failures, later and on another target.
  cpSync(join(runs, folder), join(runs, "of-another-target"), { recursive: true });
  const manifest = join(runs, "of-another-target/manifest.json");
  const { target, ...facts } = JSON.parse(readFileSync(manifest, "utf8"));
  const later = {
    ...facts,
    startedAt: "2999-01-01T00:00:00.000Z",
    target: { ...target, url: "http://127.0.0.1:1", embedded: false },
  };
  writeFileSync(manifest, JSON.stringify(later));
});

test("the rules that failed are tested again, without those that are left out", async () => {
  const [folder] = folders();
  const { code, err } = await runHere("--rule", "@failed", "--not-rule", "two-fields", "--out", "again");
  expect([code, err]).toEqual([
    0,
    `note: @failed means stream/two-fields, stream/done-is-last (from reports/runs/${folder})\n`,
  ]);
  expect(JSON.parse(readFileSync(join(cwd, "again/manifest.json"), "utf8"))).toMatchObject({
    rules: ["stream/done-is-last"],
  });
});

test("another target has its own newest run", async () => {
  const { code, err } = await run("--rule", "@failed", "--url", "http://127.0.0.1:1/", "--out", "unreachable");
  expect([code, err]).toEqual([3, expect.stringContaining("(from reports/runs/of-another-target)\n")]);
});

test("if nothing failed, other rules are tested without an error", async () => {
  expect(await runHere("--rule", "two-fields")).toMatchObject({ code: 0 });
  const both = await runHere("--rule", "@failed,done-is-last", "--out", "other");
  expect([both.code, both.err]).toEqual([0, expect.stringContaining("note: @failed means no rule (from ")]);
  const alone = await runHere("--rule", "@failed");
  expect([alone.code, alone.out, alone.err]).toEqual([
    2,
    "",
    expect.stringMatching(
      /^assay: no rule failed in reports\/runs\/\S+, the newest run of the embedded server, so nothing would be tested; remove `--rule @failed`\n$/u,
    ),
  ]);
});

test("a target without a run is a mistake", async () => {
  const { code, err } = await run("--rule", "@failed", "--url", "http://127.0.0.1:2");
  expect([code, err]).toEqual([
    2,
    "assay: there is no judged run of http://127.0.0.1:2 in reports/runs, so `--rule @failed` selects nothing; run all rules first\n",
  ]);
});
