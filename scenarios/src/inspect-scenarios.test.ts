import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadShapes } from "@assay/results";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScenario } from "./bundle-scenario.ts";
import { scenarioNames } from "./scenario-names.ts";
import { k6ForTests, runK6, withoutK6 } from "./testing/k6-program.ts";
import { quickPlan } from "./testing/load-run.ts";
import { unsupportedScripts } from "./testing/unsupported-scripts.ts";

const target = { url: "http://127.0.0.1:1", token: "", stop: () => Promise.resolve() };

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-inspect-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inspect = async (
  scenario: string,
  plan: unknown,
): Promise<{ readonly exitCode: number | undefined; readonly said: string }> => {
  const [script, planFile] = [join(folder, "scenario.js"), join(folder, "plan.json")];
  await bundleScenario({ scenario, outFile: script });
  await writeFile(planFile, JSON.stringify(plan));
  const args = ["inspect", "--include-system-env-vars", script];
  const { exitCode, stdout, stderr } = await runK6({ args, env: { ASSAY_PLAN: planFile } });
  return { exitCode, said: stdout + stderr };
};

describe.skipIf(k6ForTests === undefined)(`k6${withoutK6}`, () => {
  test.each(scenarioNames)("loads %s in time", async (scenario) => {
    const { exitCode, said } = await inspect(scenario, quickPlan({ scenario, target }));
    expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
    expect(said).toContain('"dropped_iterations"');
  });

  test.each(loadShapes)("accepts arrivals of the shape %s", async (shape) => {
    const plan = quickPlan({ scenario: "mixed", target, changes: { shape, warmupMs: 500, durationMs: 30_000 } });
    const { exitCode, said } = await inspect("mixed", plan);
    expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
  });

  test("prints one sentence about a wrong plan", async () => {
    const { exitCode, said } = await inspect("mixed", {
      ...quickPlan({ scenario: "mixed", target }),
      ratePerSecond: "2",
    });
    expect(exitCode).toBe(107);
    expect(said).toContain("The plan cannot be followed: its `ratePerSecond` must be from 0.001 to 1000000");
  });

  test("never ends on unknown syntax in TypeScript, so there is a timeout and the bundler refuses such a script", async () => {
    const script = join(folder, "spinning.ts");
    await writeFile(script, unsupportedScripts[0].text);
    const { exitCode } = await runK6({ args: ["inspect", script], wallLimitMs: 1500 });
    expect(exitCode).toBeUndefined();
    await expect(bundleScenario({ scenario: script, outFile: join(folder, "x.js") })).rejects.toThrow("unfit-syntax");
  });
});
