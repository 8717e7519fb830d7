import type { RunResult } from "@assay/results";
import type { BannerOptions } from "./banner-lines.ts";
import { counted } from "./counted.ts";
import { outcomeWords, painted } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Whether a run ended before any rule could be judged: then its cause is all there is to tell. */
export const isEarlyFailure = ({ outcome, verdicts }: RunResult): boolean =>
  outcome === "incomplete" &&
  verdicts.every(({ verdict: { outcome: end } }) => end !== "passed" && end !== "failed" && end !== "warned");

/** Lines that the cause may take, of ten in all. */
const causeLines = 4;

/** The cause of an early failure with the next step, how many rules were not judged, and where more stands; ten lines at most. */
export function earlyFailureLines(
  { outcome, exitCode, summary, verdicts, run, tool }: RunResult,
  { report, folder }: BannerOptions,
  page: Page,
): readonly string[] {
  const { columns, paint } = page;
  const { sign, word } = outcomeWords[outcome];
  const cause = wrapText(shownText(summary), columns);
  const shown = cause.length > causeLines ? [...cause.slice(0, causeLines - 1), "…"] : cause;
  const place = (what: string, path: string | undefined): readonly string[] =>
    path === undefined ? [] : [paint.dim(`${what}: ${shownText(path, "url")}`)];
  const lists = report === undefined ? "--verbose lists them" : "the report lists them";
  const [header] = wrapText(`assay ${shownText(tool.version, "name")} · ${shownText(run.target, "url")}`, columns);
  return [
    paint.bold(header),
    painted(sign, "─".repeat(columns), page),
    `${painted(sign, paint.bold(`${sign} ${word.toUpperCase()}`), page)}  exit code ${exitCode}`,
    ...shown,
    ...(verdicts.length === 0 ? [] : [paint.dim(`not judged: ${counted(verdicts.length, "rule")}; ${lists}`)]),
    ...place("report", report),
    ...place("files", folder),
  ];
}
