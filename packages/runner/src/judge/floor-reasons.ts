import { isRuleId, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { IncompleteReason, RuleVerdict } from "@assay/results";
import type { JudgedExchange } from "@assay/rules";
import { judgedInterfaces, isWithin } from "../plan/select-rules.ts";
import type { Profile } from "../plan/profiles.ts";
import { isOfFoundFile, plainSearchProbe, findsPlainMatches, unlimitedSearchProbe } from "../plan/stream-probes.ts";

const tested: ReadonlySet<string> = new Set(["passed", "failed", "warned"]);

/** Of the rules of an interface that can be tested, this share is at least, as a fraction. */
const leastShare = { numerator: 4, denominator: 5 } as const;

const namedRules = 3;

/** Interfaces of which a profile selects rules, and of which none of these was deselected. */
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

/** True for a rule that no run is too small for: what tests it is rare, or needs several matches where few are found. */
function mayBeUntested(rule: string, isSmall: boolean): boolean {
  const record = isRuleId(rule) ? ruleRecord(rule) : undefined;
  const needsMatches =
    record?.searches.some((purpose) => purpose === "parameters" || purpose === "comparison") === true;
  return record?.mayBeUntested === true || (isSmall && needsMatches);
}

/** Why too little of one interface was tested; nothing where enough was. */
function shareReason(
  name: string,
  { verdicts, searches }: Pick<FloorFacts, "verdicts" | "searches">,
): readonly IncompleteReason[] {
  const isSmall = mostMatches(plainOf(searches)) < enoughMatches;
  const ofInterface = verdicts.filter((verdict) => verdict.interface === name);
  const seen = ofInterface.filter(({ verdict }) => tested.has(verdict.outcome));
  // What does not apply, and what a token, a setting or a budget would show that was not given, is not missed.
  const unseen = ofInterface.filter(
    ({ rule, verdict }) => verdict.outcome === "not-tested" && !mayBeUntested(rule, isSmall),
  );
  const all = seen.length + unseen.length;
  const { numerator, denominator } = leastShare;
  // Where nothing at all was tested, other reasons say why.
  if (seen.length === 0 || seen.length * denominator >= all * numerator) {
    return [];
  }
  const names = unseen.slice(0, namedRules).map(({ rule }) => rule);
  const more = unseen.length > namedRules ? ` and ${unseen.length - namedRules} more` : "";
  const message = `only ${seen.length} of the ${all} rules about the interface ${name} that can be tested here were tested; not tested: ${names.join(", ")}${more}`;
  return [{ code: "too-few-tested", message }];
}

/** Enough matches of one search for another search of the same words to find one, on an index that changes. */
const enoughMatches = 5;

const typeFilter = /(?:^|\s)(?:-?type|select):/u;

const isWhole = ({ stream }: JudgedExchange): boolean => stream?.isFinished === true && stream.isEnded;

const mostMatches = (searches: readonly JudgedExchange[]): number =>
  Math.max(0, ...searches.map(({ stream }) => stream?.matches ?? 0));

const queryOfProbe = (searches: readonly JudgedExchange[]): string =>
  searches.filter(({ record }) => record.probe === plainSearchProbe).map((search) => queryOf(search))[0] ?? "";

/** Whether a search has the words of the plain one, and no type of result less. */
const hasSameWords = (query: string, search: JudgedExchange): boolean =>
  queryOf(search) === query || !typeFilter.test(query);

/** The plain searches, and those for the same words without a number: a target may read `count:` as text. */
function plainOf(searches: readonly JudgedExchange[]): readonly JudgedExchange[] {
  const query = queryOfProbe(searches);
  return searches.filter(
    (search) =>
      search.record.probe === plainSearchProbe ||
      (search.record.probe === unlimitedSearchProbe && hasSameWords(query, search)),
  );
}

/** The probe of a search, also of one that was sent again because the index moved. */
const probeOf = ({ record }: JudgedExchange): string => record.probe.replace(/-time-\d+$/u, "");

/** Whether searches show a file in two states. */
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

/** True for a search that finds something where the plain one does: it limits this, asks for another form of it, or for a file of it. */
const mustFind = (query: string, exchange: JudgedExchange): boolean =>
  isOfFoundFile(probeOf(exchange)) || (findsPlainMatches(probeOf(exchange)) && hasSameWords(query, exchange));

/** Searches that had to find something and found nothing each time: the first of each probe. */
function emptySearches(judged: readonly JudgedExchange[], query: string): readonly JudgedExchange[] {
  const byProbe = new Map<string, JudgedExchange[]>();
  for (const exchange of judged) {
    const probe = probeOf(exchange);
    if (mustFind(query, exchange)) {
      byProbe.set(probe, [...(byProbe.get(probe) ?? []), exchange]);
    }
  }
  // An index that moves finds something one time, and nothing another time.
  const isMoving =
    showTwoStates([...byProbe.values()].flat()) ||
    [...byProbe.values()].some(
      (searches) => searches.some((one) => isWhole(one) && mostMatches([one]) === 0) && mostMatches(searches) > 0,
    );
  return [...(isMoving ? [] : byProbe.values())].flatMap((searches) =>
    mostMatches(searches) > 0 ? [] : searches.filter((search) => isWhole(search)).slice(0, 1),
  );
}

/** Why a search is worth nothing that had to find something. */
function emptyReason(judged: readonly JudgedExchange[]): readonly IncompleteReason[] {
  const found = mostMatches(plainOf(judged));
  const [first, ...more] = found < enoughMatches ? [] : emptySearches(judged, queryOfProbe(judged));
  if (first === undefined) {
    return [];
  }
  const others =
    more.length === 0 ? "" : `, as did ${more.length} more such ${more.length === 1 ? "search" : "searches"}`;
  const why = isOfFoundFile(probeOf(first))
    ? "another search found lines of this file"
    : `a search for the same words found ${found} matches`;
  const message = `search ${first.record.id} (${first.record.probe}) found nothing although ${why}${others}; it tests none of its rules`;
  return [{ code: "too-few-tested", message }];
}

const queryOf = ({ record }: JudgedExchange): string | undefined =>
  URL.canParse(record.request.url) ? (new URL(record.request.url).searchParams.get("q") ?? undefined) : undefined;

/** What the floor of a profile looks at. */
export interface FloorFacts {
  readonly verdicts: readonly RuleVerdict[];
  /** The searches, judged. */
  readonly searches: readonly JudgedExchange[];
  /** Interfaces of which all rules of the profile were selected. */
  readonly whole: ReadonlySet<string>;
}

/**
 * Why a run in which everything that was tested passed has not tested enough: fewer than four fifths of the rules about an interface
 * that can be tested with what was given, or a search that found nothing although the plain one found enough. A run of chosen rules
 * has no floor.
 */
export const floorReasons = ({ whole, ...facts }: FloorFacts): readonly IncompleteReason[] => [
  ...(whole.has("stream") ? emptyReason(facts.searches) : []),
  ...[...whole].flatMap((name) => shareReason(name, facts)),
];
