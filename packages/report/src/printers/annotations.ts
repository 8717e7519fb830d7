import type { LoadResult, RunResult } from "@assay/results";
import type { ReportInput } from "../page/report-input.ts";
import { outcomeWords } from "../document/outcome-words.ts";
import { shownText } from "../document/shown-text.ts";
import { loadCases } from "./load-cases.ts";
import { runCases } from "./run-cases.ts";
import type { CaseList, TestCase } from "./test-case.ts";
import { type AnnotationKind, workflowCommand } from "./workflow-command.ts";

/** GitHub shows this many of a kind for each step, and drops the others. */
const shownOfKind = 10;

/** One thing to be told beside a step. */
interface Annotation {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly message: string;
}

const kindOf = {
  passed: undefined,
  skipped: undefined,
  warning: "warning",
  failure: "error",
  error: "error",
} as const satisfies Record<TestCase["kind"], AnnotationKind | undefined>;

/** A rule that could not run is red only through the run, which says so itself. */
const isTold = ({ kind, standing }: TestCase): boolean => kindOf[kind] !== undefined && standing !== "could-not-run";

const ofCases = ({ cases, target }: CaseList): readonly Annotation[] =>
  cases.filter(isTold).flatMap((one): readonly Annotation[] => {
    const kind = kindOf[one.kind];
    const [first = "", ...more] = (one.message ?? "").split("\n");
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return kind === undefined
      ? []
      : [{ kind, title: `Assay: ${one.name}`, message: `${first}${rest}\n${shownText(target, "url")}` }];
  });

const ofRun = (result: RunResult, change: string | undefined): readonly Annotation[] => {
  const { word } = outcomeWords[result.outcome];
  return [
    ...ofCases(runCases(result)),
    {
      kind: "notice",
      title: `Assay: ${word}`,
      message: [shownText(result.summary), ...(change === undefined ? [] : [shownText(change)])].join("\n"),
    },
  ];
};

const ofLoad = (result: LoadResult): readonly Annotation[] => [
  ...ofCases(loadCases(result)),
  { kind: "notice", title: `Assay load: ${outcomeWords[result.outcome].word}`, message: shownText(result.summary) },
];

const ofKind = (all: readonly Annotation[], kind: AnnotationKind): readonly Annotation[] => {
  const own = all.filter((one) => one.kind === kind);
  const shown = own.length > shownOfKind ? own.slice(0, shownOfKind - 1) : own;
  const more = own.length - shown.length;
  const message = `and ${more} more; the summary of the job and the files of the run list them`;
  return more > 0 ? [...shown, { kind, title: "Assay", message }] : shown;
};

/**
 * Workflow commands for GitHub Actions, a line each: an error for what makes a run red, a warning for what warns, a notice for
 * how each run ended. Of each kind at most ten, the last of which then says how many there are more. There is an error exactly
 * when an exit code is not 0. No text of a target can become a command of its own.
 */
export const renderAnnotations = ({ runs, loads }: Pick<ReportInput, "runs" | "loads">): string => {
  const all = [...runs.flatMap(({ result, change }) => ofRun(result, change?.sentence)), ...loads.flatMap(ofLoad)];
  return (["error", "warning", "notice"] as const)
    .flatMap((kind) => ofKind(all, kind))
    .map(({ kind, title, message }) => workflowCommand(kind, { title, message }))
    .join("");
};
