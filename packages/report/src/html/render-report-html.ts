import { h } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";
import { outcomeWords } from "../outcome-words.ts";
import { htmlDocument } from "./html-document.ts";
import { pageChapters } from "./page-outline.tsx";
import type { ReportInput } from "./report-input.ts";
import { ReportPage } from "./report-page.tsx";

const titleOf = ({ title, runs, loads, comparisons }: ReportInput): string => {
  const [first] = [...runs.map(({ result }) => result), ...loads];
  if (title !== undefined || first === undefined) {
    return title ?? (comparisons.length > 0 ? "comparison of load runs" : "report");
  }
  const more = runs.length + loads.length - 1;
  return `report: ${first.run.target}${more > 0 ? ` and ${more} more` : ""}`;
};

/** The title of the tab begins with how the run ended, so that it is found among others. */
const tabTitle = (input: ReportInput): string => {
  const [only, ...others] = [...input.runs.map(({ result }) => result), ...input.loads];
  const { sign, word } = only === undefined || others.length > 0 ? { sign: "", word: "" } : outcomeWords[only.outcome];
  return [sign, word, word === "" ? "" : "·", "assay", titleOf(input)].filter((part) => part !== "").join(" ");
};

/**
 * `report.html`: one self-contained page, complete without script, style sheet or network. The same input gives the same
 * bytes. Everything that may come from a target is text in it, visibly escaped and cut; lists are cut and say by how much.
 */
export const renderReportHtml = (input: ReportInput): string =>
  htmlDocument({
    title: tabTitle(input),
    body: renderToStaticMarkup(h(ReportPage, { title: titleOf(input), chapters: pageChapters(input) })),
  });
