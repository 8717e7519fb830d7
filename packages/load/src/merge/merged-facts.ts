import { defined } from "@assay/contract";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import {
  type FailedLoadRule,
  type CanaryReport,
  type GeneratorFacts,
  type JudgedGroup,
  judgedGroups,
  describeJudgement,
  type LoadEnvironment,
  type LoadJudgement,
  type LoadResult,
  mergeKnownRules,
  mergeLoadRules,
  outcomePrecedence,
  mergeKnownFailures,
} from "@assay/results";
import { computeEnvironmentFingerprint } from "../k6/load-environment.ts";
import { parseThreshold, type Threshold } from "../result/threshold.ts";
import type { KnownCodes } from "../samples/accept-known-violations.ts";
import type { MergePart } from "./merge-part.ts";

type Parts = readonly [MergePart, ...MergePart[]];

const listResults = (parts: Parts): readonly LoadResult[] =>
  parts.flatMap(({ result }) => (result === undefined ? [] : [result]));

/** Describes an environment of which at most the number of cores and the version of k6 are known. */
export const describeUnknownEnvironment = ({
  cores = 0,
  k6Version = "unknown",
}: { readonly cores?: number; readonly k6Version?: string } = {}): LoadEnvironment => {
  const environment = {
    platform: "unknown",
    architecture: "unknown",
    cpuModel: "unknown",
    cores,
    memoryBytes: 0,
    nodeVersion: "unknown",
    k6Version,
    k6Sha256: "",
  };
  return { ...environment, fingerprint: computeEnvironmentFingerprint(environment) };
};

const createUnknownEnvironment = ({ sources, generator }: MergePart): LoadEnvironment =>
  describeUnknownEnvironment(defined({ cores: generator?.cores, k6Version: sources.summary?.k6Version }));

/**
 * Returns the environment of the first part. If the environments differ, the fingerprint covers all of them, so that
 * only runs with equal sets are compared.
 */
export const mergeEnvironments = (parts: Parts): LoadEnvironment => {
  const environments = parts.map((part) => part.result?.environment ?? createUnknownEnvironment(part));
  const [firstEnvironment = createUnknownEnvironment(parts[0])] = environments;
  const fingerprints = environments.map(({ fingerprint }) => fingerprint).sort();
  return new Set(fingerprints).size === 1
    ? firstEnvironment
    : { ...firstEnvironment, fingerprint: createHash("sha256").update(fingerprints.join("\n")).digest("hex") };
};

const readStartTime = ({ result, sources }: MergePart): string | undefined =>
  result?.run.startedAt ??
  (sources.samples === undefined ? undefined : new Date(sources.samples.header.epochMs).toISOString());

export const describeMergedRun = (parts: Parts, id: string | undefined): LoadResult["run"] => {
  const [firstPart] = parts;
  const firstRun = listResults(parts)[0]?.run;
  const { base, head } = firstPart.plan.targets;
  const starts = parts.map(readStartTime).filter((start) => start !== undefined);
  return {
    target: base,
    ...defined({ against: head }),
    embedded: false,
    limits: "unknown",
    seed: firstPart.plan.blocks?.seed ?? 0,
    ...firstRun,
    id: id ?? firstRun?.id ?? "merged",
    startedAt: starts.sort()[0] ?? new Date(0).toISOString(),
    processes: parts.length,
    scenarioSha256: firstPart.scenarioSha256,
  };
};

/** Merges generators: the sum of CPU time, cores and memory, and the maximum lateness. */
export const mergeGenerators = (generators: readonly GeneratorFacts[]): GeneratorFacts | undefined => {
  const sum = (member: keyof GeneratorFacts): number =>
    generators.reduce((total, generator) => total + generator[member], 0);
  const max = (member: keyof GeneratorFacts): number => Math.max(...generators.map((generator) => generator[member]));
  return generators.length === 0
    ? undefined
    : {
        cpuSeconds: sum("cpuSeconds"),
        wallSeconds: max("wallSeconds"),
        cores: sum("cores"),
        maxRssBytes: sum("maxRssBytes"),
        timerLagP99Ms: max("timerLagP99Ms"),
        timerLagMaxMs: max("timerLagMaxMs"),
      };
};

/** Returns the distinct thresholds of all parts, except the script's own. */
export const mergeThresholds = (parts: Parts): readonly Threshold[] => {
  const thresholds = listResults(parts).flatMap((result) => result.thresholds);
  const distinct = new Map(
    thresholds.map((threshold) => [`${threshold.severity} ${threshold.threshold}`, threshold] as const),
  );
  return [...distinct.values()]
    .filter(({ threshold }) => !threshold.startsWith("k6: "))
    .map(({ threshold, severity }) => parseThreshold(threshold, severity ?? "fail"));
};

const getOutcomeRank = ({ outcome }: CanaryReport): number => outcomePrecedence.indexOf(outcome);

/** Merges the canaries of all parts. The result has the worst outcome and all failures. */
export const mergeCanaries = (parts: Parts): CanaryReport | undefined => {
  const reports = listResults(parts).flatMap(({ canary }) => (canary === undefined ? [] : [canary]));
  const [worstReport] = reports.toSorted((a, b) => getOutcomeRank(a) - getOutcomeRank(b));
  return (
    worstReport && {
      ...worstReport,
      exchanges: reports.reduce((sum, { exchanges }) => sum + exchanges, 0),
      observedRules: Math.max(...reports.map(({ observedRules }) => observedRules)),
      failed: reports.flatMap(({ failed }) => failed),
    }
  );
};

const compareStart = (a: FailedLoadRule, b: FailedLoadRule): number =>
  a.atSeconds - b.atSeconds || `${a.run} ${a.exchange}`.localeCompare(`${b.run} ${b.exchange}`);

/**
 * Merges failed rules by rule and target. The result has the first violation, the sum of violations, and whether the
 * rule failed without load in any part.
 */
function mergeFailedRules(failedRules: readonly FailedLoadRule[]): readonly FailedLoadRule[] {
  const mergedByKey = new Map<string, FailedLoadRule>();
  for (const failedRule of failedRules.toSorted(compareStart)) {
    const key = `${failedRule.rule} ${failedRule.side}`;
    const earlier = mergedByKey.get(key);
    const dependences = new Set([earlier?.dependence, failedRule.dependence]);
    const dependence = (["without-load-too", "under-load"] as const).find((word) => dependences.has(word)) ?? "unknown";
    mergedByKey.set(key, {
      ...(earlier ?? failedRule),
      violations: (earlier?.violations ?? 0) + failedRule.violations,
      dependence,
    });
  }
  return [...mergedByKey.values()];
}

const groupCounts = ["sent", "judged", "brokenOff", "unanswered", "thinnedOut", "lost"] as const;

const mergeGroups = (judgements: readonly LoadJudgement[]): readonly JudgedGroup[] =>
  judgedGroups.flatMap((group) => {
    const parts = judgements.flatMap(({ groups }) => groups.filter((part) => part.group === group));
    const sums = { sent: 0, judged: 0, brokenOff: 0, unanswered: 0, thinnedOut: 0, lost: 0 };
    for (const part of parts) {
      groupCounts.forEach((name) => {
        sums[name] += part[name];
      });
    }
    return parts.length === 0 ? [] : [{ group, ...sums }];
  });

const mergeHttpVersions = (judgements: readonly LoadJudgement[]): LoadJudgement["httpVersions"] => {
  const versions = judgements.flatMap(({ httpVersions = [] }) => httpVersions);
  return versions.length === 0 ? undefined : [...new Set(versions)].toSorted();
};

/** Adds the run id to violations, because exchange ids repeat between parts. */
const addRunId = (judgement: LoadJudgement, run: string): LoadJudgement => ({
  ...judgement,
  broken: judgement.broken.map((rule) => ({ run, ...rule })),
});

/**
 * Merges the judgements of all parts. Counts are added. A rule fails if it failed in any part. It passes only if it
 * passed or was not tested in every part. Parts without a judgement are reported as problems.
 */
export const mergeJudgements = (parts: Parts): LoadResult["judgement"] => {
  const judgements = listResults(parts).flatMap(({ judgement, run }) =>
    judgement === undefined ? [] : [addRunId(judgement, run.id)],
  );
  if (judgements.length === 0) {
    return undefined;
  }
  const unjudged = parts.filter(({ result }) => result?.judgement === undefined).map(({ folder }) => basename(folder));
  const groups = mergeGroups(judgements);
  const sum = (read: (judgement: LoadJudgement) => number): number =>
    judgements.reduce((total, judgement) => total + read(judgement), 0);
  return {
    groups,
    rules: mergeLoadRules(judgements.map(({ rules }) => rules)),
    broken: mergeFailedRules(judgements.flatMap(({ broken }) => broken)),
    ...mergeKnownFailures({
      known: mergeKnownRules(judgements.map(({ known = [] }) => known)),
      knownFailureMistakes: judgements.flatMap(({ knownFailureMistakes = [] }) => knownFailureMistakes),
      knownFailureNotes: judgements.flatMap(({ knownFailureNotes = [] }) => knownFailureNotes),
    }),
    ...defined({
      httpVersions: mergeHttpVersions(judgements),
      alert: judgements.flatMap(({ alert }) => alert ?? [])[0],
      notTheApi: judgements.flatMap(({ notTheApi }) => notTheApi ?? [])[0],
      notAlwaysTheApi: judgements.flatMap(({ notAlwaysTheApi }) => notAlwaysTheApi ?? [])[0],
    }),
    unloaded: sum(({ unloaded }) => unloaded),
    sentence: describeJudgement(groups),
    keptBytes: sum(({ keptBytes }) => keptBytes),
    capBytes: sum(({ capBytes }) => capBytes),
    problems: [
      ...judgements.flatMap(({ problems }) => problems),
      ...unjudged.map((folder) => `the exchanges of ${folder} were not judged and are not included`),
    ],
  };
};

export const mergeCleanUps = (parts: Parts): LoadResult["cleanUp"] => {
  const reports = listResults(parts).flatMap(({ cleanUp }) => (cleanUp === undefined ? [] : [cleanUp]));
  return reports.length === 0
    ? undefined
    : {
        created: reports.reduce((sum, { created }) => sum + created, 0),
        removed: reports.reduce((sum, { removed }) => sum + removed, 0),
        left: reports.flatMap(({ left }) => left),
      };
};

/** Returns the violation codes that are known failures in every part in which they occur. */
export const mergeKnownCodes = (parts: Parts): KnownCodes => {
  const isUnknown = (code: string): boolean =>
    parts.some(({ violations, result }) => ((result?.violations ?? violations)[code] ?? 0) > 0);
  const entries = listResults(parts).flatMap(({ knownViolations = {} }) => Object.entries(knownViolations));
  return Object.fromEntries(entries.flatMap(([code, { known }]) => (isUnknown(code) ? [] : [[code, known]])));
};

/** Returns the errors in the known-failure lists of parts without a judgement. Returns undefined if there are none. */
export const mergeMistakes = (parts: Parts): LoadResult["knownFailureMistakes"] =>
  listResults(parts).find(({ knownFailureMistakes }) => knownFailureMistakes !== undefined)?.knownFailureMistakes;
