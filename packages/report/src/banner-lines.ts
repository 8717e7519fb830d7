import type { IncompleteReason, RunResult } from "@assay/results";
import { outcomeWords, painted, verdictWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** The reasons for which a run decides nothing, or less than it should, each with its code; empty without any. */
export const incompleteLines = (reasons: readonly IncompleteReason[], page: Page): readonly string[] => {
  if (reasons.length === 0) {
    return [];
  }
  const { columns, paint } = page;
  const { sign } = verdictWords["could-not-run"];
  return [
    painted(sign, paint.bold(`${sign} Incomplete, for these reasons:`), page),
    ...reasons.flatMap(({ code, message }) =>
      wrapIndented(`${shownText(code, "name")}: ${shownText(message)}`, { columns, indent: 2, hanging: 4 }),
    ),
  ];
};

/** How a run of any kind ended. */
type Ending = Pick<RunResult, "outcome" | "exitCode" | "summary">;

/** The last lines: the outcome, the exit code, the sentence of the run, and where its files are. */
export const bannerLines = (result: Ending, folder: string | undefined, page: Page): readonly string[] => {
  const { columns, paint } = page;
  const { sign, word } = outcomeWords[result.outcome];
  return [
    painted(sign, "─".repeat(columns), page),
    `${painted(sign, paint.bold(`${sign} ${word.toUpperCase()}`), page)}  exit code ${result.exitCode}`,
    ...wrapText(shownText(result.summary), columns),
    ...(folder === undefined ? [] : wrapText(`files: ${shownText(folder, "url")}`, columns).map(paint.dim)),
  ];
};
