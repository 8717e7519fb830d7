import { isRuleId, ruleReason } from "@assay/contract";
import { formatFailureName, type ReportedFinding, ruleStanding } from "@assay/results";
import { describeExtent } from "../../document/brief-sections.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { formatFindingLocation } from "../../document/run-sections.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { formatAcceptCommand, createKnownFailureEntry } from "../known-failure-entry.ts";
import { markdownName, markdownProse } from "../markdown/markdown-parts.ts";
import { codeBlock, codeSpan } from "../markdown/markdown-text.ts";
import { formatInstant } from "../../document/instant-text.ts";
import { findLikelyCause } from "../../document/likely-cause.ts";
import type { PlacedVerdict } from "./page-runs.ts";
import { Prose } from "./prose.tsx";

interface FindingActionsProps {
  readonly placed: PlacedVerdict;
  readonly finding: ReportedFinding;
}

/** Formats a finding as the text of an issue in Markdown. Text of the target is never markup. */
export const formatIssue = ({ placed: { rule, run }, finding }: FindingActionsProps): string => {
  const { result } = run;
  const { message, excerpt, curl, code } = finding;
  const [requirement] = rule.requirements;
  const location = formatFindingLocation(finding);
  const cause = findLikelyCause(rule.rule, code);
  const excerptText =
    excerpt === undefined
      ? ""
      : [excerpt.before, excerpt.marked, excerpt.after].map((part) => escapeForDisplay(part, "excerptSide")).join("");
  return [
    `${markdownName(rule.rule)} ${verdictWords[ruleStanding(rule)].word}: ${markdownProse(rule.title)}`,
    ...(requirement === undefined
      ? []
      : [
          "",
          `Requirement (${markdownName(
            `${requirement.specification} §${requirement.section}`,
          )}): ${markdownProse(requirement.text)}`,
        ]),
    "",
    `Received: ${markdownProse(message)}${
      location === "" ? "" : ` (${markdownName(location)})`
    }, ${describeExtent(rule, result.exchanges)}`,
    ...(excerptText === "" ? [] : ["", ...codeBlock([excerptText])]),
    ...(isRuleId(rule.rule) ? ["", `Why it matters: ${markdownProse(ruleReason(rule.rule))}`] : []),
    ...(curl === undefined ? [] : ["", "Repeat with:", "", ...codeBlock([escapeForDisplay(curl, "command")])]),
    ...(cause === undefined ? [] : ["", `Likely cause: ${cause}`]),
    "",
    `Target ${codeSpan(escapeForDisplay(result.run.target, "url"))}, ${markdownName(formatInstant(result.run.startedAt))}, run ${markdownName(result.run.id)}, assay ${markdownName(result.tool.version)}`,
    "",
  ].join("\n");
};

interface CopyProps {
  readonly label: string;
  readonly text: string;
}

/** A button that copies text. Hidden without the script. */
const CopyButton = ({ label, text }: CopyProps) => (
  <button type="button" class="act" data-copy={text} hidden>
    {label}
  </button>
);

/** Shows buttons that copy parts of a finding, and its likely cause with the command that checks for it. */
export const FindingActions = ({ placed, finding }: FindingActionsProps) => {
  const { rule, run } = placed;
  const cause = findLikelyCause(rule.rule, finding.code);
  return (
    <>
      <div class="acts">
        {finding.curl === undefined ? null : (
          <CopyButton label="Copy curl" text={escapeForDisplay(finding.curl, "command")} />
        )}
        {rule.known === undefined ? (
          <>
            <CopyButton
              label="Copy accept command"
              text={formatAcceptCommand(run.result.run.id, [formatFailureName(rule, finding)], run.result.run)}
            />
            <CopyButton
              label="Copy known-failure entry"
              text={createKnownFailureEntry(rule, finding, run.result.run)}
            />
          </>
        ) : null}
        <CopyButton label="Copy as issue" text={formatIssue({ placed, finding })} />
      </div>
      {cause === undefined ? null : (
        <p class="cause">
          <b>Likely cause:</b> <Prose text={cause} /> <b>Next:</b>{" "}
          <code>
            npx assay doctor
            {run.result.run.embedded ? "" : ` --url ${escapeForDisplay(run.result.run.target, "url")}`}
          </code>
        </p>
      )}
    </>
  );
};
