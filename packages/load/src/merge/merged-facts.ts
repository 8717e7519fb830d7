import { defined } from "@assay/contract";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import {
  type BrokenRule,
  type CanaryReport,
  type GeneratorFacts,
  type JudgedGroup,
  judgedGroups,
  judgementSentence,
  type LoadEnvironment,
  type LoadJudgement,
  type LoadResult,
  mergedKnownRules,
  mergedLoadRules,
  outcomePrecedence,
  mergedKnownFailures,
} from "@assay/results";
import { environmentFingerprint } from "../k6/load-environment.ts";
import { parseThreshold, type Threshold } from "../result/threshold.ts";
import type { KnownCodes } from "../samples/known-violation.ts";
import type { MergePart } from "./merge-part.ts";

type Parts = readonly [MergePart, ...MergePart[]];

const resultsOf = (parts: Parts): readonly LoadResult[] =>
  parts.flatMap(({ result }) => (result === undefined ? [] : [result]));

const unknownEnvironment = ({ sources, generator }: MergePart): LoadEnvironment => {
  const environment = {
    platform: "unknown",
    architecture: "unknown",
    cpuModel: "unknown",
    cores: generator?.cores ?? 0,
    memoryBytes: 0,
    nodeVersion: "unknown",
    k6Version: sources.summary?.k6Version ?? "unknown",
    k6Sha256: "",
  };
  return { ...environment, fingerprint: environmentFingerprint(environment) };
};

/**
 * The environment of the first part. If they differ, the fingerprint covers all of them, so that only equal sets are
 * compared.
 */
export const mergedEnvironment = (parts: Parts): LoadEnvironment => {
  const all = parts.map((part) => part.result?.environment ?? unknownEnvironment(part));
  const [first = unknownEnvironment(parts[0])] = all;
  const prints = all.map(({ fingerprint }) => fingerprint).sort();
  return new Set(prints).size === 1
    ? first
    : { ...first, fingerprint: createHash("sha256").update(prints.join("\n")).digest("hex") };
};

const startOf = ({ result, sources }: MergePart): string | undefined =>
  result?.run.startedAt ??
  (sources.samples === undefined ? undefined : new Date(sources.samples.header.epochMs).toISOString());

export const mergedRun = (parts: Parts, id: string | undefined): LoadResult["run"] => {
  const [first] = parts;
  const known = resultsOf(parts)[0]?.run;
  const { base, head } = first.plan.targets;
  const starts = parts.map(startOf).filter((start) => start !== undefined);
  return {
    target: base,
    ...defined({ against: head }),
    embedded: false,
    limits: "unknown",
    seed: first.plan.blocks?.seed ?? 0,
    ...known,
    id: id ?? known?.id ?? "merged",
    startedAt: starts.sort()[0] ?? new Date(0).toISOString(),
    processes: parts.length,
    scenarioSha256: first.scenarioSha256,
  };
};

/** All generators: CPU time, cores and memory added, and the worst lateness. */
export const mergedGenerator = (generators: readonly GeneratorFacts[]): GeneratorFacts | undefined => {
  const sum = (member: keyof GeneratorFacts): number => generators.reduce((total, one) => total + one[member], 0);
  const max = (member: keyof GeneratorFacts): number => Math.max(...generators.map((one) => one[member]));
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

/** The thresholds of all parts, each once, without those of the script. */
export const mergedThresholds = (parts: Parts): readonly Threshold[] => {
  const all = resultsOf(parts).flatMap(({ thresholds }) => thresholds);
  const known = new Map(all.map((one) => [`${one.severity} ${one.threshold}`, one] as const));
  return [...known.values()]
    .filter(({ threshold }) => !threshold.startsWith("k6: "))
    .map(({ threshold, severity }) => parseThreshold(threshold, severity ?? "fail"));
};

const rankOf = ({ outcome }: CanaryReport): number => outcomePrecedence.indexOf(outcome);

/** Merges the canaries of all parts: the worst outcome and all failures. */
export const mergedCanary = (parts: Parts): CanaryReport | undefined => {
  const reports = resultsOf(parts).flatMap(({ canary }) => (canary === undefined ? [] : [canary]));
  const [worst] = reports.toSorted((a, b) => rankOf(a) - rankOf(b));
  return (
    worst && {
      ...worst,
      exchanges: reports.reduce((sum, { exchanges }) => sum + exchanges, 0),
      observedRules: Math.max(...reports.map(({ observedRules }) => observedRules)),
      failed: reports.flatMap(({ failed }) => failed),
    }
  );
};

const startOrder = (one: BrokenRule, other: BrokenRule): number =>
  one.atSeconds - other.atSeconds || `${one.run} ${one.exchange}`.localeCompare(`${other.run} ${other.exchange}`);

/** Each rule once for each target: its violations added, its first violation, and whether any part failed without load. */
function mergedBroken(all: readonly BrokenRule[]): readonly BrokenRule[] {
  const merged = new Map<string, BrokenRule>();
  for (const one of all.toSorted(startOrder)) {
    const key = `${one.rule} ${one.side}`;
    const before = merged.get(key);
    const seen = new Set([before?.dependence, one.dependence]);
    const dependence = (["without-load-too", "under-load"] as const).find((word) => seen.has(word)) ?? "unknown";
    merged.set(key, {
      ...(before ?? one),
      violations: (before?.violations ?? 0) + one.violations,
      dependence,
    });
  }
  return [...merged.values()];
}

const groupCounts = ["sent", "judged", "brokenOff", "unanswered", "thinnedOut", "lost"] as const;

const mergedGroups = (all: readonly LoadJudgement[]): readonly JudgedGroup[] =>
  judgedGroups.flatMap((group) => {
    const own = all.flatMap((one) => one.groups.filter((each) => each.group === group));
    const sums = { sent: 0, judged: 0, brokenOff: 0, unanswered: 0, thinnedOut: 0, lost: 0 };
    for (const each of own) {
      groupCounts.forEach((name) => {
        sums[name] += each[name];
      });
    }
    return own.length === 0 ? [] : [{ group, ...sums }];
  });

const mergedVersions = (all: readonly LoadJudgement[]): LoadJudgement["httpVersions"] => {
  const versions = all.flatMap(({ httpVersions = [] }) => httpVersions);
  return versions.length === 0 ? undefined : [...new Set(versions)].toSorted();
};

/** Adds the run id to violations, since exchange ids repeat between parts. */
const namedJudgement = (judgement: LoadJudgement, run: string): LoadJudgement => ({
  ...judgement,
  broken: judgement.broken.map((one) => ({ run, ...one })),
});

/**
 * Merges the judgements of all parts. Counts are added. A rule fails if it failed in any part, and passes only if no
 * part has another outcome than passed or not tested. Parts without a judgement are reported.
 */
export const mergedJudgement = (parts: Parts): LoadResult["judgement"] => {
  const all = resultsOf(parts).flatMap(({ judgement, run }) =>
    judgement === undefined ? [] : [namedJudgement(judgement, run.id)],
  );
  if (all.length === 0) {
    return undefined;
  }
  const unjudged = parts.filter(({ result }) => result?.judgement === undefined).map(({ folder }) => basename(folder));
  const groups = mergedGroups(all);
  const sum = (of: (one: LoadJudgement) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    groups,
    rules: mergedLoadRules(all.map(({ rules }) => rules)),
    broken: mergedBroken(all.flatMap((one) => one.broken)),
    ...mergedKnownFailures({
      known: mergedKnownRules(all.map(({ known = [] }) => known)),
      knownFailureMistakes: all.flatMap(({ knownFailureMistakes = [] }) => knownFailureMistakes),
      knownFailureNotes: all.flatMap(({ knownFailureNotes = [] }) => knownFailureNotes),
    }),
    ...defined({
      httpVersions: mergedVersions(all),
      alert: all.flatMap(({ alert }) => alert ?? [])[0],
      notTheApi: all.flatMap((one) => one.notTheApi ?? [])[0],
      notAlwaysTheApi: all.flatMap((one) => one.notAlwaysTheApi ?? [])[0],
    }),
    unloaded: sum(({ unloaded }) => unloaded),
    sentence: judgementSentence(groups),
    keptBytes: sum(({ keptBytes }) => keptBytes),
    capBytes: sum(({ capBytes }) => capBytes),
    problems: [
      ...all.flatMap(({ problems }) => problems),
      ...unjudged.map((folder) => `the exchanges of ${folder} were not judged, and are not counted here`),
    ],
  };
};

export const mergedCleanUp = (parts: Parts): LoadResult["cleanUp"] => {
  const reports = resultsOf(parts).flatMap(({ cleanUp }) => (cleanUp === undefined ? [] : [cleanUp]));
  return reports.length === 0
    ? undefined
    : {
        created: reports.reduce((sum, { created }) => sum + created, 0),
        removed: reports.reduce((sum, { removed }) => sum + removed, 0),
        left: reports.flatMap(({ left }) => left),
      };
};

/** Codes of violations that are known in every part that has them. */
export const mergedKnownCodes = (parts: Parts): KnownCodes => {
  const isUnknown = (code: string): boolean =>
    parts.some(({ violations, result }) => ((result?.violations ?? violations)[code] ?? 0) > 0);
  const known = resultsOf(parts).flatMap(({ knownViolations = {} }) => Object.entries(knownViolations));
  return Object.fromEntries(known.flatMap(([code, { known: entry }]) => (isUnknown(code) ? [] : [[code, entry]])));
};

/** Mistakes in the lists of known failures of parts that were not judged; absent without any. */
export const mergedMistakes = (parts: Parts): LoadResult["knownFailureMistakes"] =>
  resultsOf(parts).find(({ knownFailureMistakes }) => knownFailureMistakes !== undefined)?.knownFailureMistakes;
