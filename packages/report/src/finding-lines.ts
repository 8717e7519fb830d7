import type { Excerpt, ReportedFinding } from "@assay/results";
import { displayColumns, fitting, fittingEnd } from "./display-columns.ts";
import { standardClientWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** Where a finding is, such as `exchange x3, event 4, byte 1,032`; empty when it does not say. */
export const placeOf = ({ exchange, event, offset, pointer }: ReportedFinding): string =>
  [
    exchange === undefined ? undefined : `exchange ${shownText(exchange, "name")}`,
    event === undefined ? undefined : `event ${event}`,
    offset === undefined ? undefined : `byte ${offset}`,
    pointer === undefined || pointer === "" ? undefined : `at ${shownText(pointer, "name")}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");

const cutMiddle = (text: string, columns: number): string => {
  if (displayColumns(text) <= columns) {
    return text;
  }
  const half = Math.floor((columns - 1) / 2);
  return `${fitting(text, half)}…${fittingEnd(text, columns - 1 - half)}`;
};

const cutStart = (text: string, columns: number): string =>
  displayColumns(text) <= columns ? text : `…${fittingEnd(text, columns - 1)}`;

const cutEnd = (text: string, columns: number): string =>
  displayColumns(text) <= columns ? text : `${fitting(text, columns - 1)}…`;

/**
 * The bytes of an excerpt cut to `columns`, the marked ones in view, and the line of carets below them. An excerpt that marks
 * nothing shows a place where something is missing: one caret under the byte before which it is.
 */
export const markedExcerpt = (excerpt: Excerpt, columns: number) => {
  const marked = cutMiddle(shownText(excerpt.marked), Math.floor(columns / 2));
  const rest = columns - displayColumns(marked);
  const after = shownText(excerpt.after, "excerptSide");
  const before = cutStart(
    shownText(excerpt.before, "sentence"),
    Math.max(Math.ceil(rest / 2), rest - displayColumns(after)),
  );
  const indent = displayColumns(before);
  return {
    before,
    marked,
    after: cutEnd(after, rest - indent),
    carets: `${" ".repeat(indent)}${"^".repeat(Math.max(1, displayColumns(marked)))}`,
  };
};

const excerptLines = (excerpt: Excerpt, { columns, paint }: Page): readonly string[] => {
  const gutter = "     │ ";
  const { before, marked, after, carets } = markedExcerpt(excerpt, columns - gutter.length);
  const missing = marked === "" ? " missing here" : "";
  return [
    `${paint.dim(gutter)}${before}${paint.bold(paint.red(marked))}${after}`,
    `${paint.dim(gutter)}${paint.red(`${carets}${missing}`)}`,
  ];
};

/** The command that repeats a request, in one line however long, so that it can be copied. */
const commandLines = (command: string | undefined, { paint }: Page): readonly string[] =>
  command === undefined ? [] : [`     ${paint.dim("$")} ${paint.cyan(shownText(command, "command"))}`];

const oneFinding = (finding: ReportedFinding, number: number, page: Page): readonly string[] => {
  const { columns, paint } = page;
  const place = placeOf(finding);
  const client = finding.standardClient;
  return [
    ...wrapIndented(`${number}. ${shownText(finding.message)}`, { columns, indent: 2, hanging: 5 }),
    ...(place === "" ? [] : wrapIndented(place, { columns, indent: 5 }).map(paint.dim)),
    ...(finding.excerpt === undefined ? [] : excerptLines(finding.excerpt, page)),
    ...(client === undefined ? [] : wrapIndented(standardClientWords[client], { columns, indent: 5 })),
  ];
};

/**
 * Lines of findings, numbered from 1: the message, the place, the bytes with the offending ones marked, what a standard
 * client would have made of it, and the command to repeat the request, once for neighbours that share it.
 */
export const findingLines = (findings: readonly ReportedFinding[], page: Page): readonly string[] =>
  findings.flatMap((finding, index) => {
    const command = finding.curl === findings[index + 1]?.curl ? undefined : finding.curl;
    return oneFinding(finding, index + 1, page).concat(commandLines(command, page));
  });
