import { counted, isRuleId, listNames, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { IncompleteReason, RuleVerdict } from "@assay/results";
import type { JudgedExchange } from "@assay/rules";
import { judgedInterfaces, testsInterfaces } from "../plan/select-rules.ts";
import type { Profile } from "../plan/profiles.ts";
import {
  searchesKnownFile,
  plainSearchProbeId,
  findsPlainMatches,
  unlimitedSearchProbeId,
} from "../plan/stream-probes.ts";

const testedOutcomes: ReadonlySet<string> = new Set(["passed", "failed", "warned"]);

/** Minimum share of testable rules of an interface that must be tested. */
const minTestedShare = { numerator: 4, denominator: 5 } as const;

const maxNamedRules = 3;

/** Returns the interfaces that have rules in the profile, all of which are selected. */
export const findCompleteInterfaces = (
  { rules }: Pick<Profile, "rules">,
  selectedRules: readonly RuleId[],
): ReadonlySet<string> => {
  const selectedIds = new Set(selectedRules);
  return new Set(
    judgedInterfaces.filter((name) => {
      const profileRules = rules.filter((id) => testsInterfaces(id, new Set([name])));
      return profileRules.length > 0 && profileRules.every((id) => selectedIds.has(id));
    }),
  );
};

/** Reports whether a run may pass without testing the rule: its evidence is rare, or requires several matches while few were found. */
function mayBeUntested(rule: string, hasFewMatches: boolean): boolean {
  const record = isRuleId(rule) ? ruleRecord(rule) : undefined;
  const needsMatches =
    record?.searches.some((purpose) => purpose === "parameters" || purpose === "comparison") === true;
  return record?.mayBeUntested === true || (hasFewMatches && needsMatches);
}

/** Returns a reason if too few rules of an interface were tested. */
function findShareShortfall(
  name: string,
  { verdicts, searches }: Pick<CoverageFacts, "verdicts" | "searches">,
): readonly IncompleteReason[] {
  const hasFewMatches = findMaxMatches(selectPlainSearches(searches)) < enoughMatches;
  const interfaceVerdicts = verdicts.filter((verdict) => verdict.interface === name);
  const testedVerdicts = interfaceVerdicts.filter(({ verdict }) => testedOutcomes.has(verdict.outcome));
  // Rules that do not apply, or that need a missing token, setting or budget, are excluded.
  const untestedVerdicts = interfaceVerdicts.filter(
    ({ rule, verdict }) => verdict.outcome === "not-tested" && !mayBeUntested(rule, hasFewMatches),
  );
  const testableCount = testedVerdicts.length + untestedVerdicts.length;
  const { numerator, denominator } = minTestedShare;
  // If no rule was tested, other reasons explain it.
  if (testedVerdicts.length === 0 || testedVerdicts.length * denominator >= testableCount * numerator) {
    return [];
  }
  const names = listNames(
    untestedVerdicts.map(({ rule }) => rule),
    maxNamedRules,
  );
  const message = `only ${testedVerdicts.length} of the ${testableCount} rules about the interface ${name} that can be tested here were tested; not tested: ${names}`;
  return [{ code: "too-few-tested", message }];
}

/** If a search finds at least this number of matches, other searches for the same words must find some, even if the index changes. */
const enoughMatches = 5;

const typeFilter = /(?:^|\s)(?:-?type|select):/u;

const isComplete = ({ stream }: JudgedExchange): boolean => stream?.isFinished === true && stream.isComplete;

const findMaxMatches = (searches: readonly JudgedExchange[]): number =>
  Math.max(0, ...searches.map(({ stream }) => stream?.matches ?? 0));

const findPlainQuery = (searches: readonly JudgedExchange[]): string =>
  searches.filter(({ record }) => record.probe === plainSearchProbeId).map((search) => readQuery(search))[0] ?? "";

/** Reports whether a search contains the words of the plain search and does not restrict the type of results. */
const hasSameWords = (query: string, search: JudgedExchange): boolean =>
  readQuery(search) === query || !typeFilter.test(query);

/** Selects the plain searches and the ones without `count:`, because a target may treat `count:` as text. */
function selectPlainSearches(searches: readonly JudgedExchange[]): readonly JudgedExchange[] {
  const query = findPlainQuery(searches);
  return searches.filter(
    (search) =>
      search.record.probe === plainSearchProbeId ||
      (search.record.probe === unlimitedSearchProbeId && hasSameWords(query, search)),
  );
}

/** Returns the id of a search's probe, without the suffix of repetitions after index changes. */
const readOriginalProbeId = ({ record }: JudgedExchange): string => record.probe.replace(/-time-\d+$/u, "");

/** Reports whether searches show two commits of a file. */
function showsIndexChange(searches: readonly JudgedExchange[]): boolean {
  const commits = new Map<string, string>();
  return searches.some(({ results }) =>
    [...(results?.files ?? [])].some(([file, { commit }]) => {
      const earlierCommit = commits.get(file) ?? commit;
      commits.set(file, earlierCommit ?? "");
      return earlierCommit !== commit;
    }),
  );
}

/** Reports whether a search must find something if the plain one does: it only adds a limit or a format, or searches one of the files found. */
const mustFindMatches = (query: string, exchange: JudgedExchange): boolean =>
  searchesKnownFile(readOriginalProbeId(exchange)) ||
  (findsPlainMatches(readOriginalProbeId(exchange)) && hasSameWords(query, exchange));

/** Returns the first search of each probe that should have found matches but never did. */
function findEmptySearches(searches: readonly JudgedExchange[], query: string): readonly JudgedExchange[] {
  const byProbe = new Map<string, JudgedExchange[]>();
  for (const exchange of searches) {
    const probe = readOriginalProbeId(exchange);
    if (mustFindMatches(query, exchange)) {
      byProbe.set(probe, [...(byProbe.get(probe) ?? []), exchange]);
    }
  }
  // While the index changes, repetitions of a search may differ in whether they find anything.
  const isIndexChanging =
    showsIndexChange([...byProbe.values()].flat()) ||
    [...byProbe.values()].some(
      (repetitions) =>
        repetitions.some((search) => isComplete(search) && findMaxMatches([search]) === 0) &&
        findMaxMatches(repetitions) > 0,
    );
  return [...(isIndexChanging ? [] : byProbe.values())].flatMap((repetitions) =>
    findMaxMatches(repetitions) > 0 ? [] : repetitions.filter((search) => isComplete(search)).slice(0, 1),
  );
}

/** Returns a reason if searches that should have found matches found none. */
function reasonForEmptySearches(searches: readonly JudgedExchange[]): readonly IncompleteReason[] {
  const matchCount = findMaxMatches(selectPlainSearches(searches));
  const [first, ...otherSearches] =
    matchCount < enoughMatches ? [] : findEmptySearches(searches, findPlainQuery(searches));
  if (first === undefined) {
    return [];
  }
  const othersClause =
    otherSearches.length === 0
      ? ""
      : `, as did ${counted(otherSearches.length, "more such search", "more such searches")}`;
  const contradiction = searchesKnownFile(readOriginalProbeId(first))
    ? "another search found lines of this file"
    : `a search for the same words found ${matchCount} matches`;
  const message = `search ${first.record.id} (${first.record.probe}) found nothing although ${contradiction}${othersClause}; it tests none of its rules`;
  return [{ code: "too-few-tested", message }];
}

const readQuery = ({ record }: JudgedExchange): string | undefined =>
  URL.canParse(record.request.url) ? (new URL(record.request.url).searchParams.get("q") ?? undefined) : undefined;

/** The facts that determine whether a run tested enough. */
export interface CoverageFacts {
  readonly verdicts: readonly RuleVerdict[];
  /** The judged searches. */
  readonly searches: readonly JudgedExchange[];
  /** Interfaces for which all rules of the profile are selected. */
  readonly completeInterfaces: ReadonlySet<string>;
}

/**
 * Returns the reasons a passing run did not test enough: it tested fewer than four fifths of an interface's testable rules, or a
 * search found no matches although the plain search found enough. No minimum applies if rules were selected individually.
 */
export const findCoverageReasons = ({ completeInterfaces, ...facts }: CoverageFacts): readonly IncompleteReason[] => [
  ...(completeInterfaces.has("stream") ? reasonForEmptySearches(facts.searches) : []),
  ...[...completeInterfaces].flatMap((name) => findShareShortfall(name, facts)),
];
