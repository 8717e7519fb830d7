import type { RuleId, SearchParameter } from "@assay/contract";
import { purposesOf } from "./probe.ts";
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
  "parameter-cl": { cm: "true", cl: "3" },
  "parameter-max-line-len": { cm: "true", "max-line-len": "40" },
  "parameter-display": { display: "2" },
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
    streamProbe("nothing-found", "a search that finds nothing", unknownText),
    streamProbe(doomedProbe, "a query that cannot be understood", "patternType:regexp ("),
    ...Object.entries(parameterSets).map((entry) => parameterProbe(entry, query)),
    accessProbe("oauth-token", "a search with an OAuth token", query),
    accessProbe("invalid-token", "a search with a token that was never issued", query),
    accessProbe("none", "a search without a token", query),
  ];
}

/** The probes that the selected rules need, in the order of sending. The plain search is always among them. */
export function probesFor(rules: readonly RuleId[], query: string): readonly Probe[] {
  const purposes = new Set(rules.flatMap((rule) => purposesOf(rule)));
  return streamProbes(query).filter(({ id, purpose }) => id === "search" || purposes.has(purpose));
}
