import { loadWords, measuredText, violationEntries, worthOf, worthWords } from "../../document/load-facts.ts";
import type { LoadResult } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { counted, groupedNumber } from "../../document/counted.ts";
import { headlineFigure, headlineMetric, requestCounts } from "../../document/load-headline.ts";
import { conditionWords } from "../../document/load-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { Folded } from "../../printers/html/page-section.tsx";
import { maxColumns } from "../../printers/html/rule-map.tsx";
import { runNames } from "../../printers/html/run-names.ts";
import { DataTable } from "../../printers/html/data-table.tsx";
import { madeDifferently } from "./trend-groups.ts";

type Fact = readonly [name: string, ...texts: string[]];

const thresholdFacts = (loads: readonly LoadResult[]): readonly Fact[] =>
  [...new Set(loads.flatMap(({ thresholds }) => thresholds.map(({ threshold }) => threshold)))].map((name) => [
    shownText(name, "name"),
    ...loads.map(({ thresholds }) => {
      const own = thresholds.find(({ threshold }) => threshold === name);
      if (own === undefined) {
        return "not set";
      }
      const { sign, word } = conditionWords(own.ok);
      return `${sign} ${word}: ${measuredText(own)}`;
    }),
  ]);

const speedFacts = (loads: readonly LoadResult[]): readonly Fact[] => {
  const found = loads.map((load) => headlineMetric(load));
  const names = [...new Set(found.flatMap((one) => one?.name ?? []))];
  return names.flatMap((name) =>
    (["p50", "p95"] as const).map((percentile): Fact => {
      const texts = found.map((one) => {
        if (one?.name !== name) {
          return "-";
        }
        const { value, interval } = headlineFigure(one.metric, percentile);
        return `${value} ${interval}`.trim();
      });
      return [`${name} ${percentile}`, ...texts];
    }),
  );
};

/** Facts by which people compare loads, the deciding ones first. */
const factsOf = (loads: readonly LoadResult[]): readonly Fact[] => {
  const counts = loads.map((load) => requestCounts(load));
  return [
    ["verdict", ...loads.map((load) => loadWords(load)).map(({ sign, word }) => `${sign} ${word}`)],
    ...thresholdFacts(loads),
    ["failed requests", ...counts.map(({ failed }) => groupedNumber(failed))],
    ["violations", ...loads.map((load) => counted(violationEntries(load).length, "code"))],
    ["generator", ...loads.map((load) => worthWords[worthOf(load)]).map(({ sign, words }) => `${sign} ${words}`)],
    ...speedFacts(loads),
    ["requests measured", ...counts.map(({ all }) => groupedNumber(all))],
    ...madeDifferently(loads),
  ];
};

const isSame = ([, ...texts]: Fact): boolean => new Set(texts).size === 1;

/** The facts of several loads side by side: different ones, and equal ones folded. Of many loads only the last ones. */
export const LoadDifferences = ({ loads }: { readonly loads: readonly LoadResult[] }): JSX.Element => {
  const shown = loads.slice(-maxColumns);
  const names = runNames(shown.map(({ run: { id, target } }) => ({ id, target })));
  const facts = factsOf(shown);
  const same = facts.filter(isSame);
  const different = facts.filter((fact) => !isSame(fact));
  const table = (caption: string, rows: readonly (readonly ComponentChildren[])[]) => (
    <DataTable caption={caption} head={["fact", ...names.map((name) => shownText(name, "name"))]} rows={rows} />
  );
  const which = shown.length === loads.length ? "" : ` (the last ${shown.length} of ${loads.length} loads)`;
  return (
    <>
      {different.length === 0 ? (
        <p>They have the same verdict and the same figures.</p>
      ) : (
        table(`What differs${which}`, different)
      )}
      {same.length === 0 ? null : (
        <Folded summary={`${counted(same.length, "fact")} the same in all of them`}>
          {table(`What is the same${which}`, same)}
        </Folded>
      )}
    </>
  );
};
