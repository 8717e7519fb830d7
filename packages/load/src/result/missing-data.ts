import type { K6End } from "../k6/k6-end.ts";
import type { LoadTally } from "./load-tally.ts";
import { loadFiles, type LoadSources } from "./load-sources.ts";

/**
 * Sums counts by name, such as `stream ok`. k6 does not read known failures, so if there are any, `ok` and `violation`
 * are counted together.
 */
const sumOutcomes = (
  outcomes: readonly (readonly [name: string, count: number])[],
  { hasKnown = false }: LoadSources,
): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const [name, count] of outcomes) {
    const merged = hasKnown ? name.replace(/ (?:ok|violation)$/u, " ok or violation") : name;
    sums.set(merged, (sums.get(merged) ?? 0) + count);
  }
  return sums;
};

/** Returns names such as `stream ok`, in the form that k6's summary uses. */
const listOutcomes = (outcomes: LoadTally["outcomes"]): readonly (readonly [string, number])[] =>
  Object.entries(outcomes).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([outcome, count]) => [`${kind} ${outcome}`, count] as const),
  );

const findDifferences = (sources: LoadSources, tally: LoadTally): readonly string[] => {
  const { summary, samples } = sources;
  if (summary === undefined || samples === undefined) {
    return [];
  }
  const reported = sumOutcomes(Object.entries(summary.outcomes), sources);
  const counted = sumOutcomes(listOutcomes(tally.outcomes), sources);
  const names = [...new Set([...reported.keys(), ...counted.keys()])].sort();
  const first = names.find((name) => (reported.get(name) ?? 0) !== (counted.get(name) ?? 0));
  return first === undefined
    ? []
    : [`k6 counted ${reported.get(first) ?? 0} of \`${first}\`, but the samples contain ${counted.get(first) ?? 0}`];
};

const findMissingSamples = ({ samples }: LoadSources): readonly string[] => {
  if (samples === undefined) {
    return [];
  }
  const { truncated, unreadable, beyondLimit } = samples;
  return [
    ...(truncated ? ["the last sample is truncated"] : []),
    ...(unreadable > 0 ? [`${unreadable} lines of the samples cannot be read`] : []),
    ...(beyondLimit > 0 ? [`${beyondLimit} samples exceed the limit for one run`] : []),
  ];
};

/** After an exception in an iteration, k6 ends with exit code 0 and without a sample of the iteration. */
const findScriptErrors = ({ summary }: LoadSources): readonly string[] => {
  const guard = Object.entries(summary?.thresholds ?? {}).find(([name]) => name.startsWith("script_errors "));
  return guard?.[1] === false ? ["the script threw in some of its iterations, which have no samples; see k6.log"] : [];
};

/** Unreadable files are in `problems` already. */
const findMissingFiles = ({ summary, samples, problems }: LoadSources): readonly string[] => {
  const missing = [
    ...(samples === undefined ? [loadFiles.samples] : []),
    ...(summary === undefined ? [loadFiles.summary] : []),
  ];
  return missing
    .filter((file) => problems.every((problem) => !problem.includes(file)))
    .map((file) => `k6 left no ${file}`);
};

/** Causes of an end that leaves complete files: a planned end, or one that the target caused. */
const completeEnds: ReadonlySet<K6End["cause"]> = new Set<K6End["cause"]>(["complete", "distress", "decided"]);

/** Returns the reasons why the stored files are incomplete, one sentence each. Empty if they are complete. */
export const findMissingData = (sources: LoadSources, tally: LoadTally, end: K6End | undefined): readonly string[] => {
  const endReasons =
    end === undefined || completeEnds.has(end.cause) ? [] : [end.sentence ?? `k6 ended early: ${end.cause}`];
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
