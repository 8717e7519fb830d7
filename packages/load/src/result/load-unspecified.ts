import type { K6End } from "../k6/k6-end.ts";
import type { LoadTally } from "./load-tally.ts";
import type { LoadSources } from "./load-sources.ts";
import { outcomesByKind } from "./tally-summary.ts";

/** Counts by kind and outcome. k6 knows of no known failures: where there are some, what it takes for a violation may have gone well. */
const flat = (outcomes: LoadTally["outcomes"], { hasKnown = false }: LoadSources): ReadonlyMap<string, number> => {
  const all = new Map<string, number>();
  for (const [kind, counts] of Object.entries(outcomes)) {
    for (const [outcome, count] of Object.entries(counts)) {
      const isEither = hasKnown && (outcome === "ok" || outcome === "violation");
      const name = `${kind} ${isEither ? "ok or violation" : outcome}`;
      all.set(name, (all.get(name) ?? 0) + count);
    }
  }
  return all;
};

const differences = (sources: LoadSources, tally: LoadTally): readonly string[] => {
  const { summary, samples } = sources;
  if (summary === undefined || samples === undefined) {
    return [];
  }
  const reported = flat(outcomesByKind(summary.outcomes), sources);
  const found = flat(tally.outcomes, sources);
  const names = [...new Set([...reported.keys(), ...found.keys()])].sort();
  const first = names.find((name) => (reported.get(name) ?? 0) !== (found.get(name) ?? 0));
  return first === undefined
    ? []
    : [`k6 counted ${reported.get(first) ?? 0} of \`${first}\`, but the samples have ${found.get(first) ?? 0}`];
};

const samplesGaps = ({ samples }: LoadSources): readonly string[] => {
  if (samples === undefined) {
    return [];
  }
  const { truncated, unreadable, beyondLimit } = samples;
  return [
    ...(truncated ? ["the last sample is cut off"] : []),
    ...(unreadable > 0 ? [`${unreadable} lines of the samples cannot be read`] : []),
    ...(beyondLimit > 0 ? [`${beyondLimit} samples are more than one run may have`] : []),
  ];
};

/** An exception inside an iteration leaves k6 with exit code 0 and the iteration without a sample. */
const scriptErrors = ({ summary }: LoadSources): readonly string[] => {
  const guard = Object.entries(summary?.thresholds ?? {}).find(([name]) => name.startsWith("script_errors "));
  return guard?.[1] === false ? ["the script threw in some of its iterations, which left no samples; see k6.log"] : [];
};

const noSources = ({ summary, samples }: LoadSources): readonly string[] => {
  if (samples !== undefined) {
    return summary === undefined ? ["k6 left no summary"] : [];
  }
  return summary === undefined ? ["k6 left neither samples nor a summary"] : [];
};

/** Ends after which what is stored is all that was recorded: as planned, or on the target's account. */
const endsInOrder: ReadonlySet<K6End["cause"]> = new Set<K6End["cause"]>(["complete", "distress", "decided"]);

/** Why what is stored is not the whole run, one sentence each; empty when it is. */
export const loadGaps = (sources: LoadSources, tally: LoadTally, end: K6End | undefined): readonly string[] => {
  const early = end === undefined || endsInOrder.has(end.cause) ? [] : [end.sentence ?? `k6 ended early: ${end.cause}`];
  return end?.cause === "not-started"
    ? early
    : [
        ...early,
        ...sources.problems,
        ...noSources(sources),
        ...samplesGaps(sources),
        ...differences(sources, tally),
        ...scriptErrors(sources),
      ];
};
