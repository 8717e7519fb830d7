import { counted } from "../../document/counted.ts";
import { isEarlyFailure } from "../../document/early-failure.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { ExchangeTable } from "./exchange-table.tsx";
import { createDifferenceParts, createRowAnchors } from "./difference-parts.tsx";
import { planRunFailures } from "./failure-plan.ts";
import type { FailurePlan } from "./failure-plan.ts";
import { createFigureParts } from "./figure-parts.tsx";
import { createDetailId, createPageRuns } from "./page-runs.ts";
import type { PageRun } from "./page-runs.ts";
import { createLoadChapters } from "./load-chapters.tsx";
import type { PageChapter } from "./page-chapter.ts";
import { Folded, PageSection } from "./page-section.tsx";
import type { PagePart } from "./page-section.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import { createRuleMatrices } from "./rule-matrix.ts";
import type { RuleMatrix } from "./rule-matrix.ts";
import { RuleMap } from "./rule-map.tsx";
import { RuleTable } from "./rule-table.tsx";
import type { DetailedVerdicts, RowIds } from "./rule-table.tsx";
import { findRunDifferences } from "./run-differences.ts";
import { RunOverview } from "./run-overview.tsx";
import { createFailuresPart, createDetailParts } from "./run-parts.tsx";
import { FoldedRun, VerdictStrip } from "./verdict-strip.tsx";

const listAllRows = (matrices: readonly RuleMatrix[]) =>
  matrices.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));

/** Counts the verdicts of one run (rules of several interfaces share a row), or the rules of several runs. */
const countRules = (matrices: readonly RuleMatrix[]): number => {
  const rows = listAllRows(matrices);
  const isOneRun = matrices.some(({ columns }) => columns.some((column) => column.interface !== undefined));
  return isOneRun
    ? rows.reduce((sum, { cells }) => sum + cells.filter((cell) => cell !== undefined).length, 0)
    : rows.length;
};

interface TablesProps {
  readonly matrices: readonly RuleMatrix[];
  readonly detailedVerdicts: DetailedVerdicts;
  readonly ids: RowIds;
}

/** Lists every rule on one line with links to details, folded, because squares and findings link to it. */
const RuleTables = ({ matrices, detailedVerdicts, ids }: TablesProps) => (
  <details class="fold">
    <summary>{`${counted(countRules(matrices), "rule")}, by section of the specification`}</summary>
    <div class="tables">
      {matrices.map((matrix) => (
        <RuleTable matrix={matrix} detailedVerdicts={detailedVerdicts} ids={ids} />
      ))}
    </div>
  </details>
);

const noFailures: FailurePlan = { fullFailures: [], listedFailures: [], omittedCount: 0 };

/** Shows every rule as a square and in a table, both folded. Returns no part if no rule was selected. */
const createRuleParts = (key: string, tables: TablesProps, mapMatrices: readonly RuleMatrix[]): readonly PagePart[] =>
  tables.matrices.length === 0
    ? []
    : [
        {
          id: `${key}-rules`,
          title: "Rules",
          count: `${countRules(tables.matrices)}`,
          body: (
            <>
              {mapMatrices.length === 0 ? null : (
                <Folded summary="All rules at a glance">
                  <RuleMap matrices={mapMatrices} />
                </Folded>
              )}
              <RuleTables {...tables} />
            </>
          ),
        },
      ];

const selectDetailedVerdicts = (plans: readonly FailurePlan[]): DetailedVerdicts =>
  new Set(
    plans
      .flatMap(({ fullFailures, listedFailures }) => [...fullFailures.map(({ placed }) => placed), ...listedFailures])
      .map(createDetailId),
  );

/** Shows the rules and requests of an early failure, folded. */
const createEarlyFailureParts = (run: PageRun, tables: TablesProps): readonly PagePart[] => [
  {
    id: `${run.key}-rules`,
    title: "Nothing was tested",
    body: (
      <>
        {tables.matrices.length === 0 ? null : <RuleTables {...tables} />}
        {run.result.exchanges.length === 0 ? null : <ExchangeTable run={run} />}
      </>
    ),
  },
];

const createSingleRunChapter = (run: PageRun): PageChapter => {
  const plan = planRunFailures(run);
  const matrices = createRuleMatrices([run]);
  const tables = { matrices, detailedVerdicts: selectDetailedVerdicts([plan]), ids: new Map() };
  const { sign, word } = outcomeWords[run.result.outcome];
  const failures = createFailuresPart(run, plan);
  return {
    id: run.key,
    title: `${sign} ${word}`,
    opening: <VerdictStrip run={run} />,
    parts: isEarlyFailure(run.result)
      ? [...failures, ...createEarlyFailureParts(run, tables)]
      : [
          ...failures,
          ...createFigureParts(run),
          ...createRuleParts(run.key, tables, matrices),
          ...createDetailParts(run),
        ],
  };
};

/** Returns the chapter of one of several runs. Its failures open with it; the other parts are folded again. */
const createFoldedRunChapter = (run: PageRun, plan: FailurePlan): PageChapter => {
  const { sign, word } = outcomeWords[run.result.outcome];
  const failures = createFailuresPart(run, plan);
  const otherParts = [...createFigureParts(run), ...createDetailParts(run)];
  return {
    id: run.key,
    title: `${sign} ${escapeForDisplay(run.name, "name")}: ${word}`,
    opening: (
      <FoldedRun run={run}>
        {failures.map((part) => (
          <PageSection part={part} />
        ))}
        {otherParts.length === 0 ? null : (
          <details class="rest">
            <summary>{otherParts.map(({ title }) => title).join(" · ")}</summary>
            {otherParts.map((part) => (
              <PageSection part={part} />
            ))}
          </details>
        )}
      </FoldedRun>
    ),
    parts: [],
  };
};

const createSeveralRunsChapters = (input: ReportInput, runs: readonly PageRun[]): readonly PageChapter[] => {
  const matrices = createRuleMatrices(runs);
  const plans = runs.map(planRunFailures);
  const differences = findRunDifferences(matrices);
  const { failedInSome, judgedDifferently, notJudgedInAll, failedInAll } = differences;
  const ids = createRowAnchors([...failedInSome, ...judgedDifferently, ...notJudgedInAll, ...failedInAll]);
  const differenceIds = new Set(ids.values());
  const otherIds = createRowAnchors(listAllRows(matrices).filter(({ label }) => !differenceIds.has(label)));
  const tables = { matrices, detailedVerdicts: selectDetailedVerdicts(plans), ids: otherIds };
  return [
    {
      id: "all",
      title: "All runs",
      opening: <RunOverview input={input} runs={runs} differences={differences} />,
      parts: createDifferenceParts(differences, { runs, ids }),
    },
    ...runs.map((run, index) => createFoldedRunChapter(run, plans[index] ?? noFailures)),
    ...createRuleParts("all", tables, []).map((part) => ({ ...part, opening: <PageSection part={part} />, parts: [] })),
  ];
};

/** Returns the overview of a page with at most one contract run, if it has several runs because of its loads. */
const createOverviewChapters = (input: ReportInput, runs: readonly PageRun[]): readonly PageChapter[] =>
  runs.length + input.loads.length < 2
    ? []
    : [{ id: "all", title: "All runs", opening: <RunOverview input={input} runs={runs} />, parts: [] }];

/** Returns the chapters of a page in order: for several runs the overview and their differences, then each run, then loads. */
export const createPageChapters = (input: ReportInput): readonly PageChapter[] => {
  const runs = createPageRuns(input.runs);
  return [
    ...(runs.length > 1
      ? createSeveralRunsChapters(input, runs)
      : [...createOverviewChapters(input, runs), ...runs.map(createSingleRunChapter)]),
    ...createLoadChapters(input),
  ];
};
