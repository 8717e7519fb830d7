import {
  failsRun,
  ruleStanding,
  type RuleVerdict,
  type RunChange,
  type RunResult,
  type RunTimelines,
} from "@assay/results";
import { counted } from "../../document/counted.ts";
import { list, type Section, paragraph } from "../../document/document.ts";
import {
  createApiDocumentSection,
  type DetailLimits,
  createFailureSection,
  listFixedFailures,
  createFixedSection,
  createIncompleteSection,
  createKnownFailuresSection,
  createKnownNotesSection,
  createUnspecifiedSection,
  createMistakesSection,
  createUndocumentedValuesSection,
  formatFindingLocation,
  createUnjudgedSection,
  listFailedRules,
} from "../../document/run-sections.ts";
import { renderStateDiagramMarkdown } from "./state-diagram-markdown.ts";
import {
  renderBannerMarkdown,
  renderChangeMarkdown,
  renderCountsMarkdown,
  renderFactsMarkdown,
  renderMatrixMarkdown,
} from "./summary-head.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { markdownDetails, markdownProse } from "./markdown-parts.ts";
import { codeSpan } from "./markdown-text.ts";
import { renderSectionMarkdown } from "./print-markdown.ts";
import { joinTerminalLines } from "../terminal/terminal-text.ts";

/** Limits on the details in a summary. */
const summaryLimits: DetailLimits = {
  entries: 10,
  choices: 10,
  messages: 1,
  findings: 1,
  rules: 50,
  restHint: "",
  showAll: false,
};

/** Options of `renderSummaryMarkdown`. */
export interface SummaryOptions {
  /** The changes since a baseline. */
  readonly change?: RunChange;
  /** Timelines for the state diagrams. */
  readonly timelines?: Pick<RunTimelines, "diagrams">;
}

const createWarningsSection = ({ verdicts, run }: RunResult): Section => {
  const warnedRules = verdicts.filter((rule) => ruleStanding(rule) === "warned" && !failsRun(rule, run.strict));
  return {
    title: "Warnings",
    blocks: list(
      warnedRules.map(({ rule, title }) => ({ line: [{ name: rule }, ": ", title] })),
      { max: summaryLimits.entries },
    ),
  };
};

/** Formats the first finding of a failed rule, its location, and the number of findings. */
const renderFirstFindingLine = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome !== "failed" && verdict.outcome !== "warned") {
    return "";
  }
  const [first] = verdict.findings;
  const location = formatFindingLocation(first);
  const moreCount = verdict.findings.length - 1 + verdict.moreFindings;
  return [
    `Seen: ${markdownProse(first.message)}`,
    ...(location === "" ? [] : [` (${codeSpan(escapeForDisplay(location))})`]),
    ...(moreCount > 0 ? [`, and ${counted(moreCount, "more finding")}`] : []),
  ].join("");
};

/** Formats a failed rule: the first rule in full, others with the first finding and the rest folded. */
const renderFailedRuleMarkdown = (rule: RuleVerdict, index: number): readonly string[] => {
  const section = createFailureSection(rule, summaryLimits) ?? { blocks: [] };
  if (index === 0) {
    return renderSectionMarkdown(section, 4);
  }
  const { blocks, ...head } = section;
  const title = renderSectionMarkdown({ ...head, blocks: [paragraph(rule.title)] }, 4);
  const otherBlocks = renderSectionMarkdown({ blocks: blocks.slice(1) });
  return [
    ...title,
    "",
    renderFirstFindingLine(rule),
    ...markdownDetails("The requirement, the bytes, and the command that repeats the request", otherBlocks),
  ];
};

/** Formats advice for readers who are new to Assay. */
const renderAdviceMarkdown = ({ rule }: RuleVerdict): readonly string[] => [
  "",
  `What to do: repeat the request with its command; ${codeSpan(`npx assay explain RUN ${escapeForDisplay(rule, "name")}`)}, ` +
    "with the folder of the run for RUN, explains it. List failures that you accept for a while in a file: `--known-failures`.",
];

/** Formats advice, the first failed rules with a heading each, and the number of the rest. */
const renderFailuresMarkdown = (result: RunResult): readonly string[] => {
  const failedList = listFailedRules(result);
  const [firstRule] = failedList;
  const moreCount = failedList.length - summaryLimits.entries;
  return firstRule === undefined
    ? []
    : [
        "",
        `### Failed: ${failedList.length}`,
        ...renderAdviceMarkdown(firstRule),
        ...failedList.slice(0, summaryLimits.entries).flatMap(renderFailedRuleMarkdown),
        ...(moreCount > 0 ? ["", `and ${counted(moreCount, "more failed rule")}`] : []),
      ];
};

const renderSectionsMarkdown = (...sections: readonly Section[]): readonly string[] =>
  sections.flatMap((section) => renderSectionMarkdown(section));

/** Folds sections under their titles, which contain no text of a target. */
const renderFoldedMarkdown = (...sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ title, blocks }) =>
    markdownDetails(typeof title === "string" ? title : "More", renderSectionMarkdown({ blocks })),
  );

/** Formats the matrix of chapters, folded unless the run passed. */
const renderChaptersMarkdown = (result: RunResult): readonly string[] => {
  const matrix = renderMatrixMarkdown(result);
  return result.outcome === "passed"
    ? matrix.length === 0
      ? []
      : ["", ...matrix]
    : markdownDetails("Rules by chapter and interface", matrix);
};

/**
 * Renders `summary.md`, which is also the job summary: less than one screen for a run that passed. It contains, in order: the outcome; at
 * most ten failed rules, the first with its bytes and the others folded; errors in known-failure lists; the changes since the
 * baseline; the reasons the run is incomplete; warnings; counts; and the chapters of the specifications. Known failures with their reasons, rules
 * that were not tested, and the state diagram are folded. Text of a target is never markup, a link, a mention or an image. All lists and
 * strings are truncated, to stay far below the limit of 1 MiB for job summaries.
 */
export const renderSummaryMarkdown = (result: RunResult, { change, timelines }: SummaryOptions = {}): string =>
  joinTerminalLines([
    ...renderBannerMarkdown(result),
    ...renderFactsMarkdown(result),
    ...renderFailuresMarkdown(result),
    ...renderSectionsMarkdown(
      createMistakesSection(result, summaryLimits),
      ...listFixedFailures(result.verdicts).slice(0, summaryLimits.entries).map(createFixedSection),
    ),
    ...renderChangeMarkdown(change),
    ...renderSectionsMarkdown(
      createIncompleteSection(result.incomplete, summaryLimits.entries),
      createWarningsSection(result),
    ),
    ...renderCountsMarkdown(result),
    ...renderChaptersMarkdown(result),
    ...renderFoldedMarkdown(
      createKnownFailuresSection(result.verdicts, summaryLimits),
      createKnownNotesSection(result, summaryLimits),
      createUnjudgedSection(result.verdicts, summaryLimits),
      createApiDocumentSection(result, summaryLimits),
      createUnspecifiedSection(result, summaryLimits),
      createUndocumentedValuesSection(result, summaryLimits),
    ),
    ...renderStateDiagramMarkdown(timelines?.diagrams ?? []),
  ]);
