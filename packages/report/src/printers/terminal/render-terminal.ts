import { toShellWord } from "@assay/evidence";
import { failsRun, ruleStanding } from "@assay/results";
import type { RunResult } from "@assay/results";
import { bannerLines } from "./banner-lines.ts";
import type { BannerOptions } from "./banner-lines.ts";
import { counted } from "../../document/counted.ts";
import type { Section } from "../../document/document.ts";
import {
  failedSections,
  interfaceBlocks,
  verboseAdditions,
  otherReasonsSection,
  requiredSection,
  warnedSections,
} from "../../document/brief-sections.ts";
import {
  apiDocumentSection,
  type DetailLimits,
  failedExchangesSection,
  failureSection,
  fixedFailures,
  fixedSection,
  incompleteSection,
  knownFailures,
  knownFailuresSection,
  knownNotesSection,
  unspecifiedSection,
  mistakesSection,
  undocumentedValuesSection,
  requestsSection,
  ruleSections,
  unjudgedSection,
} from "../../document/run-sections.ts";
import { nextSteps } from "./next-steps.ts";
import { briefHeaderLines, headerLines, receivedSentence } from "./header-lines.ts";
import { isEarlyFailure } from "../../document/early-failure.ts";
import { outcomeWords, paintBySign } from "../../document/outcome-words.ts";
import { createTerminalLayout } from "./terminal-layout.ts";
import type { TerminalLayout, TerminalLayoutOptions } from "./terminal-layout.ts";
import { blockLines, terminalSection } from "./print-terminal.ts";
import { shownText } from "../../document/shown-text.ts";
import { joinBlocks, terminalText } from "./terminal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Reports whether the OpenAPI document differs from the one that Assay includes, or is only partly usable. */
const hasOpenApiProblem = ({ openapi }: RunResult): boolean =>
  openapi !== undefined && openapi.differences.length + openapi.notes.length > 0;

/** Maximum number of lines for the cause, out of ten. */
const maxCauseLines = 4;

/** Renders an early failure in at most ten lines: the cause, the number of rules that were not tested, and the paths of page and files. */
function earlyFailureLines(
  { outcome, exitCode, summary, verdicts, run, tool }: RunResult,
  { report, folder }: BannerOptions,
  layout: TerminalLayout,
): readonly string[] {
  const { columns, paint } = layout;
  const { sign, word } = outcomeWords[outcome];
  const cause = wrapText(shownText(summary), columns);
  const shownCause = cause.length > maxCauseLines ? [...cause.slice(0, maxCauseLines - 1), "…"] : cause;
  const pathLines = (label: string, path: string | undefined): readonly string[] =>
    path === undefined ? [] : [paint.dim(`${label}: ${shownText(path, "url")}`)];
  const listHint = report === undefined ? "--verbose lists them" : "the report lists them";
  const [header] = wrapText(`assay ${shownText(tool.version, "name")} · ${shownText(run.target, "url")}`, columns);
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
const briefPaths = ({ folder, report, change }: BannerOptions): BannerOptions =>
  report === undefined ? { folder, change } : { report, change };

/** Describes the information that the verbose form adds. A stored run can be judged again to print it, without repeating requests. */
const verboseHint = (result: RunResult, { evidence }: TerminalOptions): NonNullable<BannerOptions["verboseHint"]> => ({
  command: evidence === undefined ? "--verbose" : `npx assay judge ${toShellWord(shownText(evidence, "url"))} -v`,
  parts: verboseAdditions(result),
});

/** Limits on the details that the terminal shows. */
export const terminalLimits = (verbose: boolean): DetailLimits => ({
  entries: verbose ? Number.POSITIVE_INFINITY : 10,
  choices: verbose ? Number.POSITIVE_INFINITY : 5,
  messages: verbose ? Number.POSITIVE_INFINITY : 2,
  findings: 3,
  rules: Number.POSITIVE_INFINITY,
  restHint: ", all of them with --verbose",
  showAll: verbose,
});

/** Formats known failures, most severe last. The verbose form includes entries of Assay's own lists that did not occur. */
export const knownSections = (result: RunResult, detail: DetailLimits): readonly Section[] => [
  ...(detail.showAll ? [knownNotesSection(result, detail)] : []),
  knownFailuresSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  ...(detail.showAll ? knownFailures(result.verdicts) : []).flatMap(({ rule }) => failureSection(rule, detail) ?? []),
];

const failureSections = (
  { verdicts, run }: RunResult,
  failsTheRun: boolean,
  detail: DetailLimits,
): readonly Section[] =>
  verdicts
    .filter((rule) => ruleStanding(rule) !== "known-failure" && failsRun(rule, run.strict) === failsTheRun)
    .flatMap((rule) => failureSection(rule, detail) ?? []);

const briefSections = (result: RunResult, detail: DetailLimits): readonly Section[] => [
  requiredSection(result.verdicts),
  ...(hasOpenApiProblem(result) ? [apiDocumentSection(result, { ...detail, entries: 3 })] : []),
  ...knownSections(result, detail),
  ...warnedSections(result),
  ...fixedFailures(result.verdicts).map(fixedSection),
  ...failedSections(result),
  mistakesSection(result, detail),
  otherReasonsSection(result),
];

const verboseSections = (result: RunResult, detail: DetailLimits): readonly Section[] => [
  ...(detail.showAll ? [requestsSection(result)] : []),
  ...ruleSections(result, detail.showAll),
  unjudgedSection(result.verdicts, { ...detail, entries: Number.POSITIVE_INFINITY }),
  apiDocumentSection(result, { ...detail, entries: detail.showAll ? detail.entries : 3 }),
  unspecifiedSection(result, detail),
  undocumentedValuesSection(result, detail),
  ...knownSections(result, detail),
  ...failureSections(result, false, detail),
  ...fixedFailures(result.verdicts).map(fixedSection),
  ...failureSections(result, true, detail),
  mistakesSection(result, detail),
  incompleteSection(result.incomplete),
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
    return terminalText(earlyFailureLines(result, options, layout));
  }
  const head = verbose
    ? [...headerLines(result, layout), ...wrapText(`seen: ${receivedSentence(result.exchanges)}`, layout.columns)]
    : briefHeaderLines(result, layout);
  const detail = terminalLimits(verbose);
  const sections = verbose ? verboseSections(result, detail) : briefSections(result, detail);
  const overview = verbose ? [] : interfaceBlocks(result).flatMap((block) => blockLines(block, layout));
  const steps = nextSteps(result, options);
  return terminalText(
    joinBlocks([
      [...head, ...terminalSection(failedExchangesSection(result), layout)],
      overview,
      ...sections.map((section) => terminalSection(section, layout)),
      bannerLines(
        result,
        verbose ? { ...options, steps } : { ...briefPaths(options), steps, verboseHint: verboseHint(result, options) },
        layout,
      ),
    ]),
  );
};
