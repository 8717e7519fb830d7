import { groupBy } from "@assay/results";
import type { LoadResult, RunResult } from "@assay/results";
import type { ReportInput } from "../../document/report-input.ts";
import { counted } from "../../document/counted.ts";
import { describeLoad } from "../../document/load-headline.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { createLoadCases } from "../../document/load-cases.ts";
import { createRunCases } from "../../document/run-cases.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";
import { type AnnotationKind, formatWorkflowCommand } from "./workflow-command.ts";

/** Maximum number of annotations of a kind that GitHub shows for each step. It drops the others. */
const maxPerKind = 10;

/** An annotation of a step. */
interface Annotation {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly message: string;
}

const annotationKinds = {
  passed: undefined,
  skipped: undefined,
  warning: "warning",
  failure: "error",
  error: "error",
} as const satisfies Record<TestCase["kind"], AnnotationKind | undefined>;

/** Reports whether a case has an annotation. A blocked rule has none, because the annotation of the run names it. */
const isAnnotated = ({ kind, standing }: TestCase): boolean =>
  annotationKinds[kind] !== undefined && standing !== "blocked";

/** An annotation of one test case, with its target. */
interface CaseAnnotation {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly message: string;
  readonly findings: number;
  readonly target: string;
}

/** Returns the name of the rule. For a case of a run or load, includes the suite, and the outcome if it is an error. */
const formatCaseTitle = ({ name, suite, findings, kind, standing }: TestCase): string =>
  findings === undefined && suite.startsWith("assay.") ? `Assay: ${kind === "error" ? standing : name}` : name;

const createCaseAnnotations = ({ cases, target }: CaseList): readonly CaseAnnotation[] =>
  cases.filter(isAnnotated).flatMap((testCase): readonly CaseAnnotation[] => {
    const kind = annotationKinds[testCase.kind];
    const [firstLine = "", ...otherLines] = (testCase.message ?? "").split("\n");
    const moreText = otherLines.length === 0 ? "" : ` (and ${otherLines.length} more)`;
    return kind === undefined
      ? []
      : [
          {
            kind,
            title: formatCaseTitle(testCase),
            message: `${firstLine}${moreText}`,
            findings: testCase.findings ?? 1,
            target: escapeForDisplay(target, "url"),
          },
        ];
  });

const maxTargets = 3;

/** Lists the distinct targets. */
const formatTargets = (annotations: readonly CaseAnnotation[]): string => {
  const targets = [...new Set(annotations.map(({ target }) => target))];
  const moreCount = targets.length - maxTargets;
  return `${targets.slice(0, maxTargets).join(", ")}${moreCount > 0 ? ` and ${counted(moreCount, "more target")}` : ""}`;
};

/** Merges annotations with the same title, regardless of the number of findings, operations and runs. */
const mergeAnnotations = (annotations: readonly CaseAnnotation[]): readonly Annotation[] =>
  groupBy(annotations, ({ kind, title }) => JSON.stringify([kind, title])).flatMap((sameTitle) => {
    const [first] = sameTitle;
    const findings = sameTitle.reduce((sum, annotation) => sum + annotation.findings, 0);
    const moreText = findings > 1 ? ` (and ${counted(findings - 1, "more finding")})` : "";
    return first === undefined
      ? []
      : [{ kind: first.kind, title: first.title, message: `${first.message}${moreText}\n${formatTargets(sameTitle)}` }];
  });

const runNotice = (result: RunResult, change: string | undefined): Annotation => ({
  kind: "notice",
  title: `Assay: ${outcomeWords[result.outcome].word}`,
  message: [
    escapeForDisplay(result.summary, "summary"),
    ...(change === undefined ? [] : [escapeForDisplay(change)]),
  ].join("\n"),
});

const loadNotice = (result: LoadResult): Annotation => ({
  kind: "notice",
  title: `Assay load: ${outcomeWords[result.outcome].word}`,
  message: escapeForDisplay(describeLoad(result), "summary"),
});

const limitKind = (annotations: readonly Annotation[], kind: AnnotationKind): readonly Annotation[] => {
  const sameKind = annotations.filter((annotation) => annotation.kind === kind);
  const shownAnnotations = sameKind.length > maxPerKind ? sameKind.slice(0, maxPerKind - 1) : sameKind;
  const moreCount = sameKind.length - shownAnnotations.length;
  const message = `and ${moreCount} more; the summary of the job and the files of the run list them`;
  return moreCount > 0 ? [...shownAnnotations, { kind, title: "Assay", message }] : shownAnnotations;
};

/**
 * Renders workflow commands for GitHub Actions, one line each: an error for each rule that fails a run, a warning for each rule that
 * warned, and a notice for the outcome of each run. There are at most ten of each kind. The last one contains the number of the rest. There
 * is an error if and only if an exit code is not 0. Text of a target cannot become a command.
 */
export const renderAnnotations = ({ runs, loads }: Pick<ReportInput, "runs" | "loads">): string => {
  const caseLists = [...runs.map(({ result }) => createRunCases(result)), ...loads.map(createLoadCases)];
  const annotations = [
    ...mergeAnnotations(caseLists.flatMap(createCaseAnnotations)),
    ...runs.map(({ result, change }) => runNotice(result, change?.sentence)),
    ...loads.map(loadNotice),
  ];
  return (["error", "warning", "notice"] as const)
    .flatMap((kind) => limitKind(annotations, kind))
    .map(({ kind, title, message }) => formatWorkflowCommand(kind, { title, message }))
    .join("");
};
