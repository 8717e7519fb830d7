import type { PlanCoverage } from "@assay/results";
import { sequencePairs, sequencesForAllPairs } from "../converse/generate-sequences.ts";
import { comparisonProbes, specialTextProbes } from "./comparison-probes.ts";
import type { Probe } from "./probe.ts";
import { createStreamProbes, defaultQuery } from "./stream-probes.ts";

/** What parameters, filters, connections and tokens add to a search. */
const parts: readonly (readonly [name: string, isIn: (probe: Probe) => boolean])[] = [
  ...(["v", "t", "cm", "cl", "max-line-len", "display"] as const).map(
    (name) => [name, ({ parameters }: Probe) => parameters[name] !== undefined] as const,
  ),
  ["count:", ({ parameters }) => parameters.q.includes("count:")],
  ["patternType:", ({ parameters }) => parameters.q.includes("patternType:")],
  ["a kept connection", ({ connection }) => connection === "kept"],
  ["no token", ({ credential }) => credential === "none"],
];

/** The searches of a run whose first search finds lines of every kind. */
function listSearches(): readonly Probe[] {
  const file = { repository: "repository", path: "path", word: "word" };
  return [
    ...createStreamProbes(defaultQuery),
    ...comparisonProbes({ ...file, dottedText: "a.", phrase: ["two", "words"], swappedWords: ["words", "two"] }),
    ...specialTextProbes({ ...file, expressions: ["ü", "a[+]b", "a%b", "a'b"] }),
  ];
}

/** Returns which pairs an ordinary run covers, according to its plan. */
export function describePlanCoverage(): PlanCoverage {
  const searches = listSearches();
  const pairs = parts.flatMap((first, index) => parts.slice(index + 1).map((second) => [first, second] as const));
  const orderedPairs = pairs.flatMap(([first, second]) => [[first, second] as const, [second, first] as const]);
  const isPairMissing = (isInBoth: boolean) => {
    const hasPair =
      ([[, hasFirst], [, hasSecond]]: (typeof pairs)[number]) =>
      (probe: Probe): boolean =>
        hasFirst(probe) && hasSecond(probe) === isInBoth;
    return (pair: (typeof pairs)[number]): boolean => !searches.some(hasPair(pair));
  };
  return {
    searchCount: searches.length,
    partPairCount: pairs.length,
    neverTogether: pairs.filter(isPairMissing(true)).map(([[first], [second]]) => `${first} with ${second}`),
    neverWithout: orderedPairs.filter(isPairMissing(false)).map(([[first], [second]]) => `${first} without ${second}`),
    commandPairCount: sequencePairs.length,
    sequencesForAllPairs,
  };
}
