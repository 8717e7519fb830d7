import { extname } from "node:path";
import {
  getMergedOutcome,
  renderAnnotations,
  renderCodeQuality,
  renderLoadJson,
  renderMergedCtrf,
  renderMergedJunit,
  renderMergedMarkdown,
  renderPullRequestComment,
  renderReportHtml,
  type ReportInput,
} from "@assay/report";
import { printableJson, stringifyRunResult } from "@assay/results";

/** Options of the formats. */
export interface FormatOptions {
  /** Id of the comment to replace. */
  readonly commentId: string;
}

interface Format {
  /** File name in an output folder. Undefined for formats that are only printed. */
  readonly file?: string;
  readonly render: (input: ReportInput, options: FormatOptions) => string;
}

/** Renders the stored results of all runs, with their combined outcome. */
function renderJson(input: ReportInput): string {
  const { outcome, exitCode } = getMergedOutcome(input);
  const results = [
    ...input.runs.map(({ result }) => stringifyRunResult(result)),
    ...input.loads.map((load) => renderLoadJson(load)),
  ].map((text) => text.trimEnd());
  const changes = input.runs.map(({ change }) => JSON.stringify(change ?? null, undefined, 2));
  const text = `{\n"outcome": ${JSON.stringify(outcome)},\n"exitCode": ${exitCode},\n"runs": [\n${results.join(",\n")}\n],\n"changes": [\n${changes.join(",\n")}\n]\n}\n`;
  return printableJson(text);
}

export const formats = {
  html: { file: "report.html", render: renderReportHtml },
  junit: { file: "junit.xml", render: renderMergedJunit },
  ctrf: { file: "ctrf.json", render: renderMergedCtrf },
  markdown: { file: "summary.md", render: (input) => renderMergedMarkdown(input) },
  comment: { file: "comment.md", render: (input, { commentId }) => renderPullRequestComment(input, { id: commentId }) },
  json: { file: "report.json", render: renderJson },
  "code-quality": { file: "gl-code-quality-report.json", render: renderCodeQuality },
  github: { render: renderAnnotations },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

/** Names of all formats, in the order of the help text. */
export const formatNames = [
  "html",
  "junit",
  "ctrf",
  "markdown",
  "comment",
  "json",
  "code-quality",
  "github",
] as const satisfies readonly FormatName[];

/** Formats that are written to a folder by default. */
export const defaultFormats = ["html", "junit", "ctrf", "markdown"] as const satisfies readonly FormatName[];

const formatsByExtension: Readonly<Record<string, FormatName>> = {
  ".html": "html",
  ".htm": "html",
  ".xml": "junit",
  ".md": "markdown",
  ".json": "json",
};

/** Infers the format of a file from its name. Returns undefined for other names. */
export const inferFileFormat = (file: string): FormatName | undefined =>
  /ctrf[^/\\]*\.json$/iu.test(file)
    ? "ctrf"
    : /code-?quality[^/\\]*\.json$/iu.test(file)
      ? "code-quality"
      : formatsByExtension[extname(file).toLowerCase()];

/** Returns the file name of a format. Undefined for a format that is only printed. */
export const findFormatFileName = (name: FormatName): string | undefined => {
  const format: Format = formats[name];
  return format.file;
};
