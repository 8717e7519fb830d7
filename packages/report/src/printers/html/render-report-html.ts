import { listNames } from "@assay/contract";
import { h } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";
import { outcomeWords } from "../../document/outcome-words.ts";
import { getMergedOutcome } from "../render-merged.ts";
import { createPageRuns } from "./page-runs.ts";
import { createPageChapters } from "./page-outline.tsx";
import type { ReportInput } from "../../document/report-input.ts";
import { ReportPage } from "./report-page.tsx";
import { createHash } from "node:crypto";
import { formatInstant } from "../../document/instant-text.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { createIconUrl } from "./page-icon.ts";
import { pageScript } from "./script.ts";
import { pageStyle } from "./style.ts";

/** Returns the digest with which the content security policy allows a style or script. */
const computeContentDigest = (text: string): string =>
  `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${computeContentDigest(pageStyle)}`,
  "img-src data:",
  `script-src ${computeContentDigest(pageScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/gu, (character) => escapes[character] ?? "");

interface HtmlDocument {
  readonly title: string;
  /** Data URL of the icon, which does not need escaping. */
  readonly icon: string;
  /** Rendered markup with all text escaped. */
  readonly body: string;
}

/** Wraps a body in a complete page. The policy only allows its style and script, by digest. The page makes no requests. */
const createHtmlDocument = ({ title, icon, body }: HtmlDocument): string =>
  [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(escapeForDisplay(title))}</title>`,
    `<link rel="icon" href="${icon}">`,
    `<style>${pageStyle}</style>`,
    "</head>",
    `<body>${body}<script>${pageScript}</script></body>`,
    "</html>",
    "",
  ].join("\n");

const maxNames = 6;

/** Returns the title for several runs: their short names, and their target if it is the same. */
const formatSeveralRunsTitle = ({ runs, loads }: ReportInput): string => {
  const results = [...runs.map(({ result }) => result), ...loads];
  const targets = [...new Set(results.map(({ run }) => run.target))];
  // The names in the list at the top. If there are only loads, they are not informative.
  const loadNames = loads.map((_, index) => (loads.length === 1 ? "load" : `load ${index + 1}`));
  const names = runs.length === 0 ? [] : [...createPageRuns(runs).map(({ name }) => name), ...loadNames];
  const list = listNames(names, maxNames);
  return `${results.length} runs${targets.length === 1 ? ` of ${targets[0]}` : ""}${list === "" ? "" : `: ${list}`}`;
};

/** Returns the host of a target, or the target itself if it is not a URL. */
const getTargetHost = (target: string): string => (URL.canParse(target) ? new URL(target).host : target);

/** Returns the title for one run, such as `staging.example.com · gate · 2026-11-26 11:57 UTC`. */
const formatSingleRunTitle = ({ runs, loads }: ReportInput): string | undefined => {
  const [run] = runs;
  const [load] = loads;
  const parts =
    run === undefined
      ? load && [getTargetHost(load.run.target), load.plan.scenario, formatInstant(load.run.startedAt)]
      : [getTargetHost(run.result.run.target), run.result.run.profile, formatInstant(run.result.run.startedAt)];
  return parts?.map((part) => escapeForDisplay(part, "name")).join(" · ");
};

const formatPageTitle = (input: ReportInput): string => {
  const { title, runs, loads, comparisons } = input;
  if (title !== undefined) {
    return title;
  }
  if (runs.length + loads.length > 1) {
    return formatSeveralRunsTitle(input);
  }
  return formatSingleRunTitle(input) ?? (comparisons.length > 0 ? "comparison of load runs" : "report");
};

/** Returns the title of the tab. It begins with the outcome, so that the tab can be found among others. */
const formatTabTitle = (input: ReportInput): string => {
  if (input.runs.length + input.loads.length === 0) {
    return `assay · ${formatPageTitle(input)}`;
  }
  const { sign, word } = outcomeWords[getMergedOutcome(input).outcome];
  return `${sign} ${word} · assay · ${formatPageTitle(input)}`;
};

/**
 * Renders `report.html`: one self-contained page, complete without script, style sheet or network. The same input yields the same bytes.
 * Text of a target is visibly escaped and truncated. Lists are truncated and show the number of omitted entries.
 */
export const renderReportHtml = (input: ReportInput): string =>
  createHtmlDocument({
    title: formatTabTitle(input),
    icon: createIconUrl(getMergedOutcome(input).outcome),
    body: renderToStaticMarkup(h(ReportPage, { title: formatPageTitle(input), chapters: createPageChapters(input) })),
  });
