import type { PlanCoverage } from "@assay/results";
import { sequencePairs, sequencesForAllPairs } from "../converse/generate-sequences.ts";
import { comparisonProbes, specialTextProbes } from "./comparison-probes.ts";
import type { Probe } from "./probe.ts";
import { createStreamProbes, defaultQuery } from "./stream-probes.ts";

/** Value of a filter in the query of a search, or undefined. */
const filterIn = (name: string, { parameters }: Probe): string | undefined =>
  parameters.q.split(" ").find((word) => word.startsWith(name));

/** A part that a search may have: a parameter, a filter, a connection or a token. */
interface Part {
  readonly name: string;
  /** Returns the value of the part, or undefined if the search does not have it. */
  readonly valueIn: (probe: Probe) => string | undefined;
}

const parameterParts = (["v", "t", "cm", "cl", "max-line-len", "display"] as const).map((name): Part => ({
  name,
  valueIn: ({ parameters }) => parameters[name],
}));
const filterParts = ["count:", "patternType:"].map((name): Part => ({
  name,
  valueIn: (probe) => filterIn(name, probe),
}));
const keptConnection: Part = { name: "a kept connection", valueIn: ({ connection }) => connection };
const noToken: Part = {
  name: "no token",
  valueIn: ({ credential }) => (credential === "none" ? credential : undefined),
};
const parts: readonly Part[] = [...parameterParts, ...filterParts, keptConnection, noToken];

const hasPart = ({ valueIn }: Part, probe: Probe): boolean => valueIn(probe) !== undefined;

/** Parts in which two compared searches differ. */
const varied: readonly Part[] = [...parameterParts, ...filterParts];

/** Returns everything that a search sends except one part. `cl` and `max-line-len` have no effect without `cm`. */
function describeWithout({ name: leftOut }: Part, probe: Probe): string {
  const { q } = probe.parameters;
  const text = q.split(" ").filter((word) => !filterParts.some(({ name }) => word.startsWith(name)));
  const hasChunks = probe.parameters.cm === "true" && leftOut !== "cm";
  const compared = varied.filter(
    ({ name }) => name !== leftOut && (hasChunks || !["cl", "max-line-len"].includes(name)),
  );
  return JSON.stringify([probe.credential, text, compared.map(({ valueIn }) => valueIn(probe))]);
}

/** Returns the differences between two searches that a run never sends while both have the other part. */
const listNeverVaried = (searches: readonly Probe[]): readonly string[] =>
  varied.flatMap((part) => {
    const isVaried = (other: Part): boolean => {
      const valuesByRest = new Map<string, Set<string | undefined>>();
      for (const probe of searches.filter((search) => hasPart(other, search))) {
        const rest = describeWithout(part, probe);
        valuesByRest.set(rest, (valuesByRest.get(rest) ?? new Set()).add(part.valueIn(probe)));
      }
      return [...valuesByRest.values()].some((values) => values.size > 1);
    };
    return [...varied, keptConnection]
      .filter((other) => other !== part && !isVaried(other))
      .map((other) => `${part.name} while ${other.name} is set`);
  });

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
  const isPairMissing =
    (isInBoth: boolean) =>
    ([first, second]: readonly [Part, Part]): boolean =>
      !searches.some((probe) => hasPart(first, probe) && hasPart(second, probe) === isInBoth);
  return {
    searchCount: searches.length,
    partPairCount: pairs.length,
    neverTogether: pairs.filter(isPairMissing(true)).map(([first, second]) => `${first.name} with ${second.name}`),
    neverWithout: orderedPairs
      .filter(isPairMissing(false))
      .map(([first, second]) => `${first.name} without ${second.name}`),
    differenceCount: varied.length * varied.length,
    neverVaried: listNeverVaried(searches),
    commandPairCount: sequencePairs.length,
    sequencesForAllPairs,
  };
}
