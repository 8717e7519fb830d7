import type { CanaryReport, LoadResult } from "@assay/results";
import { counted } from "../counted.ts";
import { painted, verdictWords } from "../outcome-words.ts";
import type { Page } from "../page.ts";
import { shownText } from "../shown-text.ts";
import { wrapIndented } from "../wrap-text.ts";

const name = (text: string): string => shownText(text, "name");

type Counts = Readonly<Record<string, number | undefined>>;

const entriesOf = (counts: Counts): readonly (readonly [string, number])[] =>
  Object.entries(counts).flatMap(([key, count]) => (count === undefined || count === 0 ? [] : [[key, count] as const]));

/** Counts with the names of what they count, such as `118 ok, 2 timeout`. */
const countsText = (counts: Counts): string =>
  entriesOf(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, count]) => `${count} ${name(key)}`)
    .join(", ");

/** How each kind of request of the measured part ended, a sentence for each kind. */
export const outcomeSentences = ({ outcomes }: LoadResult): readonly string[] =>
  Object.entries(outcomes)
    .map(([kind, counts]) => ({ kind, text: countsText(counts) }))
    .filter(({ text }) => text !== "")
    .map(({ kind, text }) => `${name(kind)}: ${text}`);

/** Each violated code with how often it was seen, most often first. */
export const violationEntries = ({ violations }: LoadResult): readonly (readonly [string, number])[] =>
  entriesOf(violations).toSorted(([, one], [, other]) => other - one);

const shownCodes = 20;

/** What every stream and conversation of the load broke, with the number of times. */
export const contractLines = (result: LoadResult, page: Page): readonly string[] => {
  const entries = violationEntries(result);
  const { sign, word } = verdictWords.failed;
  const more = entries.length - shownCodes;
  return entries.length === 0
    ? []
    : [
        painted(sign, page.paint.bold(`${sign} The contract was violated under load`), page),
        ...entries
          .slice(0, shownCodes)
          .map(([code, count]) => painted(sign, `  ${sign} ${word}  ${name(code)}, ${counted(count, "time")}`, page)),
        ...(more > 0 ? [`  and ${counted(more, "more code")}`] : []),
      ];
};

const choiceLines = ({ observations }: LoadResult, { columns, paint }: Page): readonly string[] => {
  const text = countsText(observations);
  return text === ""
    ? []
    : wrapIndented(`choices that the contract leaves open: ${text}`, { columns, indent: 2, hanging: 4 }).map(paint.dim);
};

/** How the requests ended, and which choices the target made. */
export const outcomeLines = (result: LoadResult, page: Page): readonly string[] => {
  const sentences = outcomeSentences(result);
  return [
    page.paint.bold(sentences.length === 0 ? "Requests: none was measured" : "Requests"),
    ...sentences.flatMap((sentence) => wrapIndented(sentence, { columns: page.columns, indent: 2, hanging: 4 })),
    ...choiceLines(result, page),
  ];
};

/** What the judges saw beside the load, one clause. */
export const canarySentence = ({ exchanges, observedRules, failed }: CanaryReport): string =>
  `${counted(exchanges, "exchange")} beside the load, ${counted(observedRules, "rule")} observed, ${failed.length} violated`;

const shownRules = 10;

/** What the judges said about the streams and conversations that ran beside the load. */
export const canaryLines = (
  { canary, run }: LoadResult,
  { page, runFolder }: { readonly page: Page; readonly runFolder: string | undefined },
): readonly string[] => {
  if (canary === undefined) {
    return [];
  }
  const { columns, paint } = page;
  const folder = `${runFolder === undefined ? "" : `${runFolder}/`}${canary.folder}`;
  const isWell = canary.failed.length === 0 && canary.outcome === "passed";
  const { sign } =
    canary.failed.length > 0 ? verdictWords.failed : isWell ? verdictWords.passed : verdictWords["could-not-run"];
  const more = canary.failed.length - shownRules;
  return [
    ...wrapIndented(`Canary${run.against === undefined ? "" : ` on ${shownText(run.against, "url")}`}`, {
      columns,
      indent: 0,
      hanging: 2,
    }).map(paint.bold),
    ...wrapIndented(`${sign} ${canarySentence(canary)}`, { columns, indent: 2, hanging: 4 }).map((line) =>
      painted(sign, line, page),
    ),
    ...(isWell ? [] : wrapIndented(shownText(canary.summary), { columns, indent: 4 })),
    ...canary.failed.slice(0, shownRules).flatMap(({ rule, message }) =>
      wrapIndented(`${verdictWords.failed.sign} ${name(rule)}: ${shownText(message)}`, {
        columns,
        indent: 4,
        hanging: 6,
      }),
    ),
    ...(more > 0 ? [`    and ${counted(more, "more rule")}`] : []),
    ...wrapIndented(`judged again by: assay judge ${shownText(folder, "url")}`, { columns, indent: 4 }).map(paint.dim),
  ];
};
