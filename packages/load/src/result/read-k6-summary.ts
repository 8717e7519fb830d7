import { HarnessError, defined } from "@assay/contract";
import { readFile } from "node:fs/promises";
import type { GeneratorFacts, K6Summary, LoadPlan } from "@assay/results";
import { parseCounts, isAmount, isCount, type JsonMembers, asMembers, parseMembers } from "../samples/json-members.ts";
import { readLoadPlan } from "./read-load-plan.ts";

/** Parses the facts about a generator. Returns undefined if any is missing. */
const parseGenerator = (value: unknown): GeneratorFacts | undefined => {
  const { cpuSeconds, wallSeconds, cores, maxRssBytes, timerLagP99Ms, timerLagMaxMs } = asMembers(value) ?? {};
  const amounts = [cpuSeconds, wallSeconds, cores, maxRssBytes, timerLagP99Ms, timerLagMaxMs].filter(isAmount);
  const [cpu = 0, wall = 0, coreCount = 0, rss = 0, lagP99 = 0, lagMax = 0] = amounts;
  return amounts.length === 6
    ? {
        cpuSeconds: cpu,
        wallSeconds: wall,
        cores: coreCount,
        maxRssBytes: rss,
        timerLagP99Ms: lagP99,
        timerLagMaxMs: lagMax,
      }
    : undefined;
};

const parseScriptThresholds = (value: unknown): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(asMembers(value) ?? {}).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
  );

const toText = (value: unknown): string => (typeof value === "string" ? value.slice(0, 200) : "");

const buildSummary = (members: JsonMembers, plan: LoadPlan): K6Summary => {
  const { testDurationMs, droppedIterations, notBegun, iterations, maxVus } = members;
  const generator = parseGenerator(members["generator"]);
  const { segment } = members;
  return {
    assay: "k6-summary",
    version: 1,
    k6Version: toText(members["k6Version"]),
    plan,
    ...(segment === undefined ? {} : { segment: toText(segment) }),
    scenarioSha256: toText(members["scenarioSha256"]),
    testDurationMs: isAmount(testDurationMs) ? testDurationMs : 0,
    droppedIterations: isCount(droppedIterations) ? droppedIterations : 0,
    ...(isCount(notBegun) ? { notBegun } : {}),
    iterations: isCount(iterations) ? iterations : 0,
    maxVus: isCount(maxVus) ? maxVus : 0,
    outcomes: parseCounts(members["outcomes"]),
    violations: parseCounts(members["violations"]),
    observations: parseCounts(members["observations"]),
    ...defined({ generator }),
    thresholds: parseScriptThresholds(members["thresholds"]),
  };
};

const createInvalidSummaryError = (path: string, reason: string): HarnessError =>
  new HarnessError("unreadable-summary", `${path} is not a summary of a load scenario: ${reason}`);

const readOptionalText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      return undefined;
    }
    throw new HarnessError("unreadable-summary", `cannot read ${path}`, { cause });
  }
};

/**
 * Reads `k6-summary.json`. Returns undefined if it does not exist. Ignores unknown members. Fails with
 * `unreadable-summary`, in one sentence, if it is not a summary of version 1.
 */
export const readK6Summary = async (path: string): Promise<K6Summary | undefined> => {
  const text = await readOptionalText(path);
  if (text === undefined) {
    return undefined;
  }
  const members = parseMembers(text);
  if (members?.["assay"] !== "k6-summary" || members["version"] !== 1) {
    throw createInvalidSummaryError(path, "it is truncated, or of another version");
  }
  const plan = readLoadPlan(members["plan"]);
  if (plan === undefined) {
    throw createInvalidSummaryError(path, "its plan cannot be read");
  }
  return buildSummary(members, plan);
};
