import type { RunChange, RunResult } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { outcomeWords, paintBySign, type Sign } from "../../document/outcome-words.ts";
import type { NextStep } from "./next-steps.ts";
import type { TerminalLayout } from "./terminal-layout.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** The end of a run of any kind. */
interface BannerResult extends Pick<RunResult, "outcome" | "exitCode" | "summary"> {
  /** Overrides the sign and word of the outcome. */
  readonly words?: { readonly sign: Sign; readonly word: string };
  /** Lines between the outcome and the summary. */
  readonly headlines?: readonly string[];
}

/** Additions to the last lines. */
export interface BannerOptions {
  /** The folder of the run. */
  readonly folder?: string | undefined;
  /** The path of its page. */
  readonly report?: string | undefined;
  /** The changes since a baseline. */
  readonly change?: RunChange | undefined;
  /** The next commands. */
  readonly steps?: readonly NextStep[];
  /** The information that the verbose form adds, and the option or command that prints it. */
  readonly verboseHint?: { readonly command: string; readonly parts: readonly string[] };
}

const maxCaveats = 3;

const renderChangeLines = (change: RunChange | undefined, { columns, paint }: TerminalLayout): readonly string[] => {
  if (change === undefined) {
    return [];
  }
  const { sentence, caveats } = change;
  const moreCount = caveats.length - maxCaveats;
  return [
    ...wrapText(`changed: ${escapeForDisplay(sentence)}`, columns).map(paint.bold),
    ...caveats
      .slice(0, maxCaveats)
      .flatMap((caveat) => wrapIndented(`with care: ${escapeForDisplay(caveat)}`, { columns, indent: 2, hanging: 4 })),
    ...(moreCount > 0 ? [`  and ${counted(moreCount, "more reason")} to be careful`] : []),
  ];
};

/** Returns the last lines: outcome, exit code, summary, changes, and the paths of page and files. */
export const renderBannerLines = (
  result: BannerResult,
  { folder, report, change, steps = [], verboseHint }: BannerOptions,
  layout: TerminalLayout,
): readonly string[] => {
  const { columns, paint } = layout;
  const { sign, word } = result.words ?? outcomeWords[result.outcome];
  const pathLines = (label: string, path: string | undefined): readonly string[] =>
    path === undefined ? [] : wrapText(`${label}: ${escapeForDisplay(path, "url")}`, columns).map(paint.dim);
  return [
    paintBySign(sign, "─".repeat(columns), layout),
    `${paintBySign(sign, paint.bold(`${sign} ${word.toUpperCase()}`), layout)}  exit code ${result.exitCode}`,
    ...(result.headlines ?? []),
    ...wrapText(escapeForDisplay(result.summary, "summary"), columns),
    ...renderChangeLines(change, layout),
    ...steps.map(({ label, command }) => `${paint.dim(`${label}:`)} ${paint.cyan(command)}`),
    ...(verboseHint === undefined || verboseHint.parts.length === 0
      ? []
      : wrapText(`more: ${verboseHint.command} shows ${verboseHint.parts.join(", ")}`, columns).map(paint.dim)),
    ...pathLines("report", report),
    ...pathLines("files", folder),
  ];
};
