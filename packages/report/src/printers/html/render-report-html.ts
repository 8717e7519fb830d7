import { listNames } from "@assay/contract";
import { h } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";
import { outcomeWords } from "../../document/outcome-words.ts";
import { mergedEnd } from "../render-merged.ts";
import { pageRuns } from "./page-runs.ts";
import { pageChapters } from "./page-outline.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import { ReportPage } from "./report-page.tsx";
import { createHash } from "node:crypto";
import { instantText } from "../../document/instant-text.ts";
import { shownText } from "../../document/shown-text.ts";
import { iconAddress } from "./page-icon.ts";
import { pageScript } from "./script.ts";
import { pageStyle } from "./style.ts";

/** Returns the digest with which the content security policy allows a style or script. */
const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const policy = [
  "default-src 'none'",
  `style-src ${digestOf(pageStyle)}`,
  "img-src data:",
  `script-src ${digestOf(pageScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (character) => escapes[character] ?? "");

interface HtmlDocument {
  readonly title: string;
  /** Data URL of the icon, which does not need escaping. */
  readonly icon: string;
  /** Rendered markup with all text escaped. */
  readonly body: string;
}

/**
 * Wraps a body in a complete page. The policy only allows its style and script, by digest. The page makes no requests.
 */
const htmlDocument = ({ title, icon, body }: HtmlDocument): string =>
  [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(shownText(title))}</title>`,
    `<link rel="icon" href="${icon}">`,
    `<style>${pageStyle}</style>`,
    "</head>",
    `<body>${body}<script>${pageScript}</script></body>`,
    "</html>",
    "",
  ].join("\n");

const maxNames = 6;

/** Returns the title for several runs: their short names, and their target if it is the same. */
const titleOfSeveral = ({ runs, loads }: ReportInput): string => {
  const all = [...runs.map(({ result }) => result), ...loads];
  const targets = [...new Set(all.map(({ run }) => run.target))];
  // The names in the list at the top. If there are only loads, they are not informative.
  const loadNames = loads.map((_, at) => (loads.length === 1 ? "load" : `load ${at + 1}`));
  const names = runs.length === 0 ? [] : [...pageRuns(runs).map(({ name }) => name), ...loadNames];
  const list = listNames(names, maxNames);
  return `${all.length} runs${targets.length === 1 ? ` of ${targets[0]}` : ""}${list === "" ? "" : `: ${list}`}`;
};

/** Returns the host of a target, or the target itself if it is not a URL. */
const hostOf = (target: string): string => (URL.canParse(target) ? new URL(target).host : target);

/** Returns the title for one run, such as `staging.example.com · gate · 2026-11-26 11:57 UTC`. */
const titleOfOne = ({ runs, loads }: ReportInput): string | undefined => {
  const [run] = runs;
  const [load] = loads;
  const parts =
    run === undefined
      ? load && [hostOf(load.run.target), load.plan.scenario, instantText(load.run.startedAt)]
      : [hostOf(run.result.run.target), run.result.run.profile, instantText(run.result.run.startedAt)];
  return parts?.map((part) => shownText(part, "name")).join(" · ");
};

const titleOf = (input: ReportInput): string => {
  const { title, runs, loads, comparisons } = input;
  if (title !== undefined) {
    return title;
  }
  if (runs.length + loads.length > 1) {
    return titleOfSeveral(input);
  }
  return titleOfOne(input) ?? (comparisons.length > 0 ? "comparison of load runs" : "report");
};

/** Returns the title of the tab. It begins with the outcome, so that the tab can be found among others. */
const tabTitle = (input: ReportInput): string => {
  if (input.runs.length + input.loads.length === 0) {
    return `assay · ${titleOf(input)}`;
  }
  const { sign, word } = outcomeWords[mergedEnd(input).outcome];
  return `${sign} ${word} · assay · ${titleOf(input)}`;
};

/**
 * Renders `report.html`: one self-contained page, complete without script, style sheet or network. The same input yields the same bytes.
 * Text of a target is visibly escaped and truncated. Lists are truncated and show the number of omitted entries.
 */
export const renderReportHtml = (input: ReportInput): string =>
  htmlDocument({
    title: tabTitle(input),
    icon: iconAddress(mergedEnd(input).outcome),
    body: renderToStaticMarkup(h(ReportPage, { title: titleOf(input), chapters: pageChapters(input) })),
  });
