import { ruleStanding } from "@assay/results";
import type { ExplainedMutation, Explanation, RuleVerdict } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { type Block, type Entry, list, type Section, paragraph } from "../../document/document.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { describeProof } from "../../document/proof-words.ts";
import { createFailureSection } from "../../document/run-sections.ts";
import { type TerminalLayoutOptions, createTerminalLayout } from "./terminal-layout.ts";
import { renderTerminalSection } from "./print-terminal.ts";
import { joinTerminalLines } from "./terminal-text.ts";

/** Describes the verdict on a rule in one sentence. */
function describeVerdict({ verdict }: RuleVerdict): string {
  switch (verdict.outcome) {
    case "passed":
      return `it was checked ${counted(verdict.observations, "time")} and passed each time`;
    case "failed":
    case "warned":
      return `it failed: ${counted(verdict.findings.length + verdict.moreFindings, "finding")}`;
    case "not-tested":
      return verdict.reason ?? "no response could test it";
    case "not-applicable":
      return verdict.reason;
    case "blocked":
      return `blocked: ${verdict.missing}`;
  }
}

function createEditBlocks({ edit }: ExplainedMutation): readonly Block[] {
  if (edit === undefined) {
    return [];
  }
  const { url, status, offset, sent, instead } = edit;
  const bytes: readonly Entry[] =
    offset === undefined
      ? []
      : [
          { label: "sent", line: [{ command: sent }] },
          { label: "edited", line: [{ command: instead }] },
        ];
  return [
    paragraph([{ url }], { isFaint: true }),
    ...(status === undefined
      ? []
      : [paragraph(`status ${status.sent} came; edited to ${status.instead}`, { isFaint: true })]),
    ...list(bytes),
  ];
}

const createMutationEntry = (mutation: ExplainedMutation): Entry => ({
  sign: mutation.confirmed === undefined ? (mutation.isOptional === true ? "-" : "?") : "✓",
  line: `a target that ${mutation.mutation}`,
  children: [paragraph(describeProof(mutation)), ...createEditBlocks(mutation)],
});

/** Lists the mutations of a rule, or the reason there are none. */
function createProofSection({ verdict, mutations }: Explanation): Section {
  if (mutations.length > 0) {
    return { title: "Altered responses that would make it fail", blocks: list(mutations.map(createMutationEntry)) };
  }
  const reason =
    verdict.verdict.outcome === "passed"
      ? "Assay has no mutation for this rule, so its pass is not confirmed"
      : "only a pass is confirmed";
  return { title: "What would have made it fail", blocks: [paragraph(reason)] };
}

/**
 * Explains the verdict on a rule: its title, requirements and verdict, and each mutation kind with the altered response that made the rule
 * fail, or with what it needs.
 */
export function renderExplanation(explanation: Explanation, options: TerminalLayoutOptions): string {
  const { verdict } = explanation;
  const { sign, word } = verdictWords[ruleStanding(verdict)];
  const layout = createTerminalLayout(options);
  const failure = createFailureSection(verdict, { findings: 3 });
  const head: Section = {
    title: [{ name: verdict.rule }, `  (${verdict.basis})`],
    blocks: [
      paragraph(verdict.title),
      ...verdict.requirements.map(({ specification, section, text: requirementText }) =>
        paragraph([{ name: specification }, ", section ", { name: section }, ": ", requirementText], { isFaint: true }),
      ),
    ],
  };
  const end: Section = { title: word, sign, blocks: [paragraph(describeVerdict(verdict))] };
  const sections = [head, end, ...(failure === undefined ? [] : [failure]), createProofSection(explanation)];
  return joinTerminalLines(sections.flatMap((section) => [...renderTerminalSection(section, layout), ""]));
}
