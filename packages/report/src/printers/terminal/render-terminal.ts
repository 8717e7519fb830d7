import { toShellWord } from "@assay/evidence";
import { failsRun, ruleStanding } from "@assay/results";
import type { RunResult } from "@assay/results";
import { renderBannerLines } from "./banner-lines.ts";
import type { BannerOptions } from "./banner-lines.ts";
import { counted } from "../../document/counted.ts";
import type { Section } from "../../document/document.ts";
import {
  createFailedSections,
  createInterfaceBlocks,
  listVerboseAdditions,
  createOtherReasonsSection,
  createRequiredSection,
  createWarnedSections,
} from "../../document/brief-sections.ts";
import {
  createApiDocumentSection,
  type DetailLimits,
  createFailedExchangesSection,
  createFailureSection,
  listFixedFailures,
  createFixedSection,
  createIncompleteSection,
  listKnownFailures,
  createKnownFailuresSection,
  createKnownNotesSection,
  createUnspecifiedSection,
  createMistakesSection,
  createUndocumentedValuesSection,
  createRequestsSection,
  createRuleSections,
  createUnjudgedSection,
} from "../../document/run-sections.ts";
import { listNextSteps } from "./next-steps.ts";
import { renderBriefHeaderLines, renderHeaderLines, describeReceived } from "./header-lines.ts";
import { isEarlyFailure } from "../../document/early-failure.ts";
import { outcomeWords, paintBySign } from "../../document/outcome-words.ts";
import { createTerminalLayout } from "./terminal-layout.ts";
import type { TerminalLayout, TerminalLayoutOptions } from "./terminal-layout.ts";
import { renderBlockLines, renderTerminalSection } from "./print-terminal.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Reports whether the OpenAPI document differs from the one that Assay includes, or is only partly usable. */
const hasOpenApiProblem = ({ openapi }: RunResult): boolean =>
  openapi !== undefined && openapi.differences.length + openapi.notes.length > 0;

/** Maximum number of lines for the cause, out of ten. */
const maxCauseLines = 4;

/** Renders an early failure in at most ten lines: the cause, the number of rules that were not tested, and the paths of page and files. */
function renderEarlyFailureLines(
  { outcome, exitCode, summary, verdicts, run, tool }: RunResult,
  { report, folder }: BannerOptions,
  layout: TerminalLayout,
): readonly string[] {
  const { columns, paint } = layout;
  const { sign, word } = outcomeWords[outcome];
  const cause = wrapText(escapeForDisplay(summary), columns);
  const shownCause = cause.length > maxCauseLines ? [...cause.slice(0, maxCauseLines - 1), "…"] : cause;
  const pathLines = (label: string, path: string | undefined): readonly string[] =>
    path === undefined ? [] : [paint.dim(`${label}: ${escapeForDisplay(path, "url")}`)];
  const listHint = report === undefined ? "--verbose lists them" : "the report lists them";
  const [header] = wrapText(
    `assay ${escapeForDisplay(tool.version, "name")} · ${escapeForDisplay(run.target, "url")}`,
    columns,
  );
  return [
    paint.bold(header),
    paintBySign(sign, "─".repeat(columns), layout),
    `${paintBySign(sign, paint.bold(`${sign} ${word.toUpperCase()}`), layout)}  exit code ${exitCode}`,
    ...shownCause,
    ...(verdicts.length === 0 ? [] : [paint.dim(`not tested: ${counted(verdicts.length, "rule")}; ${listHint}`)]),
    ...pathLines("report", report),
    ...pathLines("files", folder),
  ];
}

/** Options of `renderTerminal`. */
export interface TerminalOptions extends TerminalLayoutOptions, BannerOptions {
  /** Whether every rule, request and permitted choice has its own line. Default: false. */
  readonly verbose?: boolean;
  /** The folder of the run, as passed by the user, for the next commands. Without it, they are omitted. */
  readonly evidence?: string;
}

/** Returns one path, because the page is in the folder of the run. */
const selectBriefPaths = ({ folder, report, change }: BannerOptions): BannerOptions =>
  report === undefined ? { folder, change } : { report, change };

/** Describes the information that the verbose form adds. A stored run can be judged again to print it, without repeating requests. */
const createVerboseHint = (
  result: RunResult,
  { evidence }: TerminalOptions,
): NonNullable<BannerOptions["verboseHint"]> => ({
  command:
    evidence === undefined ? "--verbose" : `npx assay judge ${toShellWord(escapeForDisplay(evidence, "url"))} -v`,
  parts: listVerboseAdditions(result),
});

/** Limits on the details that the terminal shows. */
export const createTerminalLimits = (verbose: boolean): DetailLimits => ({
  entries: verbose ? Number.POSITIVE_INFINITY : 10,
  choices: verbose ? Number.POSITIVE_INFINITY : 5,
  messages: verbose ? Number.POSITIVE_INFINITY : 2,
  findings: 3,
  rules: Number.POSITIVE_INFINITY,
  restHint: ", all of them with --verbose",
  showAll: verbose,
});

/** Formats known failures, most severe last. The verbose form includes entries of Assay's own lists that did not occur. */
export const createKnownSections = (result: RunResult, detail: DetailLimits): readonly Section[] => [
  ...(detail.showAll ? [createKnownNotesSection(result, detail)] : []),
  createKnownFailuresSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  ...(detail.showAll ? listKnownFailures(result.verdicts) : []).flatMap(
    ({ rule }) => createFailureSection(rule, detail) ?? [],
  ),
];

const createFailureSections = (
  { verdicts, run }: RunResult,
  failsTheRun: boolean,
  detail: DetailLimits,
): readonly Section[] =>
  verdicts
    .filter((rule) => ruleStanding(rule) !== "known-failure" && failsRun(rule, run.strict) === failsTheRun)
    .flatMap((rule) => createFailureSection(rule, detail) ?? []);

const createBriefSections = (result: RunResult, detail: DetailLimits): readonly Section[] => [
  createRequiredSection(result.verdicts),
  ...(hasOpenApiProblem(result) ? [createApiDocumentSection(result, { ...detail, entries: 3 })] : []),
  ...createKnownSections(result, detail),
  ...createWarnedSections(result),
  ...listFixedFailures(result.verdicts).map(createFixedSection),
  ...createFailedSections(result),
  createMistakesSection(result, detail),
  createOtherReasonsSection(result),
];

const createVerboseSections = (result: RunResult, detail: DetailLimits): readonly Section[] => [
  ...(detail.showAll ? [createRequestsSection(result)] : []),
  ...createRuleSections(result, detail.showAll),
  createUnjudgedSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  createApiDocumentSection(result, { ...detail, entries: detail.showAll ? detail.entries : 3 }),
  createUnspecifiedSection(result, detail),
  createUndocumentedValuesSection(result, detail),
  ...createKnownSections(result, detail),
  ...createFailureSections(result, false, detail),
  ...listFixedFailures(result.verdicts).map(createFixedSection),
  ...createFailureSections(result, true, detail),
  createMistakesSection(result, detail),
  createIncompleteSection(result.incomplete),
];

/**
 * Renders a result for a terminal: about a dozen lines for a run that passed. For each failed rule it contains one example with its bytes and
 * the command that repeats the request, and the next commands. The most severe parts are last: known failures, warnings, failures, mistakes
 * in the lists of known failures, the reasons the run is incomplete, and the outcome with its exit code. Rules that were not tested are
 * listed if the profile requires them. `verbose` lists all.
 */
export const renderTerminal = (result: RunResult, options: TerminalOptions): string => {
  const layout = createTerminalLayout(options);
  const verbose = options.verbose ?? false;
  if (!verbose && isEarlyFailure(result)) {
    return joinTerminalLines(renderEarlyFailureLines(result, options, layout));
  }
  const head = verbose
    ? [...renderHeaderLines(result, layout), ...wrapText(`seen: ${describeReceived(result.exchanges)}`, layout.columns)]
    : renderBriefHeaderLines(result, layout);
  const detail = createTerminalLimits(verbose);
  const sections = verbose ? createVerboseSections(result, detail) : createBriefSections(result, detail);
  const overview = verbose ? [] : createInterfaceBlocks(result).flatMap((block) => renderBlockLines(block, layout));
  const steps = listNextSteps(result, options);
  return joinTerminalLines(
    joinBlocks([
      [...head, ...renderTerminalSection(createFailedExchangesSection(result), layout)],
      overview,
      ...sections.map((section) => renderTerminalSection(section, layout)),
      renderBannerLines(
        result,
        verbose
          ? { ...options, steps }
          : { ...selectBriefPaths(options), steps, verboseHint: createVerboseHint(result, options) },
        layout,
      ),
    ]),
  );
};
