import { counted, isRuleId, listNames, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { IncompleteReason, RuleVerdict } from "@assay/results";
import type { JudgedExchange } from "@assay/rules";
import { judgedInterfaces, isWithin } from "../plan/select-rules.ts";
import type { Profile } from "../plan/profiles.ts";
import { isOfFoundFile, plainSearchProbe, findsPlainMatches, unlimitedSearchProbe } from "../plan/stream-probes.ts";

const tested: ReadonlySet<string> = new Set(["passed", "failed", "warned"]);

/** Minimum share of testable rules of an interface that must be tested. */
const minShare = { numerator: 4, denominator: 5 } as const;

const namedRules = 3;

/** Returns the interfaces that have rules in the profile, all of which are selected. */
export const wholeInterfaces = (
  { rules }: Pick<Profile, "rules">,
  selected: readonly RuleId[],
): ReadonlySet<string> => {
  const chosen = new Set(selected);
  return new Set(
    judgedInterfaces.filter((name) => {
      const ofProfile = rules.filter((id) => isWithin(id, new Set([name])));
      return ofProfile.length > 0 && ofProfile.every((id) => chosen.has(id));
    }),
  );
};

/** Reports whether a run may pass without testing the rule: its evidence is rare, or requires several matches while few were found. */
function mayBeUntested(rule: string, isSmall: boolean): boolean {
  const record = isRuleId(rule) ? ruleRecord(rule) : undefined;
  const needsMatches =
    record?.searches.some((purpose) => purpose === "parameters" || purpose === "comparison") === true;
  return record?.mayBeUntested === true || (isSmall && needsMatches);
}

/** Returns a reason if too few rules of an interface were tested. */
function shareReason(
  name: string,
  { verdicts, searches }: Pick<FloorFacts, "verdicts" | "searches">,
): readonly IncompleteReason[] {
  const isSmall = maxMatches(selectPlain(searches)) < enoughMatches;
  const ofInterface = verdicts.filter((verdict) => verdict.interface === name);
  const testedVerdicts = ofInterface.filter(({ verdict }) => tested.has(verdict.outcome));
  // Rules that do not apply, or that need a missing token, setting or budget, are excluded.
  const untestedVerdicts = ofInterface.filter(
    ({ rule, verdict }) => verdict.outcome === "not-tested" && !mayBeUntested(rule, isSmall),
  );
  const testableCount = testedVerdicts.length + untestedVerdicts.length;
  const { numerator, denominator } = minShare;
  // If no rule was tested, other reasons explain it.
  if (testedVerdicts.length === 0 || testedVerdicts.length * denominator >= testableCount * numerator) {
    return [];
  }
  const names = listNames(
    untestedVerdicts.map(({ rule }) => rule),
    namedRules,
  );
  const message = `only ${testedVerdicts.length} of the ${testableCount} rules about the interface ${name} that can be tested here were tested; not tested: ${names}`;
  return [{ code: "too-few-tested", message }];
}

/** If a search finds at least this number of matches, other searches for the same words must find some, even if the index changes. */
const enoughMatches = 5;

const typeFilter = /(?:^|\s)(?:-?type|select):/u;

const isWhole = ({ stream }: JudgedExchange): boolean => stream?.isFinished === true && stream.isEnded;

const maxMatches = (searches: readonly JudgedExchange[]): number =>
  Math.max(0, ...searches.map(({ stream }) => stream?.matches ?? 0));

const queryOfProbe = (searches: readonly JudgedExchange[]): string =>
  searches.filter(({ record }) => record.probe === plainSearchProbe).map((search) => queryOf(search))[0] ?? "";

/** Reports whether a search contains the words of the plain search and does not restrict the type of results. */
const hasSameWords = (query: string, search: JudgedExchange): boolean =>
  queryOf(search) === query || !typeFilter.test(query);

/** Selects the plain searches and the ones without `count:`, because a target may treat `count:` as text. */
function selectPlain(searches: readonly JudgedExchange[]): readonly JudgedExchange[] {
  const query = queryOfProbe(searches);
  return searches.filter(
    (search) =>
      search.record.probe === plainSearchProbe ||
      (search.record.probe === unlimitedSearchProbe && hasSameWords(query, search)),
  );
}

/** Returns the id of a search's probe, without the suffix of repetitions after index changes. */
const firstProbeId = ({ record }: JudgedExchange): string => record.probe.replace(/-time-\d+$/u, "");

/** Reports whether searches show two commits of a file. */
function showTwoStates(searches: readonly JudgedExchange[]): boolean {
  const commits = new Map<string, string>();
  return searches.some(({ results }) =>
    [...(results?.files ?? [])].some(([file, { commit }]) => {
      const before = commits.get(file) ?? commit;
      commits.set(file, before ?? "");
      return before !== commit;
    }),
  );
}

/** Reports whether a search must find something if the plain one does: it only adds a limit or a format, or searches one of the files found. */
const mustFind = (query: string, exchange: JudgedExchange): boolean =>
  isOfFoundFile(firstProbeId(exchange)) || (findsPlainMatches(firstProbeId(exchange)) && hasSameWords(query, exchange));

/** Returns the first search of each probe that should have found matches but never did. */
function findEmptySearches(judged: readonly JudgedExchange[], query: string): readonly JudgedExchange[] {
  const byProbe = new Map<string, JudgedExchange[]>();
  for (const exchange of judged) {
    const probe = firstProbeId(exchange);
    if (mustFind(query, exchange)) {
      byProbe.set(probe, [...(byProbe.get(probe) ?? []), exchange]);
    }
  }
  // While the index changes, repetitions of a search may differ in whether they find anything.
  const isMoving =
    showTwoStates([...byProbe.values()].flat()) ||
    [...byProbe.values()].some(
      (searches) =>
        searches.some((search) => isWhole(search) && maxMatches([search]) === 0) && maxMatches(searches) > 0,
    );
  return [...(isMoving ? [] : byProbe.values())].flatMap((searches) =>
    maxMatches(searches) > 0 ? [] : searches.filter((search) => isWhole(search)).slice(0, 1),
  );
}

/** Returns a reason if searches that should have found matches found none. */
function reasonForEmptySearches(judged: readonly JudgedExchange[]): readonly IncompleteReason[] {
  const matchCount = maxMatches(selectPlain(judged));
  const [first, ...more] = matchCount < enoughMatches ? [] : findEmptySearches(judged, queryOfProbe(judged));
  if (first === undefined) {
    return [];
  }
  const othersClause =
    more.length === 0 ? "" : `, as did ${counted(more.length, "more such search", "more such searches")}`;
  const contradiction = isOfFoundFile(firstProbeId(first))
    ? "another search found lines of this file"
    : `a search for the same words found ${matchCount} matches`;
  const message = `search ${first.record.id} (${first.record.probe}) found nothing although ${contradiction}${othersClause}; it tests none of its rules`;
  return [{ code: "too-few-tested", message }];
}

const queryOf = ({ record }: JudgedExchange): string | undefined =>
  URL.canParse(record.request.url) ? (new URL(record.request.url).searchParams.get("q") ?? undefined) : undefined;

/** The facts that determine whether a run tested enough. */
export interface FloorFacts {
  readonly verdicts: readonly RuleVerdict[];
  /** The judged searches. */
  readonly searches: readonly JudgedExchange[];
  /** Interfaces for which all rules of the profile are selected. */
  readonly whole: ReadonlySet<string>;
}

/**
 * Returns the reasons why a passing run did not test enough: it tested fewer than four fifths of an interface's testable rules, or a
 * search found no matches although the plain search found enough. No minimum applies if rules were selected individually.
 */
export const floorReasons = ({ whole, ...facts }: FloorFacts): readonly IncompleteReason[] => [
  ...(whole.has("stream") ? reasonForEmptySearches(facts.searches) : []),
  ...[...whole].flatMap((name) => shareReason(name, facts)),
];
