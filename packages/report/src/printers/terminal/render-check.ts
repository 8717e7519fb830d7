import {
  concludeCheck,
  type FileStanding,
  getFileStanding,
  ruleStanding,
  type RuleVerdict,
  type RunResult,
} from "@assay/results";
import {
  createFailedSections,
  createOtherReasonsSection,
  createWarnedSections,
} from "../../document/brief-sections.ts";
import type { Section } from "../../document/document.ts";
import { countDisplayColumns } from "./display-columns.ts";
import {
  type DetailLimits,
  createFailureSection,
  listFixedFailures,
  createFixedSection,
  createIncompleteSection,
  createUnspecifiedSection,
  createMistakesSection,
  createUndocumentedValuesSection,
  createUnjudgedSection,
} from "../../document/run-sections.ts";
import { outcomeWords, paintBySign, type Sign } from "../../document/outcome-words.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { renderTerminalSection } from "./print-terminal.ts";
import { createKnownSections, createTerminalLimits } from "./render-terminal.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** One recording and its result. */
export interface CheckedFile {
  readonly file: string;
  readonly result: RunResult;
}

/** Options of `renderCheck`. */
export interface CheckOptions extends TerminalLayoutOptions {
  /** Whether rules that were not tested are listed for each file. Default: false. Their number is always shown. */
  readonly verbose?: boolean;
}

const signs: Readonly<Record<FileStanding, Sign>> = { passed: "✓", failed: "✗", "not tested": "?" };
const standings: readonly FileStanding[] = ["passed", "failed", "not tested"];

const renderFileLines = ({ file, result }: CheckedFile, layout: TerminalLayout): readonly string[] => {
  const standing = getFileStanding(result);
  const sign = signs[standing];
  const shownFile = escapeForDisplay(file, "url");
  const firstLine = `${paintBySign(sign, `${sign} ${standing}`, layout)}  ${layout.paint.bold(shownFile)}`;
  const summary = escapeForDisplay(result.summary);
  const fits = countDisplayColumns(`${sign} ${standing}  ${shownFile}  ${summary}`) <= layout.columns;
  return fits
    ? [`${firstLine}  ${layout.paint.dim(summary)}`]
    : [firstLine, ...wrapIndented(summary, { columns: layout.columns, indent: 4 }).map(layout.paint.dim)];
};

const createAllFailureSections = (verdicts: readonly RuleVerdict[], detail: DetailLimits): readonly Section[] =>
  verdicts
    .filter((rule) => ["warned", "failed"].includes(ruleStanding(rule)))
    .flatMap((rule) => createFailureSection(rule, detail) ?? []);

const renderDetailLines = (
  { file, result }: CheckedFile,
  { layout, verbose }: { readonly layout: TerminalLayout; readonly verbose: boolean },
): readonly string[] => {
  const { verdicts } = result;
  const detail = createTerminalLimits(verbose);
  const blocks = [
    ...(verbose ? [createUnjudgedSection(verdicts, detail)] : []),
    ...createKnownSections(result, detail),
    ...listFixedFailures(verdicts).map(createFixedSection),
    ...(verbose
      ? createAllFailureSections(verdicts, detail)
      : [...createWarnedSections(result), ...createFailedSections(result)]),
    createMistakesSection(result, detail),
    ...(verbose
      ? [
          createIncompleteSection(result.incomplete),
          createUnspecifiedSection(result, detail),
          createUndocumentedValuesSection(result, detail),
        ]
      : [createOtherReasonsSection(result)]),
  ].map((section) => renderTerminalSection(section, layout));
  const heading = layout.paint.bold(layout.paint.underline(escapeForDisplay(file, "url")));
  return blocks.every((block) => block.length === 0) ? [] : ["", ...joinBlocks([[heading], ...blocks])];
};

/**
 * Renders the result of `assay check`: one line for each file, in order; then for each file known failures, failures with one example each,
 * and the reasons rules were not tested; and finally the counts and the exit code.
 */
export const renderCheck = (files: readonly CheckedFile[], options: CheckOptions): string => {
  const layout = createTerminalLayout(options);
  const verbose = options.verbose ?? false;
  const { outcome, exitCode } = concludeCheck(files.map(({ result }) => result));
  const counts = standings
    .map((standing) => ({ standing, count: files.filter(({ result }) => getFileStanding(result) === standing).length }))
    .filter(({ count }) => count > 0)
    .map(({ standing, count }) => `${count} ${standing}`);
  const { sign } = outcomeWords[outcome];
  const summary = files.length === 0 ? "no recording was given" : counts.join(", ");
  return joinTerminalLines([
    ...files.flatMap((file) => renderFileLines(file, layout)),
    ...files.flatMap((file) => renderDetailLines(file, { layout, verbose })),
    "",
    `${paintBySign(sign, `${sign} ${summary}`, layout)}  exit code ${exitCode}`,
  ]);
};
