import { existsSync } from "node:fs";
import { join } from "node:path";
import { drawSample, everyNth, isProving } from "@assay/tools/proving";
import { beforeAll, describe, expect, test } from "vitest";
import { assay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { killedAtChange } from "../testing/kill-points.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { runInProcess } from "../testing/run-in-process.ts";
import { httpTarget, rawTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { showsSuccess, writtenVerdicts } from "../testing/written-verdicts.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();

/** The exit code of judging a stored run again; 2 if there is no run. */
const judgedAgain = async (folder: string): Promise<number | null> => {
  const { code } = await callAssay(["judge", folder, "--json", "--out", `${folder}-again`], { cwd });
  return code;
};

describe("a run that could learn nothing", () => {
  const done = "event: done\ndata: {}\n\n";
  const empty = `event: progress\ndata: {"done":true,"repositoriesCount":0,"matchCount":0,"durationMs":1,"skipped":[]}\n\n${done}`;
  const targets = new Map<string, string>();

  beforeAll(async () => {
    targets.set("nobody", "http://127.0.0.1:1");
    targets.set("hang-up", await rawTarget(""));
    targets.set("no-content", await httpTarget((_request, response) => void response.writeHead(204).end()));
    targets.set("empty", await httpTarget((_request, response) => void response.end()));
    targets.set("only-done", await httpTarget((_request, response) => void response.end(done)));
    targets.set("finds-nothing", await httpTarget((_request, response) => void response.end(empty)));
    targets.set("half", await httpTarget((_request, response) => void response.writeHead(200).write("event: pro")));
  });

  const learningNothing = [
    { target: "nobody", exitCode: 3 },
    { target: "hang-up", exitCode: 3 },
    { target: "no-content", exitCode: 1 },
    { target: "empty", exitCode: 1 },
    { target: "only-done", exitCode: 3 },
    { target: "finds-nothing", exitCode: 3 },
    { target: "half", exitCode: 3 },
  ];
  test.concurrent.each(everyNth(learningNothing, 3))(
    "because of a target like $target says so everywhere: $exitCode",
    { tags: "more" },
    async ({ target, exitCode }) => {
      const out = join(cwd, target);
      // Only endless responses have a short timeout.
      const timeout = target === "half" ? 2 : 600;
      const run = await runInProcess({ out, url: targets.get(target) ?? "", timeout, access: "public" });
      const written = writtenVerdicts(out);
      expect([run.exitCode, run.result.exitCode, written.exitCodeInSummary]).toEqual([exitCode, exitCode, exitCode]);
      expect([written.isRedInJunit, showsSuccess(written)]).toEqual([true, false]);
      expect(await judgedAgain(out)).toBe(exitCode);
    },
  );

  test.concurrent.each([
    { rule: "stream/scope-is-required", why: "a token was not given" },
    { rule: "stream/anonymous-search-is-accepted", why: "the target is private" },
  ])("because the only rule that was asked for, $rule, could not be: $why", async ({ rule }) => {
    const out = join(cwd, rule.replace("/", "-"));
    const target = await httpTarget((_request, response) => void response.end(empty));
    const { exitCode } = await runInProcess({ out, url: target, access: "private", rule: [rule] });
    const written = writtenVerdicts(out);
    expect([exitCode, written.result?.outcome, written.isRedInJunit]).toEqual([3, "incomplete", true]);
  });
});

describe("a disk that is full", () => {
  const smallest = isProving ? [] : ["--profile", "smoke"];
  /** A size limit for every file, in blocks of 1,024 bytes, simulates a disk that becomes full. */
  test.concurrent.each(everyNth([2, 1, 4, 8, 16, 24], 6))(
    "after %i blocks ends a run that does not look passed anywhere",
    { tags: "more" },
    async (blocks) => {
      const out = join(cwd, `blocks-${blocks}`);
      const { code, err } = await assay(
        ["run", "--repo", repository, "--interface", "stream", ...smallest, "--quiet", "--out", out],
        {
          cwd,
          fileBlocks: blocks,
        },
      );
      expect(code).toBe(70);
      expect(err).toMatch(/^assay: [^\n]+\n$/u);
      expect(showsSuccess(writtenVerdicts(out))).toBe(false);
      expect(await judgedAgain(out)).not.toBe(0);
    },
  );
});

test("a disk that becomes full while a page is written leaves no partial page", async () => {
  await callAssay(["run", "--repo", repository, "--rule", "two-fields", "--quiet", "--out", "small"], { cwd });
  const { code, err } = await assay(["report", "small", "--out", "pages"], { cwd, fileBlocks: 64 });
  expect([code, err]).toEqual([70, expect.stringMatching(/^assay: [^\n]*report\.html: [^\n]+\n$/u)]);
  expect(existsSync(join(cwd, "pages/report.html"))).toBe(false);
});

/** The progress of a killed run, or how its files show a wrong outcome. */
async function stateOf(out: string, isEnded: boolean): Promise<string> {
  if (!existsSync(join(out, "manifest.json"))) {
    return "nothing";
  }
  const isGreen = showsSuccess(writtenVerdicts(out));
  const isJudgedGreen = (await judgedAgain(out)) === 0;
  // Without a footer the evidence is incomplete, and judging it again must report that.
  if (!existsSync(join(out, "footer.json"))) {
    return isGreen || isJudgedGreen ? `lies: green without all of the evidence in ${out}` : "part";
  }
  return isEnded && !isGreen ? `lies: ended in good order and not green in ${out}` : "all";
}

// What a signal that can be handled leaves is looked at in `judge.test.ts`.
describe("a run that is ended from outside", () => {
  const points = 100;
  const all = Array.from({ length: points }, (_, index) => index);
  const tried = drawSample(all, 8);
  const args = (out: string): readonly string[] => [
    "run",
    "--repo",
    repository,
    "--rule",
    "two-fields",
    "--quiet",
    "--out",
    out,
  ];

  test(
    `at ${tried.length} points of its work by SIGKILL leaves nothing that says passed before all is recorded and judged`,
    { tags: "proof" },
    async () => {
      const unkilled = join(cwd, "unkilled");
      const whole = await killedAtChange(args(unkilled), { cwd, folder: unkilled });
      expect([whole.ended.code, await stateOf(unkilled, true)]).toEqual([0, "all"]);

      const kill = async (index: number): Promise<string> => {
        const folder = join(cwd, `killed-${index}`);
        const change = Math.round((whole.changes * index) / points);
        const { ended } = await killedAtChange(args(folder), { cwd, folder, change });
        return stateOf(folder, ended.signal === null);
      };
      const states: string[] = [];
      const numbers = tried.values();
      const killAll = async (): Promise<void> => {
        for (const index of numbers) {
          states.push(await kill(index));
        }
      };
      await Promise.all(Array.from({ length: 4 }, () => killAll()));
      expect(states.filter((state) => state.startsWith("lies"))).toEqual([]);
      expect(states).toHaveLength(tried.length);
      // If every kill had come too early or too late, the test would have shown nothing.
      expect(states).toContain("part");
    },
  );
});

test("the files show success if a run passed, so these tests can fail", async () => {
  const out = join(cwd, "good");
  const profile = isProving ? "gate" : "smoke";
  const { exitCode, result } = await runInProcess({ out, repo: [repository], profile });
  const written = writtenVerdicts(out);
  expect([exitCode, written.result]).toEqual([0, result]);
  expect([written.isRedInJunit, written.exitCodeInSummary, showsSuccess(written)]).toEqual([false, 0, true]);
});
