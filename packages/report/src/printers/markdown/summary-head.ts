import { type ChangeList, changeLists } from "../../document/change-lists.ts";
import { groupedBy } from "@assay/results";
import { type ChangedVerdict, countOutcomes, type RuleVerdict, type RunChange, type RunResult } from "@assay/results";
import { specificationName, sectionName, topSection } from "../../document/section-names.ts";
import { foundAccessWords, httpWords, seenSentence } from "../terminal/header-lines.ts";
import { cellProse, codeSpan } from "./markdown-text.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { byInterface, countsOf, countWord, signOf } from "../../document/rule-groups.ts";
import { shownText } from "../../document/shown-text.ts";
import {
  cutList,
  markdownDetails,
  markdownName,
  markdownProse,
  markdownSection,
  markdownTable,
} from "./markdown-parts.ts";

/** The heading with outcome and exit code, and the sentence of the run. */
export const bannerMarkdown = ({ outcome, exitCode, summary }: RunResult): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  return [`## ${sign} Assay: ${word} (exit code ${exitCode})`, "", markdownProse(summary)];
};

/** Target, profile, run and what was seen. */
export const factsMarkdown = ({ tool, run, exchanges }: RunResult): readonly string[] => {
  const target = `${codeSpan(shownText(run.target, "url"))}${run.embedded ? " (embedded reference server)" : ""}`;
  const spoken = markdownProse(httpWords(run));
  const access = foundAccessWords(run);
  return [
    "",
    `- Target: ${target}${spoken === "" ? "" : ` ${spoken}`}`,
    `- Profile: ${markdownName(run.profile)}${run.strict ? " (strict)" : ""}`,
    ...(access === undefined ? [] : [`- Access: ${access}`]),
    `- Run: ${markdownName(run.id)}, seed ${run.seed}, assay ${markdownName(tool.version)}`,
    `- Seen: ${seenSentence(exchanges)}`,
  ];
};

const countColumns = [
  "passed",
  "failed",
  "warned",
  "known-failure",
  "fixed",
  "not-tested",
  "not-applicable",
  "blocked",
] as const;

/** How many interfaces a table tells apart; a result of the tool has four. */
const shownInterfaces = 8;

const cell = (text: string): string => cellProse(shownText(text, "name"));

/** How many rules stand how, for each interface and in all; without columns of nothing but zeros. */
export const countsMarkdown = ({ counts, verdicts }: RunResult): readonly string[] => {
  const columns = countColumns.filter((standing) => standing === "passed" || counts[standing] > 0);
  const rowOf = (label: string, numbers: RunResult["counts"]): readonly string[] => [
    label,
    ...columns.map((standing) => String(numbers[standing])),
  ];
  const groups = byInterface(verdicts).slice(0, shownInterfaces);
  const rows = groups.map((rules) => rowOf(cell(rules[0]?.interface ?? ""), countOutcomes(rules)));
  return markdownTable(
    ["interface", ...columns.map((standing) => countWord(standing, 2))],
    [...(groups.length > 1 ? rows : []), rowOf("all", counts)],
  );
};

const shownSections = 60;

/** Chapters in the order of the specifications: each document where it is named first, its sections by number, what has none last. */
const inOrder = (chapters: readonly (readonly RuleVerdict[])[]): readonly (readonly RuleVerdict[])[] => {
  const documents = [...new Set(chapters.map(([first]) => first?.requirements[0]?.specification))];
  const rankOf = ([first]: readonly RuleVerdict[]): number => {
    const { specification, section = "" } = first?.requirements[0] ?? {};
    const number = Number.parseInt(section, 10);
    return documents.indexOf(specification) * 10_000 + (Number.isNaN(number) ? 9999 : Math.min(number, 9998));
  };
  return chapters.toSorted((one, other) => rankOf(one) - rankOf(other));
};

/** The matrix: chapters of the specifications by interface, each cell with its most severe sign and how its rules stand; empty where it would say no more than the counts. */
export const matrixMarkdown = ({ verdicts, run }: RunResult): readonly string[] => {
  const interfaces = byInterface(verdicts)
    .slice(0, shownInterfaces)
    .map((rules) => rules[0]?.interface ?? "");
  const chapters = groupedBy(verdicts, ({ requirements: [first] }) =>
    JSON.stringify([first?.specification ?? "", topSection(first?.section ?? "")]),
  );
  const rows = inOrder(chapters)
    .slice(0, shownSections)
    .map((rules) => {
      const { specification = "", section = "" } = rules[0]?.requirements[0] ?? {};
      const label = [specificationName(specification), topSection(section), sectionName(specification, section)]
        .join(" ")
        .trim();
      const cells = interfaces.map((name) => {
        const own = rules.filter((rule) => rule.interface === name);
        return own.length === 0 ? "" : cellProse(`${signOf(own, run.strict)} ${countsOf(own)}`);
      });
      return [cell(label), ...cells];
    });
  return rows.length < 2 && interfaces.length < 2
    ? []
    : markdownTable(["chapter", ...interfaces.map(cell)], rows, interfaces.length + 1).slice(1);
};

const shownChanges = 10;

const changeLine = ({ rule, title }: ChangedVerdict): string => `- ${markdownName(rule)}: ${markdownProse(title)}`;

const changeList = ({ title, verdicts }: ChangeList): readonly string[] => [
  "",
  `${title}:`,
  "",
  ...cutList(verdicts, shownChanges, changeLine),
];

/** What changed since the baseline: one sentence, the rules that fail now or pass again, the others folded; empty without a baseline. */
export const changeMarkdown = (change: RunChange | undefined): readonly string[] => {
  if (change === undefined) {
    return [];
  }
  const { baseline, sentence, caveats } = change;
  const lists = changeLists(change);
  return markdownSection("What changed", [
    `${markdownProse(sentence)}.`,
    "",
    `Compared with run ${markdownName(baseline.id)} of ${codeSpan(shownText(baseline.target, "url"))}, started ${markdownName(baseline.startedAt)}.`,
    ...lists.filter(({ isOpen }) => isOpen).flatMap(changeList),
    ...markdownDetails(
      "Other changes",
      lists
        .filter(({ isOpen }) => !isOpen)
        .flatMap(changeList)
        .slice(1),
    ),
    ...(caveats.length === 0 ? [] : ["", "Compare with care:", ""]),
    ...cutList(caveats, shownChanges, (caveat) => `- ${markdownProse(caveat)}`),
  ]);
};
