import type { RuleExample, ShownResponse } from "@assay/results";
import { type Block, type Entry, list, type Section, paragraph } from "../../document/document.ts";
import { findLikelyCause } from "../../document/likely-cause.ts";
import { type TerminalLayoutOptions, createTerminalLayout } from "../terminal/terminal-layout.ts";
import { renderSectionMarkdown } from "./print-markdown.ts";
import { renderTerminalSection } from "../terminal/print-terminal.ts";
import type { CataloguedRule } from "./render-rule-catalogue.ts";
import { joinTerminalLines } from "../terminal/terminal-text.ts";

/** A rule with everything on its page. */
export interface ExplainedRule extends CataloguedRule {
  /** The effect on a client if the rule fails, in one or two sentences. */
  readonly why: string;
  /** First version of Assay with the rule. */
  readonly since: string;
  readonly example?: RuleExample;
}

/** A basis, and the effect of a failure of its rules. */
export const describeBasis = (basis: string): string => `Basis: ${basis}. ${basisMeanings[basis] ?? ""}`;

const basisMeanings: Readonly<Record<string, string>> = {
  stated: "The specification says so. A failure fails the run.",
  schema: "The OpenAPI document of the specification says so. A failure fails the run.",
  derived: "It follows from the specification. A failure fails the run.",
  inferred: "Plausible, but the specification does not promise it. A failure warns; with `--strict` it fails the run.",
  observed: "The specification lists values seen so far. A new value is reported, and never fails the run.",
};

/** Formats a citation, such as `search-stream §6` for `search-stream#6.1-two-fields`. */
const formatCitation = ({ id, section }: { readonly id: string; readonly section: string }): string =>
  `${id.replace(/#.*$/u, "")} §${section}`;

const createResponseEntries = ({ status, bytes, arrival }: ShownResponse): readonly Entry[] => [
  { label: "status", line: [{ name: String(status) }] },
  ...(arrival === undefined ? [] : [{ label: "arrival", line: arrival }]),
  ...(bytes === undefined ? [] : [{ label: "bytes", line: [{ command: bytes }] }]),
];

const createExampleSections = (example: RuleExample): readonly Section[] => {
  const { what, request, passes, fails, offset, finding } = example;
  const offsetEntries = offset === undefined ? [] : [{ label: "differs at byte", line: [{ name: String(offset) }] }];
  return [
    {
      title: "An example that passes",
      blocks: list([{ label: "request", line: [{ command: request }] }, ...createResponseEntries(passes)]),
    },
    {
      title: "An example that fails",
      blocks: [
        paragraph(`The same response, altered: the target ${what}.`),
        ...list([
          ...createResponseEntries(fails),
          ...offsetEntries,
          ...(finding === undefined ? [] : [{ label: "finding", line: finding }]),
        ]),
      ],
    },
  ];
};

const mayBeCausedByProxy = ({ id, interface: name }: CataloguedRule): boolean =>
  name === "stream" && findLikelyCause(id) !== undefined;

const listNextSteps = (rule: ExplainedRule): readonly Entry[] => {
  const { id, basis, faults } = rule;
  const [fault] = faults;
  const faultEntries: readonly Entry[] =
    fault === undefined
      ? []
      : [{ label: "see it", line: [{ command: `npx assay run --rule ${id} --fault ${fault}` }] }];
  if (basis === "observed") {
    return [{ label: "client", line: "Check that your client accepts the new value." }, ...faultEntries];
  }
  return [
    { label: "repeat", line: "Send the request again with the curl line of the finding." },
    ...(mayBeCausedByProxy(rule)
      ? [{ label: "proxy?", line: ["Look for a proxy: ", { command: "npx assay doctor --url URL" }] }]
      : []),
    {
      label: "explain",
      line: [{ command: `npx assay explain RUN ${id}` }, " shows what a stored run received."],
    },
    {
      label: "accept",
      line: ["If it cannot be fixed now: ", { command: `npx assay accept ${id} --until YYYY-MM-DD --reason "…"` }],
    },
    ...faultEntries,
  ];
};

const formatCodeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const createFactEntries = ({
  id,
  since,
  interface: name,
  operation,
  mustTestIn,
  faults,
}: ExplainedRule): readonly Entry[] => [
  { label: "id", line: [{ name: id }] },
  { label: "about", line: `${name}, ${operation}` },
  { label: "since", line: `version ${since}` },
  ...(mustTestIn.length === 0 ? [] : [{ label: "must be tested in", line: formatCodeList(mustTestIn) }]),
  ...(faults.length === 0 ? [] : [{ label: "faults that break it", line: formatCodeList(faults) }]),
];

const alignLists = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block) => (block.kind === "list" ? { ...block, isAligned: true } : block));

/** Returns the sections of a page after its title. */
function createPageSections(rule: ExplainedRule): readonly Section[] {
  const cause = findLikelyCause(rule.id);
  return [
    {
      title: "Requirements",
      blocks: list(
        rule.requirements.map((requirement) => ({ label: formatCitation(requirement), line: requirement.text })),
      ),
    },
    { title: "Why it matters", blocks: [paragraph(rule.why)] },
    ...(rule.example === undefined ? [] : createExampleSections(rule.example)),
    ...(cause === undefined ? [] : [{ title: "Likely causes", blocks: list([{ line: cause }]) }]),
    { title: "What to do", blocks: list(listNextSteps(rule)) },
    { title: "Facts", blocks: list(createFactEntries(rule)) },
  ].map((section) => ({ ...section, blocks: alignLists(section.blocks) }));
}

const createBasisBlock = ({ basis }: CataloguedRule): Block => paragraph(describeBasis(basis));

/** Renders the page of a rule for a terminal. Appends `runBlocks`, which describe the newest run of the user. */
export function renderRulePage(
  rule: ExplainedRule,
  options: TerminalLayoutOptions,
  runBlocks: readonly Block[] = [],
): string {
  const head: Section = {
    title: [{ name: rule.id }, `  (${rule.basis})`],
    blocks: [paragraph(`${rule.title}.`), createBasisBlock(rule)],
  };
  const end: Section = { title: "In your newest run", blocks: runBlocks };
  const layout = createTerminalLayout(options);
  return joinTerminalLines(
    [head, ...createPageSections(rule), end]
      .map((section) => renderTerminalSection(section, layout))
      .flatMap((lines, index) => (lines.length === 0 ? [] : [...(index === 0 ? [] : [""]), ...lines])),
  );
}

/** Renders the page of a rule as Markdown. */
export const renderRuleMarkdown = (rule: ExplainedRule): string => {
  const sections: readonly Section[] = [
    { blocks: [paragraph(`${rule.title}.`), createBasisBlock(rule)] },
    ...createPageSections(rule),
  ];
  return `# \`${rule.id}\`\n${sections.flatMap((section) => renderSectionMarkdown(section, 2)).join("\n")}\n`;
};
