import { getLoadWords } from "../../document/load-facts.ts";
import type { Comparison, LoadResult } from "@assay/results";
import { ComparisonFigure } from "../../figures/load/comparison-figure.tsx";
import { createLoadParts } from "../../figures/load/load-parts.tsx";
import { LoadDifferences } from "../../figures/load/load-differences.tsx";
import { FoldedLoad, LoadStrip } from "../../figures/load/load-strip.tsx";
import { LoadTrend } from "../../figures/load/load-trend.tsx";
import { comparisonWords } from "../../document/load-words.ts";
import type { PageChapter } from "./page-chapter.ts";
import { PageSection } from "./page-section.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import { createLoadNames } from "./run-names.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";

/** Returns the chapter of a load run. If there are several loads, each is folded and has a name. */
export const createLoadChapter = (load: LoadResult, index: number, loads: readonly LoadResult[]): PageChapter => {
  const id = `l${index + 1}`;
  const loadName = createLoadNames(loads.map(({ run }) => run.id))[index] ?? "";
  const name = loads.length === 1 ? "Load" : `Load ${escapeForDisplay(loadName, "name")}`;
  const { sign, word } = getLoadWords(load);
  const parts = createLoadParts(id, load);
  const title = `${sign} ${name}: ${word}`;
  return loads.length === 1
    ? { id, title, opening: <LoadStrip id={id} name={name} load={load} />, parts }
    : {
        id,
        title,
        opening: (
          <FoldedLoad id={id} name={name} load={load}>
            {parts.map((part) => (
              <PageSection part={part} />
            ))}
          </FoldedLoad>
        ),
        parts: [],
      };
};

const createComparisonPart = (comparison: Comparison, index: number) => {
  const id = `c${index + 1}`;
  const { sign, word } = comparisonWords[comparison.verdict];
  return {
    id: `${id}-figure`,
    title: `Comparison ${index + 1}: ${sign} ${word}`,
    body: <ComparisonFigure id={id} comparison={comparison} />,
  };
};

/** Shows the opening of a chapter without a run. */
const ChapterHeading = ({ id, title }: { readonly id: string; readonly title: string }) => (
  <section class="side bare" id={id} aria-labelledby={`${id}-h`}>
    <h2 id={`${id}-h`}>{title}</h2>
  </section>
);

/** Returns comparisons first, because they are a decision, then differences and trends of several loads, then each load. */
export const createLoadChapters = ({ loads, comparisons }: ReportInput): readonly PageChapter[] => {
  const comparisonParts = comparisons.map(createComparisonPart);
  const severalLoadsParts = [
    { id: "load-differing", title: "Where the loads differ", body: <LoadDifferences loads={loads} /> },
    { id: "trend-figure", title: "Loads over time", body: <LoadTrend id="trend" loads={loads} /> },
  ];
  const parts = [...comparisonParts, ...(loads.length > 1 ? severalLoadsParts : [])];
  const title = comparisons.length > 0 ? "Comparisons" : "All loads";
  return [
    ...(parts.length === 0 ? [] : [{ id: "load", title, opening: <ChapterHeading id="load" title={title} />, parts }]),
    ...loads.map(createLoadChapter),
  ];
};
