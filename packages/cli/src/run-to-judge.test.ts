import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findRunToJudge } from "./run-to-judge.ts";
import { callAssay } from "./testing/call-assay.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const cwd = temporaryFolder();
const id = "20260131T120000Z-1a2b3c";

beforeAll(() => {
  for (const file of [
    `reports/runs/${id}/manifest.json`,
    "reports/runs/loaded/load.json",
    "reports/runs/loaded/canary/manifest.json",
    "reports/runs/killed/load-run.json",
    "verdicts-alone/verdicts.json",
    "runs/one/load.json",
    "runs/two/manifest.json",
    "nothing/below/x.txt",
    "answer.sse",
  ]) {
    mkdirSync(join(cwd, dirname(file)), { recursive: true });
    writeFileSync(join(cwd, file), "{}");
  }
});

test.each([id, `reports/runs/${id}`, `./reports/runs/${id}/`])("the run to judge is found by %s", (named) => {
  expect(findRunToJudge(named, cwd)).toBe(join(cwd, "reports/runs", id));
});

describe("a folder that is not a run to judge", () => {
  const commands = [["judge"], ["list", "--coverage", "--run"]] as const;
  test.each([
    { named: "nope", says: "there is no such folder: nope; pass a run folder, or the id of a run in reports/runs" },
    { named: `${id}d`, says: `there is no run \`${id}d\`; did you mean \`${id}\`?` },
    { named: "verdicts-alon", says: "no such file or folder; did you mean `verdicts-alone`?" },
    {
      named: "loaded",
      says: "reports/runs/loaded is a load run without stored exchanges; use reports/runs/loaded/canary for the contract checks of that load run",
    },
    {
      named: "reports/runs/killed",
      says: "reports/runs/killed is a load run without stored exchanges; `assay report` shows it",
    },
    { named: "verdicts-alone", says: "verdicts-alone contains results without evidence" },
    { named: "runs", says: "runs is not a run folder but contains 2 runs; pass one of them, such as runs/two" },
    { named: "nothing", says: "nothing contains no run" },
    { named: "answer.sse", says: "answer.sse is a file, and a run is a folder; use `assay check`" },
  ])("is answered with what `$named` is", async ({ named, says }) => {
    for (const command of commands) {
      const { code, out, err } = await callAssay([...command, named], { cwd });
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^assay: [^\n]+\n$/u);
      expect(err).toContain(says);
    }
  });

  test.each(["judge", "cleanup"])("an id is one to `%s`", async (command) => {
    const { code, err } = await callAssay([command, id], { cwd });
    expect([code, err]).not.toEqual([2, expect.stringContaining("there is no")]);
  });

  test("`cleanup` answers with the nearest id, or that nothing is there", async () => {
    expect((await callAssay(["cleanup", `${id}d`], { cwd })).err).toContain(`did you mean \`${id}\`?`);
    expect((await callAssay(["cleanup", "nope"], { cwd })).err).toContain("there is no such folder: nope");
  });
});
