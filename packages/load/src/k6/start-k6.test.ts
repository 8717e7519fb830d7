import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failedAt, samplesText, streamAt } from "../testing/load-fixtures.ts";
import { programIn, runFolder } from "../testing/run-folder.ts";
import { findTestK6 } from "../testing/test-k6.ts";
import type { LoadProgress } from "./load-progress.ts";
import { startK6, type StartK6Options } from "./start-k6.ts";

const k6 = await findTestK6();
const usual = { env: {}, wallLimitMs: 20_000, graceMs: 5000, progressMs: 50 } as const;
const logOf = async (folder: string): Promise<string> => readFile(join(folder, "k6.log"), "utf8");
/** State letters of a process, as `ps` has them: empty when it is gone, Z when only its entry is left. */
const stateOf = (pid: number): string =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();

/** One iteration of one virtual user, with a summary of the script's environment. */
const scriptWith = (body: string, options = "vus: 1, iterations: 1"): string => `
import exec from "k6/execution";
import { sleep } from "k6";
import { Counter } from "k6/metrics";
const seen = new Counter("seen");
export const options = { ${options} };
export default function () { ${body} }
export function handleSummary(data) {
  const given = { plan: open ? "init" : "", env: __ENV.GIVEN, vus: __ENV.K6_VUS, token: __ENV.ASSAY_TOKEN };
  return { [__ENV.ASSAY_SUMMARY]: JSON.stringify({ given, iterations: data.metrics.iterations?.values.count }) };
}
`;
const endless = scriptWith("console.log('begun'); sleep(0.05);", "vus: 1, duration: '60s'");

/** Aborts once the program has said `begun`: however long it took to start, it hears signals by then. */
const abortOnceBegun = (folder: string): Pick<StartK6Options, "signal" | "onProgress"> => {
  const controller = new AbortController();
  const log = join(folder, "k6.log");
  return {
    signal: controller.signal,
    onProgress: () => void (existsSync(log) && readFileSync(log, "utf8").includes("begun") && controller.abort()),
  };
};

describe.skipIf(k6 === undefined)("a real k6 (skipped: no k6)", () => {
  const real = { path: k6?.path ?? "" };

  test.each<[string, string, object]>([
    ["a run to its end is complete", scriptWith("seen.add(1);"), { exitCode: 0, cause: "complete" }],
    [
      "a run that crosses a threshold of k6 is complete",
      scriptWith("seen.add(1);", "vus: 1, iterations: 1, thresholds: { seen: ['count>1'] }"),
      { exitCode: 99, cause: "complete" },
    ],
    [
      "an exception in an iteration leaves it complete",
      scriptWith("throw new Error('x');"),
      { exitCode: 0, cause: "complete" },
    ],
    [
      "a script that ends the test crashed",
      scriptWith("exec.test.abort('the disk is full');"),
      { exitCode: 108, cause: "crashed", sentence: expect.stringContaining("the disk is full") },
    ],
    [
      "a script that marks the test as failed crashed",
      scriptWith("exec.test.fail('no');"),
      { exitCode: 110, cause: "crashed", sentence: expect.stringContaining("marked the test as failed") },
    ],
    [
      "a script that throws at its start crashed",
      "throw new Error('no plan');",
      { exitCode: 107, cause: "crashed", sentence: expect.stringContaining("no plan") },
    ],
    [
      "a script that is no JavaScript crashed",
      "export default (",
      { exitCode: 107, cause: "crashed", sentence: expect.stringContaining("the script threw") },
    ],
    [
      "options that are none are the harness's fault",
      scriptWith("", "scenarios: { a: { executor: 'constant-vus', vus: -1, duration: '1s' } }"),
      { exitCode: 104, cause: "crashed", sentence: expect.any(String), isHarnessFault: true },
    ],
  ])("%s", async (_name, script, end) => {
    expect(await startK6({ ...usual, k6: real, folder: await runFolder(script) })).toEqual(end);
  });

  test("the script gets its variables, without those that would change the load", async () => {
    const folder = await runFolder(scriptWith(""));
    const env = { GIVEN: "yes", K6_VUS: "50", K6_ITERATIONS: "500", ASSAY_TOKEN: "sesame" };
    await startK6({ ...usual, k6: real, folder, env });
    expect(JSON.parse(await readFile(join(folder, "k6-summary.json"), "utf8"))).toMatchObject({
      given: { env: "yes", token: "sesame" },
      iterations: 1,
    });
  });

  test("the output of k6 is stored without secrets", async () => {
    const folder = await runFolder(scriptWith("console.error('token ' + __ENV.ASSAY_TOKEN);"));
    const redact = (text: string): string => text.replaceAll("sesame", "[secret]");
    await startK6({ ...usual, k6: real, folder, env: { ASSAY_TOKEN: "sesame" }, redact });
    expect(await logOf(folder)).toMatch(/token \[secret\]/u);
  });

  test("a run that is interrupted still writes its summary", async () => {
    const folder = await runFolder(endless);
    const end = await startK6({ ...usual, k6: real, folder, ...abortOnceBegun(folder) });
    expect(end).toEqual({ exitCode: 105, cause: "interrupted", sentence: "the run was interrupted" });
    expect(existsSync(join(folder, "k6-summary.json"))).toBe(true);
  });

  test("a run beyond its limit is ended", async () => {
    const end = await startK6({ ...usual, k6: real, folder: await runFolder(endless), wallLimitMs: 800 });
    expect(end).toMatchObject({ cause: "deadline", sentence: expect.stringContaining("the limit of this run") });
  });

  test("a target in distress ends the run", async () => {
    const folder = await runFolder(endless);
    const failures = Array.from({ length: 30 }, (_none, index) => failedAt(index * 100, "bad-status", { status: 500 }));
    const progress: LoadProgress[] = [];
    const end = await startK6({
      ...usual,
      k6: real,
      folder,
      progressMs: 300,
      onProgress: (now) => {
        progress.push(now);
        // The samples are there by the time of the second look.
        void appendFile(join(folder, "samples.ndjson"), progress.length === 1 ? samplesText(failures) : "");
      },
    });
    expect(end).toMatchObject({ cause: "distress", sentence: expect.stringContaining("20 requests in a row failed") });
    expect(progress.at(-1)).toMatchObject({ ok: 0, failed: 30, violations: 0 });
  });
});

describe("a program in place of k6", () => {
  const run = async (shell: string, changes: Partial<StartK6Options> = {}) => {
    const folder = await runFolder("");
    const program = await programIn(folder, shell);
    return { folder, end: await startK6({ ...usual, k6: program, folder, ...changes }) };
  };

  test("it is started in the folder of the run with the names of its files", async () => {
    const { folder } = await run('pwd; echo "$ASSAY_PLAN $ASSAY_SAMPLES"; echo "$*"', {
      extraArgs: ["--out", "csv=x"],
    });
    const lines = (await logOf(folder)).split("\n");
    expect(lines).toEqual([
      folder,
      `${folder}/plan.json ${folder}/samples.ndjson`,
      `run --quiet --no-color --address  --out csv=x ${folder}/scenario.js`,
      "",
    ]);
  });

  test("a k6 that does not end on a signal is killed", async () => {
    const folder = await runFolder("");
    const program = await programIn(folder, "trap '' INT; echo begun; while :; do sleep 0.05; done");
    const end = await startK6({ ...usual, k6: program, folder, graceMs: 200, ...abortOnceBegun(folder) });
    expect(end).toEqual({ cause: "interrupted", sentence: expect.stringContaining("and was killed") });
  });

  test("one that is aborted before it starts is ended", async () => {
    const { end } = await run("sleep 60", { signal: AbortSignal.abort() });
    expect(end.cause).toBe("interrupted");
  });

  test("its child processes are killed with it, and an open pipe does not block the run", async () => {
    const { folder, end } = await run('sleep 60 & echo "$!"');
    const pid = Number((await logOf(folder)).trim());
    expect(end.cause).toBe("complete");
    await expect.poll(() => stateOf(pid)).toMatch(/^(?:Z.*)?$/u);
  });

  test("one that is killed from outside crashed", async () => {
    const { end } = await run("kill -KILL $$");
    expect(end).toEqual({ cause: "crashed", sentence: expect.stringContaining("killed (SIGKILL)") });
  });

  test.each([
    [105, "interrupted"],
    [109, "crashed"],
    [255, "crashed"],
    [3, "crashed"],
  ])("exit code %d means %s", async (exitCode, cause) => {
    expect((await run(`exit ${exitCode}`)).end).toMatchObject({ exitCode, cause });
  });

  test("a flood of output is cut at 1 MiB", async () => {
    const { folder } = await run("yes 0123456789012345678901234567890123456789 | head -c 3000000");
    expect((await stat(join(folder, "k6.log"))).size).toBeLessThanOrEqual(1_048_576 + 100);
    expect((await logOf(folder)).split("\n").at(-2)).toBe("(the rest of the log was dropped)");
  });

  test("a secret that comes in two parts is replaced, and one in an endless line is left out", async () => {
    const shell = "printf 'a ses'; sleep 0.2; echo 'ame b'; head -c 40000 /dev/zero | tr '\\0' x; echo sesame";
    const { folder } = await run(shell, { redact: (text) => text.replaceAll("sesame", "[secret]") });
    expect(await logOf(folder)).toBe("a [secret] b\n(a line longer than 16384 characters was dropped)\n");
  });

  test("progress follows the samples that are written", async () => {
    const samples = [streamAt(0), streamAt(100), failedAt(200, "violation", { codes: { "no-done": 1 } })];
    const folder = await runFolder("");
    await writeFile(join(folder, "made"), samplesText(samples));
    const program = await programIn(folder, "cat made > samples.ndjson; printf '{\"kind\":' >> samples.ndjson");
    const progress: LoadProgress[] = [];
    await startK6({ ...usual, k6: program, folder, onProgress: (now) => progress.push(now) });
    expect(progress.at(-1)).toMatchObject({ ok: 2, failed: 1, violations: 1, metric: "first-match", p50Ms: 20 });
  });

  test("a run that its samples decide is interrupted, with progress until then", async () => {
    const notBegun = failedAt(200, "not-begun", { sendMs: 200, endMs: 200 });
    const folder = await runFolder("");
    await writeFile(join(folder, "made"), samplesText([streamAt(0), notBegun, streamAt(300)]));
    const program = await programIn(folder, "trap 'exit 105' INT; cat made > samples.ndjson; sleep 60 & wait");
    const progress: LoadProgress[] = [];
    const seen: string[] = [];
    const end = await startK6({
      ...usual,
      k6: program,
      folder,
      progressMs: 50,
      onProgress: (now) => progress.push(now),
      reasonToEnd: ({ outcome }) => {
        seen.push(outcome);
        return outcome === "not-begun" ? "it can no longer be met" : undefined;
      },
    });
    expect(end).toEqual({ cause: "decided", exitCode: 105, sentence: "it can no longer be met" });
    expect(seen).toEqual(["ok", "not-begun", "ok"]);
    expect(progress.at(-1)).toMatchObject({ ok: 2, failed: 0, notBegun: 1 });
  });

  test("a run that unfinished requests decide is ended in order", async () => {
    const folder = await runFolder("");
    const underWay = failedAt(100, "canceled", { endMs: 2000 });
    const told = [{ assay: "under-way", version: 1, nowMs: 2000, atWork: 7 }, underWay, failedAt(0, "canceled")];
    await writeFile(join(folder, "told"), told.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await writeFile(join(folder, "made"), samplesText([streamAt(0, { endMs: 1999 })]));
    const shell = "trap 'exit 105' INT; cat made > samples.ndjson; cat told > \"$ASSAY_UNDER_WAY\"; sleep 60 & wait";
    const progress: LoadProgress[] = [];
    const seen: unknown[] = [];
    const end = await startK6({
      ...usual,
      k6: await programIn(folder, shell),
      folder,
      onProgress: (now) => progress.push(now),
      reasonToEndUnderWay: (streams) => {
        seen.push(...streams);
        return streams.length > 0 ? "it can no longer be met" : undefined;
      },
    });
    expect(end).toEqual({ cause: "decided", exitCode: 105, sentence: "it can no longer be met" });
    expect(seen[0]).toEqual(underWay);
    expect(progress.map((state) => state.busyUsers)).toContain(7);
    expect(existsSync(join(folder, "under-way.ndjson"))).toBe(false);
  });

  test("an error of the progress callback ends the run and reaches the caller", async () => {
    const failing = (): void => {
      throw new Error("no terminal");
    };
    await expect(run("sleep 60", { onProgress: failing })).rejects.toThrow("no terminal");
  });

  test("one that cannot be started has its code", async () => {
    const folder = await runFolder("");
    const missing = { path: join(folder, "nothing") };
    await expect(startK6({ ...usual, k6: missing, folder })).rejects.toMatchObject({ code: "not-started" });
  });
});
