import { ruleStanding, type RuleVerdict } from "@assay/results";
import { placeOf, failedRules } from "../../document/run-sections.ts";
import type { ReportedRun, ReportInput } from "../../document/report-input.ts";
import { renderLoadMarkdown } from "./render-load-markdown.ts";
import { codeSpan } from "./markdown-text.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { cutMarkdown } from "./cut-markdown.ts";
import { cutList, markdownName, markdownProse, markdownSection } from "./markdown-parts.ts";
import { overviewMarkdown } from "../render-merged.ts";
import { bannerMarkdown, changeMarkdown, countsMarkdown, factsMarkdown } from "./summary-head.ts";

/** GitHub takes comments of 65,536 characters; a byte is a character at least. */
const maxCommentBytes = 65_000;

const shownItems = 10;

/** The first line of a comment, by which the one to replace is found; nothing but `a-z`, `0-9`, dot, hyphen and underscore. */
export const commentMarker = (id: string): string => {
  const plain = id
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/gu, "-")
    .replaceAll(/^-|-$/gu, "")
    .slice(0, 100);
  return `<!-- assay:${plain === "" ? "run" : plain} -->`;
};

const violationLine = ({ rule, title, verdict }: RuleVerdict): string => {
  const [finding] = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.findings : [];
  const place = finding === undefined ? "" : placeOf(finding);
  const seen = finding === undefined ? markdownProse(title) : markdownProse(finding.message);
  return `- ${markdownName(rule)}: ${seen}${place === "" ? "" : ` (${codeSpan(shownText(place))})`}`;
};

const runLines = ({ result, change }: ReportedRun): readonly string[] => {
  const fixed = result.verdicts.filter((rule) => ruleStanding(rule) === "fixed");
  return [
    ...bannerMarkdown(result),
    ...factsMarkdown(result),
    ...countsMarkdown(result),
    ...changeMarkdown(change),
    ...markdownSection(
      "Why the run is incomplete",
      cutList(
        result.incomplete,
        shownItems,
        ({ code, message }) => `- ${markdownName(code)}: ${markdownProse(message)}`,
      ),
    ),
    ...markdownSection("Failed", cutList(failedRules(result), shownItems, violationLine)),
    ...markdownSection(
      "Fixed: remove these entries",
      cutList(fixed, shownItems, ({ rule, title }) => `- ${markdownName(rule)}: ${markdownProse(title)}`),
    ),
    ...markdownSection(
      "Mistakes in the known failures",
      cutList(result.knownFailureMistakes ?? [], shownItems, (mistake) => `- ${markdownProse(mistake)}`),
    ),
  ];
};

/**
 * The text of a comment on a pull request that is replaced at each run: a hidden marker made of `id` in its first line, then
 * outcome, what changed, and the first violations, without bytes and commands, which the summary of the job has. At most 65,000
 * bytes. Nothing a target sent is markup, a mention or a link.
 */
export const renderPullRequestComment = (input: ReportInput, { id }: { readonly id: string }): string => {
  const { runs, loads } = input;
  const isMerged = runs.length + loads.length > 1;
  const lines = [
    ...(isMerged ? overviewMarkdown(input) : []),
    ...runs.flatMap((run) => ["", ...runLines(run)]).slice(isMerged ? 0 : 1),
    ...loads.flatMap((load) => ["", ...renderLoadMarkdown(load).trimEnd().split("\n")]).slice(isMerged ? 0 : 1),
  ];
  return cutMarkdown(
    `${commentMarker(id)}\n${terminalText(lines)}`,
    maxCommentBytes,
    "the summary of the job has all of it",
  );
};
