import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { type EndingRun, endRun } from "./end-run.ts";
import { createRunLog } from "./run-log.ts";

const secret = { name: "token", value: "sgp_glowing_zebra_42" };

function ending(changes: Partial<EndingRun> = {}) {
  const folder = temporaryFolder();
  const env = { GITHUB_ACTIONS: "true", GITHUB_OUTPUT: join(folder, "outputs") };
  const context = testContext({ env, cwd: folder });
  const secrets = [secret];
  const run: EndingRun = {
    context,
    folder,
    secrets,
    log: createRunLog({ folder, context, secrets }),
    result: { outcome: "passed", exitCode: 0, summary: "all is well" },
    unrendered: [],
    renderOutput: () => "shown\n",
    reportInput: () => ({ runs: [], loads: [], comparisons: [] }),
    ...changes,
  };
  const text = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { run, folder, written: context.written, text };
}

describe("a run with a file that could not be rendered", () => {
  test("is shown, and is a bug to the process, the log and GitHub", async () => {
    const { run, written, text } = ending({ unrendered: [{ name: "report.html", reason: "TypeError: x" }] });
    expect([await endRun(run), written.out]).toEqual([70, "shown\n"]);
    expect(written.err).toContain("report.html could not be rendered (TypeError: x); all other files were written");
    expect(written.err).toContain("::error title=Assay::report.html could not be rendered\n");
    expect(JSON.parse(text("log.ndjson"))).toMatchObject({
      event: "run-finished",
      outcome: "harness-error",
      exitCode: 70,
    });
    expect(text("outputs")).toContain("outcome=harness-error\nexit-code=70\n");
  });
});

describe("a run with a secret in a file", () => {
  test("is not shown, and the file is removed", async () => {
    const { run, folder, written, text } = ending();
    writeFileSync(join(folder, "report.html"), `<p>${secret.value}</p>`);
    expect([await endRun(run), written.out]).toEqual([70, ""]);
    expect(existsSync(join(folder, "report.html"))).toBe(false);
    expect(written.err).toContain("a secret was found in report.html, which was removed");
    expect(text("outputs")).toBe("outcome=harness-error\nexit-code=70\n");
  });

  test("keeps the secret out of every line of its log", async () => {
    const { run, text } = ending();
    run.log.add({ event: "probe-skipped", probe: secret.value, reason: `token ${secret.value}\n` });
    expect([await endRun(run), text("log.ndjson").includes("zebra")]).toEqual([0, false]);
    expect(text("log.ndjson").trimEnd().split("\n")).toHaveLength(2);
  });
});
