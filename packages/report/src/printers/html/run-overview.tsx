import { firstNames } from "@assay/contract";
import { concludeCheck, type ExitCode, type RunOutcome } from "@assay/results";
import { capitalize, counted } from "../../document/counted.ts";
import { describeLoad } from "../../document/load-headline.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { formatCounts } from "../../document/rule-groups.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { getMergedOutcome } from "../render-merged.ts";
import { formatInstant } from "../../document/instant-text.ts";
import { getOutcomeTone } from "./outcome-tone.ts";
import type { PageRun } from "./page-runs.ts";
import { Name, Prose } from "./prose.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import type { MatrixRow } from "./rule-matrix.ts";
import { createLoadNames } from "./run-names.ts";
import type { RunDifferences } from "./run-differences.ts";

/** A run of any kind in the list at the top of a page of several runs. */
interface ListedRun {
  /** The id of its chapter. */
  readonly key: string;
  readonly name: string;
  readonly target: string;
  readonly startedAt: string;
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  /** Its counts and changes. Not escaped. */
  readonly lines: readonly string[];
  readonly isBaseline: boolean;
}

/** Describes what changed since the baseline. Uses the baseline's short name if it is on the page. */
const changeLine = ({ change }: PageRun, names: ReadonlyMap<string, string>): readonly string[] => {
  if (change === undefined) {
    return [];
  }
  const { sentence, baseline } = change;
  const name = names.get(baseline.id);
  return [name === undefined ? sentence : sentence.replaceAll(`run ${baseline.id}`, () => `\`${name}\``)];
};

const toListedRun = (run: PageRun, names: ReadonlyMap<string, string>, isBaseline: boolean): ListedRun => ({
  key: run.key,
  name: run.name,
  ...run.result.run,
  ...run.result,
  lines: [
    run.result.verdicts.length === 0 ? run.result.summary : formatCounts(run.result.verdicts),
    ...changeLine(run, names),
  ],
  isBaseline,
});

const listRuns = (input: ReportInput, runs: readonly PageRun[]): readonly ListedRun[] => {
  const baselines = new Set(runs.flatMap(({ change }) => change?.baseline.id ?? []));
  const names = new Map(runs.map(({ name, result: { run } }) => [run.id, name]));
  const ids = createLoadNames(input.loads.map(({ run }) => run.id));
  return [
    ...runs.map((run) => toListedRun(run, names, baselines.has(run.result.run.id))),
    ...input.loads.map((load, index) => ({
      key: `l${index + 1}`,
      name: ids.length === 1 ? "load" : (ids[index] ?? ""),
      ...load.run,
      ...load,
      lines: [describeLoad(load)],
      isBaseline: false,
    })),
  ];
};

/** Counts the outcomes of the runs, most severe first, such as `3 of 4 runs failed, 1 passed`. */
const formatOutcomes = (runs: readonly ListedRun[]): string => {
  const { outcome: worstOutcome } = concludeCheck(runs);
  const outcomes = [...new Set([worstOutcome, ...runs.map(({ outcome }) => outcome)])];
  const [first = "", ...rest] = outcomes
    .map((outcome) => {
      const count = runs.filter((run) => run.outcome === outcome).length;
      return { count, word: outcomeWords[outcome].word };
    })
    .map(({ count, word }, index) =>
      index === 0 ? `${count} of ${counted(runs.length, "run")} ${word}` : `${count} ${word}`,
    );
  return [first, ...rest].join(", ");
};

const maxRules = 3;

const listRuleNames = (rows: readonly MatrixRow[]): string =>
  firstNames(
    rows.map(({ label }) => `\`${escapeForDisplay(label, "name")}\``),
    maxRules,
  ).join(", ");

const formatDifferences = ({
  failedInAll,
  failedInSome,
  judgedDifferently,
  notJudgedInAll,
}: RunDifferences): string => {
  const otherCount = judgedDifferently.length + notJudgedInAll.length;
  const parts = [
    ...(failedInSome.length === 0
      ? []
      : [
          `${counted(failedInSome.length, "rule")} failed in some of them and not in others: ${listRuleNames(failedInSome)}`,
        ]),
    ...(failedInAll.length === 0
      ? []
      : [`${counted(failedInAll.length, "rule")} failed in all: ${listRuleNames(failedInAll)}`]),
    ...(otherCount === 0 ? [] : [`${counted(otherCount, "rule")} with another verdict, or not tested, in some`]),
  ];
  return parts.length === 0 ? "every rule has the same verdict in all of them" : parts.join("; ");
};

const Row = ({ listed: run }: { readonly listed: ListedRun }) => {
  const { key, name, target, startedAt, outcome, exitCode, lines, isBaseline } = run;
  const { sign, word } = outcomeWords[outcome];
  return (
    <tr class={`t-${getOutcomeTone(outcome)}`}>
      <th scope="row">
        <a href={`#${key}`}>
          <Name text={name} />
        </a>
        {isBaseline ? <span class="meta"> baseline</span> : null}
        <span class="title">
          {escapeForDisplay(target, "url")} <span class="when">{formatInstant(startedAt)}</span>
        </span>
      </th>
      <td class="end">
        <i aria-hidden="true">{sign}</i> {word}
        <span class="title">exit code {exitCode}</span>
      </td>
      <td>
        {lines.map((line, index) => (
          <span class={index === 0 ? "counts" : "title"}>
            <Prose text={line} />
          </span>
        ))}
      </td>
    </tr>
  );
};

interface RunOverviewProps {
  readonly input: ReportInput;
  readonly runs: readonly PageRun[];
  /** Absent for fewer than two contract runs. */
  readonly differences?: RunDifferences | undefined;
}

/** Shows all runs of a page: their outcome and exit code, one sentence, and a line for each run. */
export const RunOverview = ({ input, runs, differences }: RunOverviewProps) => {
  const listedRuns = listRuns(input, runs);
  const { outcome, exitCode } = getMergedOutcome(input);
  const { sign, word } = outcomeWords[outcome];
  return (
    <section class={`strip t-${getOutcomeTone(outcome)}`} id="all" aria-labelledby="all-h">
      <div class="head">
        <h2 id="all-h">
          <i aria-hidden="true">{sign}</i>
          {capitalize(word)}
        </h2>
        <span class="exit">exit code {exitCode}, of all runs together</span>
      </div>
      <p class="summary">
        {formatOutcomes(listedRuns)}
        {differences === undefined ? null : (
          <>
            ; <Prose text={formatDifferences(differences)} />
          </>
        )}
      </p>
      <table class="runs">
        <caption class="unseen">Runs of this page</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Ended</th>
            <th scope="col">Results, and changes since the baseline</th>
          </tr>
        </thead>
        <tbody>
          {listedRuns.map((run) => (
            <Row listed={run} />
          ))}
        </tbody>
      </table>
    </section>
  );
};
