import { ruleStanding, type RuleVerdict } from "@assay/results";
import { formatFindingLocation, listFailedRules } from "../../document/run-sections.ts";
import type { ReportedRun, ReportInput } from "../../document/report-input.ts";
import { renderLoadMarkdown } from "./render-load-markdown.ts";
import { codeSpan } from "./markdown-text.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "../terminal/terminal-text.ts";
import { cutMarkdown } from "./cut-markdown.ts";
import { cutList, markdownName, markdownProse, markdownSection } from "./markdown-parts.ts";
import { renderOverviewMarkdown } from "../render-merged.ts";
import {
  renderBannerMarkdown,
  renderChangeMarkdown,
  renderCountsMarkdown,
  renderFactsMarkdown,
} from "./summary-head.ts";

/** Maximum size in bytes. GitHub accepts comments of 65,536 characters, and a character has at least one byte. */
const maxCommentBytes = 65_000;

const maxItems = 10;

/** Returns the first line of a comment, which identifies the comment to replace. Reduces the id to `a-z`, `0-9`, dot, hyphen and underscore. */
export const createCommentMarker = (id: string): string => {
  const plainId = id
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/gu, "-")
    .replaceAll(/^-|-$/gu, "")
    .slice(0, 100);
  return `<!-- assay:${plainId === "" ? "run" : plainId} -->`;
};

const renderFailedLine = ({ rule, title, verdict }: RuleVerdict): string => {
  const [finding] = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];
  const location = finding === undefined ? "" : formatFindingLocation(finding);
  const description = finding === undefined ? markdownProse(title) : markdownProse(finding.message);
  return `- ${markdownName(rule)}: ${description}${location === "" ? "" : ` (${codeSpan(escapeForDisplay(location))})`}`;
};

const renderRunLines = ({ result, change }: ReportedRun): readonly string[] => {
  const fixedRules = result.verdicts.filter((rule) => ruleStanding(rule) === "fixed");
  return [
    ...renderBannerMarkdown(result),
    ...renderFactsMarkdown(result),
    ...renderCountsMarkdown(result),
    ...renderChangeMarkdown(change),
    ...markdownSection(
      "Why the run is incomplete",
      cutList(result.incomplete, maxItems, ({ code, message }) => `- ${markdownName(code)}: ${markdownProse(message)}`),
    ),
    ...markdownSection("Failed", cutList(listFailedRules(result), maxItems, renderFailedLine)),
    ...markdownSection(
      "Fixed: remove these entries",
      cutList(fixedRules, maxItems, ({ rule, title }) => `- ${markdownName(rule)}: ${markdownProse(title)}`),
    ),
    ...markdownSection(
      "Mistakes in the known failures",
      cutList(result.knownFailureMistakes ?? [], maxItems, (mistake) => `- ${markdownProse(mistake)}`),
    ),
  ];
};

/**
 * Renders the text of a pull request comment, which each run replaces: a hidden marker with `id` in its first line, then the outcome, the
 * changes and the first failures. Bytes and commands are in the job summary. At most 65,000 bytes. Text of a target is never markup, a
 * mention or a link.
 */
export const renderPullRequestComment = (input: ReportInput, { id }: { readonly id: string }): string => {
  const { runs, loads } = input;
  const isMerged = runs.length + loads.length > 1;
  const lines = [
    ...(isMerged ? renderOverviewMarkdown(input) : []),
    ...runs.flatMap((run) => ["", ...renderRunLines(run)]).slice(isMerged ? 0 : 1),
    ...loads.flatMap((load) => ["", ...renderLoadMarkdown(load).trimEnd().split("\n")]).slice(isMerged ? 0 : 1),
  ];
  return cutMarkdown(
    `${createCommentMarker(id)}\n${joinTerminalLines(lines)}`,
    maxCommentBytes,
    "the summary of the job has all of it",
  );
};
