import { HarnessError } from "@assay/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeError } from "../command-error.ts";
import { type AttemptRunner, createAttemptRunner } from "./finish-run.ts";
import { openResultsInWorker, type ThreadOptions } from "./results-in-worker.ts";

/** Results from a worker that runs a program of the test. */
function workerRunning(program: string, options: ThreadOptions = {}) {
  const results = openResultsInWorker(
    { folder: "somewhere" },
    { ...options, program: new URL(`data:text/javascript,${encodeURIComponent(program)}`) },
  );
  onTestFinished(() => results.close());
  return results;
}

function attemptsWith(bounds: Partial<Parameters<typeof createAttemptRunner>[0]>): AttemptRunner {
  const attempts = createAttemptRunner({
    signal: new AbortController().signal,
    isInterrupted: false,
    maxMs: 600_000,
    ...bounds,
  });
  onTestFinished(() => attempts.dispose());
  return attempts;
}

const answering = (answer: string): string =>
  `import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ step }) => parentPort.postMessage({ step, ...${answer} }));`;
const neverEnding = "for (;;);";

describe("a step that never yields", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("is abandoned on %s, and its worker ends", async (name) => {
    const controller = new AbortController();
    const results = workerRunning(neverEnding);
    const attempts = attemptsWith({ signal: controller.signal });
    const judged = attempts.wait(results.judge());
    controller.abort(name);
    expect(await judged).toEqual({ isDone: false, reason: name });
    await results.close();
  });

  test("is abandoned at its time limit, even if an interrupt came before it began", async () => {
    const results = workerRunning(neverEnding);
    const attempts = attemptsWith({ signal: AbortSignal.abort("SIGINT"), isInterrupted: true, maxMs: 1 });
    expect(await attempts.wait(results.judge())).toEqual({ isDone: false, reason: "deadline" });
    await results.close();
  });
});

describe("a step in a worker", () => {
  test("returns its result for each request", async () => {
    const results = workerRunning(answering('{ ok: true, value: ["report.html"] }'));
    const attempts = attemptsWith({});
    const asked = async (): Promise<unknown> => attempts.wait(results.removeLeaks([]));
    expect([await asked(), await asked()]).toEqual(
      Array.from({ length: 2 }, () => ({ isDone: true, value: ["report.html"] })),
    );
  });

  test("fails with the same error code: a full disk stays `disk-full`", async () => {
    const harness = '{ code: "disk-full", sentence: "could not write" }';
    const error = `{ name: "HarnessError", message: "disk-full: could not write", stack: "", harness: ${harness} }`;
    const failure: unknown = await workerRunning(answering(`{ ok: false, error: ${error} }`))
      .write()
      .catch((thrown: unknown) => thrown);
    expect(failure).toEqual(new HarnessError("disk-full", "could not write"));
    expect(failure).toBeInstanceOf(HarnessError);
  });

  test("that runs out of memory leaves a run incomplete, and one sentence shows how to judge the stored run", async () => {
    const greedy = "const kept = []; for (;;) { kept.push(Array.from({ length: 1000 }, (_, index) => ({ index }))); }";
    const failure: unknown = await workerRunning(greedy, { maxOldGenerationSizeMb: 16 })
      .judge()
      .catch((thrown: unknown) => thrown);
    expect(describeError(failure, {})).toEqual({
      exitCode: 3,
      message: expect.stringMatching(
        /^judging needs more memory .*the recording is kept: judge it with `NODE_OPTIONS=.* assay judge`/u,
      ),
    });
  });

  test("fails if the worker ends without an answer, and again if it is asked after that", async () => {
    const results = workerRunning("process.exit(0);");
    await expect(results.judge()).rejects.toThrow("exited without an answer");
    await expect(results.judge()).rejects.toThrow("exited without an answer");
  });
});
