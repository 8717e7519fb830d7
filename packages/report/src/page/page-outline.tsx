import { outcomeWords } from "../document/outcome-words.ts";
import { ChapterHeading } from "./chapter-heading.tsx";
import { failurePlan } from "./failure-plan.ts";
import type { FailurePlan } from "./failure-plan.ts";
import { detailId, pageRuns } from "./page-runs.ts";
import type { PageRun } from "./page-runs.ts";
import { loadChapters } from "./load-chapters.tsx";
import type { PageChapter } from "./page-chapter.ts";
import type { PagePart } from "./page-section.tsx";
import type { ReportInput } from "./report-input.ts";
import { ruleMatrices, differingRows } from "./rule-matrix.ts";
import type { RuleMatrix } from "./rule-matrix.ts";
import { partsAfter, partsBefore } from "./run-parts.tsx";
import { VerdictStrip } from "./verdict-strip.tsx";
import { RuleMap } from "./rule-map.tsx";
import { RuleTable } from "./rule-table.tsx";
import type { DetailedVerdicts } from "./rule-table.tsx";
import { shownText } from "../document/shown-text.ts";
import { instantText } from "./instant-text.ts";
import { toneOf } from "./outcome-tone.ts";
import { Name, Prose } from "./prose.tsx";

/** Several runs in a line each, with how they ended; what is in their columns stands below. */
const SideBySide = ({ runs }: { readonly runs: readonly PageRun[] }) => (
  <ChapterHeading id="all" title={`${runs.length} runs side by side`}>
    <ol class="runs">
      {runs.map(({ key, result, change }) => {
        const { sign, word } = outcomeWords[result.outcome];
        return (
          <li class={`t-${toneOf(result.outcome)}`}>
            <a href={`#${key}`}>
              {key.replace("r", "Run ")}: <i aria-hidden="true">{sign}</i> {word}
            </a>
            <span>
              <code>{shownText(result.run.target, "url")}</code>
              <span class="meta">
                <Name text={result.run.id} /> · {instantText(result.run.startedAt)}
              </span>
              <span class="title">
                <Prose text={result.summary} />
              </span>
              {change === undefined ? null : (
                <span class="title">
                  Since the baseline: <Prose text={change.sentence} />
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  </ChapterHeading>
);

const verdictsOf = (matrices: readonly RuleMatrix[]) =>
  matrices
    .flatMap(({ groups }) => groups.flatMap(({ rows }) => rows))
    .flatMap(({ cells }) => cells.filter((placed) => placed !== undefined));

const Tables = ({
  matrices,
  detailed,
}: {
  readonly matrices: readonly RuleMatrix[];
  readonly detailed: DetailedVerdicts;
}) => (
  <div class="tables">
    {matrices.map((matrix) => (
      <RuleTable matrix={matrix} detailed={detailed} />
    ))}
  </div>
);

/** The rules as squares; nothing where no rule was selected. */
const mapParts = (key: string, matrices: readonly RuleMatrix[]): readonly PagePart[] =>
  matrices.length === 0
    ? []
    : [{ id: `${key}-map`, title: "Rules at a glance", body: <RuleMap matrices={matrices} /> }];

/** Every rule in a line, with links to what is shown in detail; nothing where no rule was selected. */
const tableParts = (key: string, matrices: readonly RuleMatrix[], detailed: DetailedVerdicts): readonly PagePart[] =>
  matrices.length === 0
    ? []
    : [
        {
          id: `${key}-rules`,
          title: "Every rule",
          count: `${verdictsOf(matrices).length}`,
          body: <Tables matrices={matrices} detailed={detailed} />,
        },
      ];

/** The rules that do not come to the same in all runs; each leads to where the page shows it otherwise. */
const differingParts = (key: string, matrices: readonly RuleMatrix[]): readonly PagePart[] => {
  const differing = differingRows(matrices);
  const elsewhere = new Set(verdictsOf(differing).map(detailId));
  const rows = differing.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  return [
    {
      id: `${key}-differing`,
      title: "Where the runs differ",
      count: `${rows.length}`,
      body:
        rows.length === 0 ? (
          <p>Every rule comes to the same in all runs.</p>
        ) : (
          <Tables matrices={differing} detailed={elsewhere} />
        ),
    },
  ];
};

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
