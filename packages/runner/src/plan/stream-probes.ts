import { ruleRecord } from "@assay/contract";
import type { RuleId, SearchParameter } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import { comparisonProbes } from "./comparison-probes.ts";
import { pivotOf } from "./pivot/pivot-of.ts";
import type { Probe } from "./probe.ts";

/** What the probes search for when nothing else was said: a word that most code holds. */
export const defaultQuery = "test count:200";

type Parameters = Readonly<Partial<Record<Exclude<SearchParameter, "q">, string>>>;

/** Id of the probe whose query cannot be understood. */
export const doomedProbe = "problem";

/** A text that no repository holds, this one included: it is put together only here. */
const unknownText = ["qzxv", "no", "such", "text", "8f1c2a"].join("-");

/** Documented parameters with documented values. Source: search-stream, section 4. */
const parameterSets: Readonly<Record<string, Parameters>> = {
  "parameter-v": { v: "V3" },
  "parameter-t-standard": { t: "standard" },
  "parameter-t-keyword": { t: "keyword" },
  "parameter-t-regexp": { t: "regexp" },
  "parameter-cm": { cm: "true" },
  "parameter-cm-false": { cm: "false" },
  "parameter-cl": { cm: "true", cl: "3" },
  "parameter-max-line-len": { cm: "true", "max-line-len": "40" },
  "parameter-display": { display: "2" },
  "parameter-display-many": { display: "150" },
  "parameter-display-cm": { cm: "true", display: "2" },
  "parameter-display-none": { display: "-1" },
};

/** The query without the filters that a probe sets itself. */
const words = (query: string): string =>
  query
    .replace(/(?:^|\s)-?(?:type|count):\S+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();

const streamProbe = (id: string, title: string, q: string): Probe => ({
  id,
  title,
  credential: "main",
  parameters: { q },
  purpose: "stream",
});

const parameterProbe = ([id, parameters]: readonly [string, Parameters], q: string): Probe => {
  const shown = Object.entries(parameters).map((pair) => pair.join("="));
  return { id, title: shown.join("&"), credential: "main", parameters: { q, ...parameters }, purpose: "parameters" };
};

const accessProbe = (credential: Exclude<Probe["credential"], "main">, title: string, q: string): Probe => ({
  id: credential === "none" ? "no-token" : credential,
  title,
  credential,
  parameters: { q },
  purpose: "access",
});

/** Every probe of the streaming interface, the plain search first: what it shows decides whether others make sense. */
export function streamProbes(query: string): readonly Probe[] {
  const bare = words(query);
  return [
    streamProbe("search", "a plain search", query),
    streamProbe("paths", "a search for paths", `${bare} type:path count:20`.trim()),
    streamProbe("repositories", "a search for repositories", "type:repo count:20"),
    streamProbe("cut-off", "a search that stops at one match", `${bare} count:1`.trim()),
    streamProbe("cut-off-later", "the same search that stops at 50 matches", `${bare} count:50`.trim()),
    // Where the query has no number of its own, the plain search is this one.
    ...(/(?:^|\s)count:/u.test(query) ? [streamProbe("not-cut-off", "the same search without a number", bare)] : []),
    streamProbe("nothing-found", "a search that finds nothing", unknownText),
    streamProbe(doomedProbe, "a query that cannot be understood", "patternType:regexp ("),
    ...["symbol", "commit", "diff"].map((type) =>
      streamProbe(`type-${type}`, `a search for type:${type}`, `${bare} type:${type} count:20`.trim()),
    ),
    // Every code has more than ten files, so that it can be told whether a number of matches ends the search.
    streamProbe("all-paths", "a search for any path", "type:path"),
    streamProbe("all-paths-cut-off", "the same search that stops at one match", "type:path count:1"),
    streamProbe("all-paths-limit", "the same search that stops at 1,000 matches", "type:path count:1000"),
    ...Object.entries(parameterSets).map((entry) => parameterProbe(entry, query)),
    accessProbe("oauth-token", "a search with an OAuth token", query),
    accessProbe("unscoped-token", "a search with a token that lacks the scope", query),
    accessProbe("unscoped-oauth-token", "a search with an OAuth token that lacks the scope", query),
    accessProbe("invalid-token", "a search with a token that was never issued", query),
    accessProbe("none", "a search without a token", query),
  ];
}

/** What a run sends: the probes that are known beforehand, and those that its first answer leads to. */
export interface ProbePlan {
  readonly probes: readonly Probe[];
  /** The searches of one file that `first`, the answer to the plain search, shows to be good for comparing. */
  readonly followUps: (first: RecordedExchange) => readonly Probe[];
}

/**
 * The probes that the selected rules need, in the order of sending. The plain search is always among them; without a rule
 * about streams there are none.
 */
export function probesFor(rules: readonly RuleId[], query: string): ProbePlan {
  const purposes = new Set(rules.flatMap((rule) => ruleRecord(rule).searches));
  return {
    probes: streamProbes(query).filter(
      ({ id, purpose }) => purposes.size > 0 && (id === "search" || purposes.has(purpose)),
    ),
    followUps(first) {
      const pivot = purposes.has("comparison") ? pivotOf(first) : undefined;
      return pivot === undefined ? [] : comparisonProbes(pivot);
    },
  };
}
