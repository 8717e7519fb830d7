import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { K6Summary, LoadPlan, LoadSample } from "@assay/results";
import { bundleScenario } from "../bundle-scenario.ts";
import { createDefaultPlan } from "../default-plan.ts";
import { isScenarioName } from "../scenario-names.ts";
import { type K6Run, runK6 } from "./k6-program.ts";
import type { ReferenceTarget } from "./reference-target.ts";

/** Changes to the default plan. */
export interface PlanChanges extends Partial<Omit<LoadPlan, "conversation">> {
  readonly conversation?: Partial<LoadPlan["conversation"]>;
}

export interface LoadRunRequest {
  readonly scenario: string;
  readonly target: ReferenceTarget;
  readonly changes?: PlanChanges;
}

/** The files of a k6 run. */
export interface LoadRun {
  readonly k6: K6Run;
  readonly summary: K6Summary;
  /** Without the header line. */
  readonly samples: readonly LoadSample[];
  readonly ledger: readonly Readonly<Record<string, string>>[];
}

const marker = "a-load-run-of-tests";

/** A few arrivals in little more than a second. */
const quick = {
  ratePerSecond: 6,
  durationMs: 1200,
  warmupMs: 0,
  timeoutMs: 60_000,
  maxVus: 30,
};

/** A plan for a run of little more than a second. */
export function quickPlan({ scenario, target, changes = {} }: LoadRunRequest): LoadPlan {
  const { conversation: usually, ...plan } = createDefaultPlan(
    isScenarioName(scenario) ? scenario : "search-first-match",
  );
  const { conversation: changed, ...rest } = changes;
  const conversation = usually && {
    ...usually,
    pollIntervalMs: 40,
    deadlineMs: 60_000,
    marker,
    budget: 100,
    ...changed,
  };
  return { ...plan, ...quick, targets: { base: target.url }, ...rest, ...(conversation && { conversation }) };
}

async function linesOf<Line>(path: string, revive: (line: string) => Line): Promise<readonly Line[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(revive);
}

/** Bundles a scenario, runs it with k6, and reads its files. The folder is removed. */
export async function loadRun(request: LoadRunRequest): Promise<LoadRun> {
  const { scenario, target } = request;
  const folder = await mkdtemp(join(tmpdir(), "assay-scenario-"));
  const at = (name: string): string => join(folder, name);
  try {
    const { sha256 } = await bundleScenario({ scenario, outFile: at("scenario.js") });
    await writeFile(at("plan.json"), JSON.stringify(quickPlan(request)));
    const k6 = await runK6({
      args: ["run", "--quiet", "--no-color", "--address", "", at("scenario.js")],
      env: {
        ASSAY_PLAN: at("plan.json"),
        ASSAY_SAMPLES: at("samples.ndjson"),
        ASSAY_LEDGER: at("ledger.ndjson"),
        ASSAY_SUMMARY: at("k6-summary.json"),
        ASSAY_SCENARIO_SHA256: sha256,
        ASSAY_TOKEN: target.token,
        ASSAY_AGAINST_TOKEN: target.token,
      },
    });
    const [header, ...samples] = await linesOf(at("samples.ndjson"), (line): LoadSample => JSON.parse(line));
    const ledger = await linesOf(at("ledger.ndjson"), (line): Readonly<Record<string, string>> => JSON.parse(line));
    const summary = await readFile(at("k6-summary.json"), "utf8").catch(() => {
      throw new Error(`k6 left no summary, and printed: ${k6.stderr}`);
    });
    return { k6, summary: JSON.parse(summary), samples: header === undefined ? [] : samples, ledger };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
