import { firstNames } from "@assay/contract";
import { concludeCheck, type ExitCode, type RunOutcome } from "@assay/results";
import { capitalised, counted } from "../../document/counted.ts";
import { loadSentence } from "../../document/load-headline.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { countsOf } from "../../document/rule-groups.ts";
import { shownText } from "../../document/shown-text.ts";
import { mergedEnd } from "../render-merged.ts";
import { instantText } from "../../document/instant-text.ts";
import { toneOf } from "./outcome-tone.ts";
import type { PageRun } from "./page-runs.ts";
import { Name, Prose } from "./prose.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import type { MatrixRow } from "./rule-matrix.ts";
import { loadNames } from "./run-names.ts";
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
  /** Its counts, and what changed; not escaped. */
  readonly lines: readonly string[];
  readonly isBaseline: boolean;
}

/** What changed since the baseline, which has its short name if it is on the page. */
const changeLine = ({ change }: PageRun, names: ReadonlyMap<string, string>): readonly string[] => {
  if (change === undefined) {
    return [];
  }
  const { sentence, baseline } = change;
  const name = names.get(baseline.id);
  return [name === undefined ? sentence : sentence.replaceAll(`run ${baseline.id}`, () => `\`${name}\``)];
};

const listedRun = (run: PageRun, names: ReadonlyMap<string, string>, isBaseline: boolean): ListedRun => ({
  key: run.key,
  name: run.name,
  ...run.result.run,
  ...run.result,
  lines: [
    run.result.verdicts.length === 0 ? run.result.summary : countsOf(run.result.verdicts),
    ...changeLine(run, names),
  ],
  isBaseline,
});

const listedOf = (input: ReportInput, runs: readonly PageRun[]): readonly ListedRun[] => {
  const baselines = new Set(runs.flatMap(({ change }) => change?.baseline.id ?? []));
  const names = new Map(runs.map(({ name, result: { run } }) => [run.id, name]));
  const ids = loadNames(input.loads.map(({ run }) => run.id));
  return [
    ...runs.map((run) => listedRun(run, names, baselines.has(run.result.run.id))),
    ...input.loads.map((load, at) => ({
      key: `l${at + 1}`,
      name: ids.length === 1 ? "load" : (ids[at] ?? ""),
      ...load.run,
      ...load,
      lines: [loadSentence(load)],
      isBaseline: false,
    })),
  ];
};

/** Outcomes of the runs, most severe first, such as `3 of 4 runs failed, 1 passed`. */
const endsOf = (all: readonly ListedRun[]): string => {
  const { outcome: worst } = concludeCheck(all);
  const outcomes = [...new Set([worst, ...all.map(({ outcome }) => outcome)])];
  const [first = "", ...rest] = outcomes
    .map((outcome) => {
      const count = all.filter((one) => one.outcome === outcome).length;
      return { count, word: outcomeWords[outcome].word };
    })
    .map(({ count, word }, at) =>
      at === 0 ? `${count} of ${counted(all.length, "run")} ${word}` : `${count} ${word}`,
    );
  return [first, ...rest].join(", ");
};

const maxRules = 3;

const namesOf = (rows: readonly MatrixRow[]): string =>
  firstNames(
    rows.map(({ label }) => `\`${shownText(label, "name")}\``),
    maxRules,
  ).join(", ");

const differencesOf = ({ failedInAll, failedInSome, judgedDifferently, notJudgedInAll }: RunDifferences): string => {
  const others = judgedDifferently.length + notJudgedInAll.length;
  const parts = [
    ...(failedInSome.length === 0
      ? []
      : [`${counted(failedInSome.length, "rule")} failed in some of them and not in others: ${namesOf(failedInSome)}`]),
    ...(failedInAll.length === 0
      ? []
      : [`${counted(failedInAll.length, "rule")} failed in all: ${namesOf(failedInAll)}`]),
    ...(others === 0 ? [] : [`${counted(others, "rule")} with another verdict, or not tested, in some`]),
  ];
  return parts.length === 0 ? "every rule has the same verdict in all of them" : parts.join("; ");
};

const Row = ({ listed }: { readonly listed: ListedRun }) => {
  const { key, name, target, startedAt, outcome, exitCode, lines, isBaseline } = listed;
  const { sign, word } = outcomeWords[outcome];
  return (
    <tr class={`t-${toneOf(outcome)}`}>
      <th scope="row">
        <a href={`#${key}`}>
          <Name text={name} />
        </a>
        {isBaseline ? <span class="meta"> baseline</span> : null}
        <span class="title">
          {shownText(target, "url")} <span class="when">{instantText(startedAt)}</span>
        </span>
      </th>
      <td class="end">
        <i aria-hidden="true">{sign}</i> {word}
        <span class="title">exit code {exitCode}</span>
      </td>
      <td>
        {lines.map((line, at) => (
          <span class={at === 0 ? "counts" : "title"}>
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

/** The overview of all runs of a page: outcome, exit code, one sentence, and a line for each run. */
export const RunOverview = ({ input, runs, differences }: RunOverviewProps) => {
  const all = listedOf(input, runs);
  const { outcome, exitCode } = mergedEnd(input);
  const { sign, word } = outcomeWords[outcome];
  return (
    <section class={`strip t-${toneOf(outcome)}`} id="all" aria-labelledby="all-h">
      <div class="head">
        <h2 id="all-h">
          <i aria-hidden="true">{sign}</i>
          {capitalised(word)}
        </h2>
        <span class="exit">exit code {exitCode}, of all runs together</span>
      </div>
      <p class="summary">
        {endsOf(all)}
        {differences === undefined ? null : (
          <>
            ; <Prose text={differencesOf(differences)} />
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
          {all.map((listed) => (
            <Row listed={listed} />
          ))}
        </tbody>
      </table>
    </section>
  );
};
