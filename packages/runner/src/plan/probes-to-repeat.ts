import type { IndexState } from "./index-state.ts";
import type { Probe } from "./probe.ts";
import { searchesKnownFile, findsPlainMatches } from "./stream-probes.ts";

/** A probe that was sent, and the index state that its response shows. */
export interface SentProbe {
  readonly probe: Probe;
  readonly state?: IndexState;
}

/** Groups of searches that are compared with each other, with patterns of their ids. A search with the name of its group is their base. */
const searchFamilies: readonly (readonly [string, RegExp])[] = [
  ["plain", /^(?:search|cut-off|not-cut-off|parameter-.*)$/u],
  ["all-paths-together", /^all-paths/u],
  ["pivot", /^pivot/u],
  ["dotted", /^(?:dotted|filter|together)/u],
  ["swapped", /^swapped/u],
  ["text", /^text/u],
  ["narrowed-together", /^narrowed-together/u],
  ["narrowed", /^narrowed/u],
];

/** Suffix of the id of a repeated probe: the number of the pass. */
const passSuffix = /-time-\d+$/u;

const originalId = ({ id }: Probe): string => id.replace(passSuffix, "");

const findFamily = (probe: Probe): string | undefined =>
  searchFamilies.find(([, ids]) => ids.test(originalId(probe)))?.[0];

/** Reports whether the matches of a probe are compared with other probes' matches. */
export const isCompared = (probe: Probe): boolean => findFamily(probe) !== undefined;

const createSearchKey = ({ probe }: SentProbe): string => JSON.stringify(Object.entries(probe.parameters));

function groupProbes(
  sentProbes: readonly SentProbe[],
  getKey: (probe: SentProbe) => string | undefined,
): ReadonlyMap<string, readonly SentProbe[]> {
  const groups = new Map<string, readonly SentProbe[]>();
  for (const sentProbe of sentProbes) {
    const key = getKey(sentProbe);
    if (key !== undefined) {
      groups.set(key, [...(groups.get(key) ?? []), sentProbe]);
    }
  }
  return groups;
}

const areDifferent = (values: readonly string[]): boolean => new Set(values).size > 1;

/** Reports whether the responses contain several commits of one repository, or equal searches found different files. */
function hasIndexChanged(sentProbes: readonly SentProbe[]): boolean {
  const commits = sentProbes.flatMap(({ state }) => [...(state?.commits ?? [])]);
  const repositories = new Set(commits.map(([repository]) => repository));
  const listFiles = (equalSearches: readonly SentProbe[]): readonly string[] =>
    equalSearches.flatMap(({ state }) => state?.files ?? []);
  // Without commits, repetitions could not show that two searches used the same index state.
  return (
    commits.length > 0 &&
    ([...repositories].some((name) =>
      areDifferent(commits.flatMap(([repository, commit]) => (repository === name ? [commit] : []))),
    ) ||
      [...groupProbes(sentProbes, createSearchKey).values()].some((equalSearches) =>
        areDifferent(listFiles(equalSearches)),
      ))
  );
}

const isIncomplete = ({ state }: SentProbe): boolean => state?.isIncomplete === true;

/** Reports whether a repetition may show more than this pass and the previous one. */
const isWorthRepeating = (sentProbes: readonly SentProbe[], earlierProbes: readonly SentProbe[]): boolean =>
  hasIndexChanged(sentProbes) ||
  // If all responses are incomplete twice, the target's responses are always incomplete.
  (sentProbes.some(isIncomplete) &&
    !(sentProbes.every(isIncomplete) && earlierProbes.length > 0 && earlierProbes.every(isIncomplete)));

const hasMatches = ({ state }: SentProbe): boolean => state?.isEmpty === false;

/** Families whose searches all find something if their base does: no text or filter excludes what the base finds. */
const widerFamilies: ReadonlySet<string> = new Set(["dotted", "swapped", "narrowed", "narrowed-together"]);

/** The family whose searches all find something if any of them does: they have the same query, apart from `count:`. */
const equalFamily = "all-paths-together";

/**
 * Returns searches without matches although others of the family have some, and then the search that they are compared with. A lagging
 * replica can be the cause once.
 */
function findWronglyEmpty(family: readonly SentProbe[], name: string): readonly SentProbe[] {
  const isBase = ({ probe }: SentProbe): boolean => originalId(probe) === name;
  const mustAllMatch =
    name === equalFamily || (widerFamilies.has(name) && family.some((probe) => isBase(probe) && hasMatches(probe)));
  const emptySearches = family.filter(
    ({ probe, state }) =>
      state?.isEmpty === true &&
      (mustAllMatch || findsPlainMatches(originalId(probe)) || searchesKnownFile(originalId(probe))) &&
      family.some(hasMatches),
  );
  const base = family.filter((sentProbe) => isBase(sentProbe) && !emptySearches.includes(sentProbe));
  return emptySearches.length === 0 ? [] : [...emptySearches, ...base];
}

/**
 * Returns the searches of one pass to repeat, in sending order, if the index changed between them, their responses were incomplete, or
 * they found nothing in the first pass. `previousPass` is empty in the first pass. `passNumber` is the number of the next pass.
 */
export function probesToRepeat(
  sentProbes: readonly SentProbe[],
  previousPass: readonly SentProbe[],
  passNumber: number,
): readonly Probe[] {
  const previousFamilies = groupProbes(previousPass, ({ probe }) => findFamily(probe));
  return [...groupProbes(sentProbes, ({ probe }) => findFamily(probe))].flatMap(([name, family]) => {
    const isFirstPass = previousPass.length === 0;
    const searchesToRepeat = isWorthRepeating(family, previousFamilies.get(name) ?? [])
      ? family
      : isFirstPass
        ? findWronglyEmpty(family, name)
        : [];
    return searchesToRepeat.map(({ probe }) => ({
      ...probe,
      id: `${originalId(probe)}-time-${passNumber}`,
      title: `${probe.title.replace(/, time \d+$/u, "")}, time ${passNumber}`,
    }));
  });
}
