import { outcomeWords } from "../outcome-words.ts";
import { ChapterHeading } from "./chapter-heading.tsx";
import { type FailurePlan, failurePlan } from "./failure-plan.ts";
import { detailId, type PageRun, pageRuns } from "./page-runs.ts";
import { loadChapters } from "./load-chapters.tsx";
import { differingParts, mapParts, tableParts } from "./matrix-parts.tsx";
import type { PageChapter } from "./page-chapter.ts";
import type { PagePart } from "./page-section.tsx";
import type { ReportInput } from "./report-input.ts";
import { type RuleMatrix, ruleMatrices } from "./rule-matrix.ts";
import { partsAfter, partsBefore } from "./run-parts.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { VerdictStrip } from "./verdict-strip.tsx";

const runTitle = (run: PageRun, isOnly: boolean): string => {
  const { sign, word } = outcomeWords[run.result.outcome];
  return `${isOnly ? "" : `${run.key.replace("r", "Run ")}: `}${sign} ${word}`;
};

const noFailures: FailurePlan = { full: [], listed: [], more: 0 };

/** Every chapter of a page in its order: what several runs have side by side, then each run, then load. */
export const pageChapters = (input: ReportInput): readonly PageChapter[] => {
  const runs = pageRuns(input.runs);
  const isOnly = runs.length === 1;
  const plans = new Map(runs.map((run) => [run.key, failurePlan(run)]));
  const shown = [...plans.values()].flatMap(({ full, listed }) => [...full.map(({ placed }) => placed), ...listed]);
  const matrices = ruleMatrices(runs);
  const table = tableParts(isOnly ? "r1" : "all", matrices, new Set(shown.map(detailId)));
  const chapters = runs.map((run) => ({
    id: run.key,
    title: runTitle(run, isOnly),
    opening: <VerdictStrip run={run} plan={plans.get(run.key) ?? noFailures} isOnly={isOnly} />,
    parts: [
      ...(isOnly ? mapParts(run.key, matrices) : []),
      ...partsBefore(run, plans.get(run.key) ?? noFailures),
      ...(isOnly ? table : []),
      ...partsAfter(run),
    ],
  }));
  return [...sideBySide(runs, matrices), ...chapters, ...everyRule(runs, table), ...loadChapters(input)];
};

const sideBySide = (runs: readonly PageRun[], matrices: readonly RuleMatrix[]): readonly PageChapter[] =>
  runs.length < 2
    ? []
    : [
        {
          id: "all",
          title: "Side by side",
          opening: <SideBySide runs={runs} />,
          parts: [...mapParts("all", matrices), ...differingParts("all", matrices)],
        },
      ];

/** Of several runs the long table comes last, behind what is not well in each. */
const everyRule = (runs: readonly PageRun[], parts: readonly PagePart[]): readonly PageChapter[] =>
  runs.length < 2
    ? []
    : [{ id: "rules", title: "Rules", opening: <ChapterHeading id="rules" title="Rules of all runs" />, parts }];
