import {
  getLoadWords,
  describeMeasured,
  listViolations,
  getLoadValidity,
  validityWords,
} from "../../document/load-facts.ts";
import type { LoadResult } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { counted, formatGrouped } from "../../document/counted.ts";
import { formatPercentile, findHeadlineMetric, countRequests } from "../../document/load-headline.ts";
import { getConditionWords } from "../../document/load-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { Folded } from "../../printers/html/page-section.tsx";
import { maxColumns } from "../../printers/html/rule-map.tsx";
import { runNames } from "../../printers/html/run-names.ts";
import { DataTable } from "../../printers/html/data-table.tsx";
import { listDifferingConditions } from "./trend-groups.ts";

type Fact = readonly [name: string, ...texts: string[]];

const listThresholdFacts = (loads: readonly LoadResult[]): readonly Fact[] =>
  [...new Set(loads.flatMap(({ thresholds }) => thresholds.map(({ threshold }) => threshold)))].map((name) => [
    escapeForDisplay(name, "name"),
    ...loads.map(({ thresholds }) => {
      const loadThreshold = thresholds.find(({ threshold }) => threshold === name);
      if (loadThreshold === undefined) {
        return "not set";
      }
      const { sign, word } = getConditionWords(loadThreshold.ok);
      return `${sign} ${word}: ${describeMeasured(loadThreshold)}`;
    }),
  ]);

const listSpeedFacts = (loads: readonly LoadResult[]): readonly Fact[] => {
  const headlines = loads.map((load) => findHeadlineMetric(load));
  const names = [...new Set(headlines.flatMap((headline) => headline?.name ?? []))];
  return names.flatMap((name) =>
    (["p50", "p95"] as const).map((percentile): Fact => {
      const texts = headlines.map((headline) => {
        if (headline?.name !== name) {
          return "-";
        }
        const { value, interval } = formatPercentile(headline.metric, percentile);
        return `${value} ${interval}`.trim();
      });
      return [`${name} ${percentile}`, ...texts];
    }),
  );
};

/** Returns the facts by which users compare loads, most decisive first. */
const listComparedFacts = (loads: readonly LoadResult[]): readonly Fact[] => {
  const counts = loads.map((load) => countRequests(load));
  return [
    ["verdict", ...loads.map((load) => getLoadWords(load)).map(({ sign, word }) => `${sign} ${word}`)],
    ...listThresholdFacts(loads),
    ["failed requests", ...counts.map(({ failed }) => formatGrouped(failed))],
    ["violations", ...loads.map((load) => counted(listViolations(load).length, "code"))],
    [
      "generator",
      ...loads.map((load) => validityWords[getLoadValidity(load)]).map(({ sign, words }) => `${sign} ${words}`),
    ],
    ...listSpeedFacts(loads),
    ["requests measured", ...counts.map(({ total }) => formatGrouped(total))],
    ...listDifferingConditions(loads),
  ];
};

const isEqualInAllLoads = ([, ...texts]: Fact): boolean => new Set(texts).size === 1;

/** Shows the facts of several loads side by side: those that differ, and equal ones folded. Only the last loads if there are many. */
export const LoadDifferences = ({ loads }: { readonly loads: readonly LoadResult[] }): JSX.Element => {
  const shownLoads = loads.slice(-maxColumns);
  const names = runNames(shownLoads.map(({ run: { id, target } }) => ({ id, target })));
  const facts = listComparedFacts(shownLoads);
  const equalFacts = facts.filter(isEqualInAllLoads);
  const differentFacts = facts.filter((fact) => !isEqualInAllLoads(fact));
  const table = (caption: string, rows: readonly (readonly ComponentChildren[])[]) => (
    <DataTable caption={caption} head={["fact", ...names.map((name) => escapeForDisplay(name, "name"))]} rows={rows} />
  );
  const truncationNote =
    shownLoads.length === loads.length ? "" : ` (the last ${shownLoads.length} of ${loads.length} loads)`;
  return (
    <>
      {differentFacts.length === 0 ? (
        <p>They have the same verdict and the same figures.</p>
      ) : (
        table(`What differs${truncationNote}`, differentFacts)
      )}
      {equalFacts.length === 0 ? null : (
        <Folded summary={`${counted(equalFacts.length, "fact")} the same in all of them`}>
          {table(`What is the same${truncationNote}`, equalFacts)}
        </Folded>
      )}
    </>
  );
};
