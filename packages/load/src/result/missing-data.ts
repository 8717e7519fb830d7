import { counted } from "@assay/contract";
import type { K6End } from "../k6/k6-end.ts";
import type { LoadTally } from "./load-tally.ts";
import { loadFiles, type LoadSources } from "./load-sources.ts";

/**
 * Sums counts by name, such as `stream ok`. k6 does not apply known failures. If the run has any, its `ok` and
 * `violation` counts are added together before the comparison.
 */
const sumOutcomes = (
  outcomes: readonly (readonly [name: string, count: number])[],
  { hasKnownCodes = false }: LoadSources,
): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const [name, count] of outcomes) {
    const mergedName = hasKnownCodes ? name.replace(/ (?:ok|violation)$/u, " ok or violation") : name;
    sums.set(mergedName, (sums.get(mergedName) ?? 0) + count);
  }
  return sums;
};

/** Returns counts with names such as `stream ok`, as in k6's summary. */
const listOutcomes = (outcomes: LoadTally["outcomes"]): readonly (readonly [string, number])[] =>
  Object.entries(outcomes).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([outcome, count]) => [`${kind} ${outcome}`, count] as const),
  );

const findDifferences = (sources: LoadSources, tally: LoadTally): readonly string[] => {
  const { summary, samples } = sources;
  if (summary === undefined || samples === undefined) {
    return [];
  }
  const reportedCounts = sumOutcomes(Object.entries(summary.outcomes), sources);
  const tallyCounts = sumOutcomes(listOutcomes(tally.outcomes), sources);
  const names = [...new Set([...reportedCounts.keys(), ...tallyCounts.keys()])].sort();
  const differentName = names.find((name) => (reportedCounts.get(name) ?? 0) !== (tallyCounts.get(name) ?? 0));
  return differentName === undefined
    ? []
    : [
        `k6 counted ${reportedCounts.get(differentName) ?? 0} of \`${differentName}\`, but the samples contain ${tallyCounts.get(differentName) ?? 0}`,
      ];
};

const findMissingSamples = ({ samples }: LoadSources): readonly string[] => {
  if (samples === undefined) {
    return [];
  }
  const { isTruncated, unreadableCount, beyondLimitCount } = samples;
  return [
    ...(isTruncated ? ["the last sample is truncated"] : []),
    ...(unreadableCount > 0 ? [`${counted(unreadableCount, "sample line")} cannot be parsed`] : []),
    ...(beyondLimitCount > 0 ? [`${beyondLimitCount} samples exceed the limit for one run`] : []),
  ];
};

/** k6 exits with code 0 even if an iteration throws an exception, and writes no sample for that iteration. */
const findScriptErrors = ({ summary }: LoadSources): readonly string[] => {
  const errorThreshold = Object.entries(summary?.thresholds ?? {}).find(([name]) => name.startsWith("script_errors "));
  return errorThreshold?.[1] === false ? ["some iterations threw an exception and have no samples; see k6.log"] : [];
};

/** Finds missing files. Unreadable files are already listed in `problems`. */
const findMissingFiles = ({ summary, samples, problems }: LoadSources): readonly string[] => {
  const missingFiles = [
    ...(samples === undefined ? [loadFiles.samples] : []),
    ...(summary === undefined ? [loadFiles.summary] : []),
  ];
  return missingFiles
    .filter((file) => problems.every((problem) => !problem.includes(file)))
    .map((file) => `k6 did not write ${file}`);
};

/**
 * Causes after which all files are complete: the run finished, or Assay stopped it early because of the target's
 * results.
 */
export const causesWithCompleteFiles: ReadonlySet<K6End["cause"]> = new Set<K6End["cause"]>([
  "complete",
  "distress",
  "decided",
]);

/** Returns the reasons the stored files are incomplete. Returns an empty array if they are complete. */
export const findMissingData = (sources: LoadSources, tally: LoadTally, end: K6End | undefined): readonly string[] => {
  const endReasons =
    end === undefined || causesWithCompleteFiles.has(end.cause) ? [] : [end.sentence ?? `k6 ended early: ${end.cause}`];
  return end?.cause === "not-started"
    ? endReasons
    : [
        ...endReasons,
        ...sources.problems,
        ...findMissingFiles(sources),
        ...findMissingSamples(sources),
        ...findDifferences(sources, tally),
        ...findScriptErrors(sources),
      ];
};
