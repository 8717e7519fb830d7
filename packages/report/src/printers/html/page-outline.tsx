import { counted } from "../../document/counted.ts";
import { isEarlyFailure } from "../../document/early-failure.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { ExchangeTable } from "./exchange-table.tsx";
import { differenceParts, rowAnchors } from "./difference-parts.tsx";
import { failurePlan } from "./failure-plan.ts";
import type { FailurePlan } from "./failure-plan.ts";
import { figureParts } from "./figure-parts.tsx";
import { detailId, pageRuns } from "./page-runs.ts";
import type { PageRun } from "./page-runs.ts";
import { loadChapters } from "./load-chapters.tsx";
import type { PageChapter } from "./page-chapter.ts";
import { Folded, PageSection } from "./page-section.tsx";
import type { PagePart } from "./page-section.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import { ruleMatrices } from "./rule-matrix.ts";
import type { RuleMatrix } from "./rule-matrix.ts";
import { RuleMap } from "./rule-map.tsx";
import { RuleTable } from "./rule-table.tsx";
import type { DetailedVerdicts, RowIds } from "./rule-table.tsx";
import { runDifferences } from "./run-differences.ts";
import { RunOverview } from "./run-overview.tsx";
import { failuresPart, partsAfter } from "./run-parts.tsx";
import { FoldedRun, VerdictStrip } from "./verdict-strip.tsx";

const rowsOf = (matrices: readonly RuleMatrix[]) =>
  matrices.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));

/** For one run the number of verdicts (rules of several interfaces share a row), for several runs the number of rules. */
const ruleCount = (matrices: readonly RuleMatrix[]): number => {
  const rows = rowsOf(matrices);
  const isOneRun = matrices.some(({ columns }) => columns.some((column) => column.interface !== undefined));
  return isOneRun
    ? rows.reduce((sum, { cells }) => sum + cells.filter((one) => one !== undefined).length, 0)
    : rows.length;
};

interface TablesProps {
  readonly matrices: readonly RuleMatrix[];
  readonly detailed: DetailedVerdicts;
  readonly ids: RowIds;
}

/** Every rule on one line, with links to details; folded, because squares and findings link to it. */
const Tables = ({ matrices, detailed, ids }: TablesProps) => (
  <details class="fold">
    <summary>{`${counted(ruleCount(matrices), "rule")}, by section of the specification`}</summary>
    <div class="tables">
      {matrices.map((matrix) => (
        <RuleTable matrix={matrix} detailed={detailed} ids={ids} />
      ))}
    </div>
  </details>
);

const noFailures: FailurePlan = { full: [], listed: [], more: 0 };

/** Every rule as a square and in a table, both folded; none if no rule was selected. */
const ruleParts = (key: string, tables: TablesProps, map: readonly RuleMatrix[]): readonly PagePart[] =>
  tables.matrices.length === 0
    ? []
    : [
        {
          id: `${key}-rules`,
          title: "Rules",
          count: `${ruleCount(tables.matrices)}`,
          body: (
            <>
              {map.length === 0 ? null : (
                <Folded summary="All rules at a glance">
                  <RuleMap matrices={map} />
                </Folded>
              )}
              <Tables {...tables} />
            </>
          ),
        },
      ];

const detailedIn = (plans: readonly FailurePlan[]): DetailedVerdicts =>
  new Set(plans.flatMap(({ full, listed }) => [...full.map(({ placed }) => placed), ...listed]).map(detailId));

/** Rules and requests of an early failure, folded. */
const earlyParts = (run: PageRun, tables: TablesProps): readonly PagePart[] => [
  {
    id: `${run.key}-rules`,
    title: "Nothing was tested",
    body: (
      <>
        {tables.matrices.length === 0 ? null : <Tables {...tables} />}
        {run.result.exchanges.length === 0 ? null : <ExchangeTable run={run} />}
      </>
    ),
  },
];

const onlyRun = (run: PageRun): PageChapter => {
  const plan = failurePlan(run);
  const matrices = ruleMatrices([run]);
  const tables = { matrices, detailed: detailedIn([plan]), ids: new Map() };
  const { sign, word } = outcomeWords[run.result.outcome];
  const failures = failuresPart(run, plan);
  return {
    id: run.key,
    title: `${sign} ${word}`,
    opening: <VerdictStrip run={run} />,
    parts: isEarlyFailure(run.result)
      ? [...failures, ...earlyParts(run, tables)]
      : [...failures, ...figureParts(run), ...ruleParts(run.key, tables, matrices), ...partsAfter(run)],
  };
};

/** One of several runs: its failures open with it, the rest is folded again. */
const oneRun = (run: PageRun, plan: FailurePlan): PageChapter => {
  const { sign, word } = outcomeWords[run.result.outcome];
  const failures = failuresPart(run, plan);
  const rest = [...figureParts(run), ...partsAfter(run)];
  return {
    id: run.key,
    title: `${sign} ${shownText(run.name, "name")}: ${word}`,
    opening: (
      <FoldedRun run={run}>
        {failures.map((part) => (
          <PageSection part={part} />
        ))}
        {rest.length === 0 ? null : (
          <details class="rest">
            <summary>{rest.map(({ title }) => title).join(" · ")}</summary>
            {rest.map((part) => (
              <PageSection part={part} />
            ))}
          </details>
        )}
      </FoldedRun>
    ),
    parts: [],
  };
};

const severalRuns = (input: ReportInput, runs: readonly PageRun[]): readonly PageChapter[] => {
  const matrices = ruleMatrices(runs);
  const plans = runs.map(failurePlan);
  const differences = runDifferences(matrices);
  const { failedInSome, judgedDifferently, notJudgedInAll, failedInAll } = differences;
  const ids = rowAnchors([...failedInSome, ...judgedDifferently, ...notJudgedInAll, ...failedInAll]);
  const taken = new Set(ids.values());
  const rest = rowAnchors(rowsOf(matrices).filter(({ label }) => !taken.has(label)));
  const tables = { matrices, detailed: detailedIn(plans), ids: rest };
  return [
    {
      id: "all",
      title: "All runs",
      opening: <RunOverview input={input} runs={runs} differences={differences} />,
      parts: differenceParts(differences, { runs, ids }),
    },
    ...runs.map((run, at) => oneRun(run, plans[at] ?? noFailures)),
    ...ruleParts("all", tables, []).map((part) => ({ ...part, opening: <PageSection part={part} />, parts: [] })),
  ];
};

/** The overview of a page with one contract run and loads. */
const overview = (input: ReportInput, runs: readonly PageRun[]): readonly PageChapter[] =>
  runs.length + input.loads.length < 2
    ? []
    : [{ id: "all", title: "All runs", opening: <RunOverview input={input} runs={runs} />, parts: [] }];

/** The chapters of a page in order: for several runs the overview and their differences, then each run, then loads. */
export const pageChapters = (input: ReportInput): readonly PageChapter[] => {
  const runs = pageRuns(input.runs);
  return [
    ...(runs.length > 1 ? severalRuns(input, runs) : [...overview(input, runs), ...runs.map(onlyRun)]),
    ...loadChapters(input),
  ];
};
