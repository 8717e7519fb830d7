import { groupedBy } from "@assay/results";
import type { LoadResult, RunResult } from "@assay/results";
import type { ReportInput } from "../../document/report-input.ts";
import { counted } from "../../document/counted.ts";
import { loadSentence } from "../../document/load-headline.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { loadCases } from "../../document/load-cases.ts";
import { runCases } from "../../document/run-cases.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";
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
const isTold = ({ kind, standing }: TestCase): boolean => kindOf[kind] !== undefined && standing !== "blocked";

/** What is told of one rule, or of one thing about a run, with where it was seen. */
interface Told {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly message: string;
  readonly findings: number;
  readonly target: string;
}

/** A rule speaks for itself; what is about a run or a load says whose it is, and how that ended where it decides nothing. */
const titleOf = ({ name, suite, findings, kind, standing }: TestCase): string =>
  findings === undefined && suite.startsWith("assay.") ? `Assay: ${kind === "error" ? standing : name}` : name;

const toldOf = ({ cases, target }: CaseList): readonly Told[] =>
  cases.filter(isTold).flatMap((one): readonly Told[] => {
    const kind = kindOf[one.kind];
    const [first = "", ...more] = (one.message ?? "").split("\n");
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return kind === undefined
      ? []
      : [
          {
            kind,
            title: titleOf(one),
            message: `${first}${rest}`,
            findings: one.findings ?? 1,
            target: shownText(target, "url"),
          },
        ];
  });

const shownTargets = 3;

/** Where it was seen: each target once. */
const targetsOf = (all: readonly Told[]): string => {
  const targets = [...new Set(all.map(({ target }) => target))];
  const more = targets.length - shownTargets;
  return `${targets.slice(0, shownTargets).join(", ")}${more > 0 ? ` and ${counted(more, "more target")}` : ""}`;
};

/** One annotation for what has one title, however often it was found, on however many operations and in however many runs. */
const ofTold = (all: readonly Told[]): readonly Annotation[] =>
  groupedBy(all, ({ kind, title }) => JSON.stringify([kind, title])).flatMap((same) => {
    const [first] = same;
    const findings = same.reduce((sum, one) => sum + one.findings, 0);
    const more = findings > 1 ? ` (and ${counted(findings - 1, "more finding")})` : "";
    return first === undefined
      ? []
      : [{ kind: first.kind, title: first.title, message: `${first.message}${more}\n${targetsOf(same)}` }];
  });

const endOfRun = (result: RunResult, change: string | undefined): Annotation => ({
  kind: "notice",
  title: `Assay: ${outcomeWords[result.outcome].word}`,
  message: [shownText(result.summary, "summary"), ...(change === undefined ? [] : [shownText(change)])].join("\n"),
});

const endOfLoad = (result: LoadResult): Annotation => ({
  kind: "notice",
  title: `Assay load: ${outcomeWords[result.outcome].word}`,
  message: shownText(loadSentence(result), "summary"),
});

const ofKind = (all: readonly Annotation[], kind: AnnotationKind): readonly Annotation[] => {
  const own = all.filter((one) => one.kind === kind);
  const shown = own.length > shownOfKind ? own.slice(0, shownOfKind - 1) : own;
  const more = own.length - shown.length;
  const message = `and ${more} more; the summary of the job and the files of the run list them`;
  return more > 0 ? [...shown, { kind, title: "Assay", message }] : shown;
};

/**
 * Workflow commands for GitHub Actions, a line each: an error for each rule that makes a run red, however often it is broken,
 * a warning for each that warns, a notice for how each run ended; its title is the rule. Of each kind at most ten, the last of which then says how many there are more. There is an error exactly
 * when an exit code is not 0. No text of a target can become a command of its own.
 */
export const renderAnnotations = ({ runs, loads }: Pick<ReportInput, "runs" | "loads">): string => {
  const lists = [...runs.map(({ result }) => runCases(result)), ...loads.map(loadCases)];
  const all = [
    ...ofTold(lists.flatMap(toldOf)),
    ...runs.map(({ result, change }) => endOfRun(result, change?.sentence)),
    ...loads.map(endOfLoad),
  ];
  return (["error", "warning", "notice"] as const)
    .flatMap((kind) => ofKind(all, kind))
    .map(({ kind, title, message }) => workflowCommand(kind, { title, message }))
    .join("");
};
