import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadPlan } from "@assay/results";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type JudgeOptions, openLoadJudge } from "./load-judge.ts";

const folder = temporaryFolder();
mkdirSync(join(folder, "exchanges"));
writeFileSync(join(folder, "exchanges/search-00.bin"), "ASSAYEX1");

const plan: LoadPlan = {
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://code.example" },
  shape: "steady",
  ratePerSecond: 1,
  durationMs: 1000,
  warmupMs: 0,
  queries: [{ name: "q", text: "x" }],
  timeoutMs: 1000,
  maxEventBytes: 1000,
  maxVus: 1,
  gzip: false,
};

/** A judge whose thread runs this code for each message. */
function judgeBy(onMessage: string, options: JudgeOptions = {}, at = folder) {
  const text = `import { parentPort } from "node:worker_threads"; parentPort.on("message", (asked) => { ${onMessage} });`;
  const program = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  const judge = openLoadJudge(at, { plan, capBytes: 1 }, { program, ...options });
  onTestFinished(() => judge.close());
  return judge;
}

const answer = 'if (asked.step === "finish") { parentPort.postMessage({ ok: true, value: { steps } }); }';
const steps = "globalThis.steps = [...(globalThis.steps ?? []), asked.step]; const { steps } = globalThis;";

describe("the judge of a load", () => {
  test.each<[string, boolean, readonly string[]]>([
    ["follows it where it may", true, ["follow", "finish"]],
    ["begins when it is over elsewhere", false, ["finish"]],
  ])("%s", async (_name, judgesDuringLoad, expected) => {
    const judge = judgeBy(`${steps} ${answer}`, { judgesDuringLoad });
    expect(await judge.getJudgement()).toEqual({ judgement: { steps: expected } });
  });

  test.each<[string, string]>([
    ["on the way", `if (asked.step === "follow") { process.exit(1); }`],
    ["when it was over", `if (asked.step === "finish" && steps.length > 1) { process.exit(1); }`],
    ["with an error", `if (asked.step === "follow") { throw new Error("broken"); }`],
  ])("starts again if the following thread failed %s", async (_name, breaks) => {
    const judge = judgeBy(`${steps} ${breaks} ${answer}`, { judgesDuringLoad: true });
    expect(await judge.getJudgement()).toEqual({ judgement: { steps: ["finish"] } });
  });

  test("is abandoned after the grace time of an interrupt, before or during judging", async () => {
    const [before, meanwhile] = [judgeBy("for (;;);", { graceMs: 0 }), judgeBy("for (;;);", { graceMs: 1 })];
    const controller = new AbortController();
    const judging = meanwhile.getJudgement(controller.signal);
    controller.abort("SIGINT");
    const unjudged = "judging the exchanges took longer than 0 s after the interrupt";
    expect([await before.getJudgement(AbortSignal.abort("SIGINT")), await judging]).toEqual([
      { unjudged },
      { unjudged },
    ]);
  });

  test("fails if its thread fails", async () => {
    await expect(judgeBy("process.exit(1);", { judgesDuringLoad: false }).getJudgement()).rejects.toThrow("has ended");
  });

  test("is empty if no exchanges were kept", async () => {
    expect(await judgeBy(answer, { judgesDuringLoad: false }, temporaryFolder()).getJudgement()).toEqual({});
  });
});
