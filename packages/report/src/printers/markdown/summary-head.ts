import { type ChangeList, createChangeLists } from "../../document/change-lists.ts";
import { groupBy, ruleStandings } from "@assay/results";
import { type ChangedVerdict, countOutcomes, type RuleVerdict, type RunChange, type RunResult } from "@assay/results";
import { getSpecificationName, getSectionName, getTopSection } from "../../document/section-names.ts";
import { formatDetectedAccess, formatHttp, describeReceived } from "../terminal/header-lines.ts";
import { cellProse, codeSpan } from "./markdown-text.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { groupByInterface, formatCounts, getCountWord, getMostSevereSign } from "../../document/rule-groups.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import {
  cutList,
  markdownDetails,
  markdownName,
  markdownProse,
  markdownSection,
  markdownTable,
} from "./markdown-parts.ts";

/** Formats the heading with outcome and exit code, and the summary of the run. */
export const renderBannerMarkdown = ({ outcome, exitCode, summary }: RunResult): readonly string[] => {
  const { sign, word } = outcomeWords[outcome];
  return [`## ${sign} Assay: ${word} (exit code ${exitCode})`, "", markdownProse(summary)];
};

/** Formats facts about the run: target, profile, run id, and received data. */
export const renderFactsMarkdown = ({ tool, run, exchanges }: RunResult): readonly string[] => {
  const target = `${codeSpan(escapeForDisplay(run.target, "url"))}${run.embedded ? " (embedded reference server)" : ""}`;
  const versions = markdownProse(formatHttp(run));
  const access = formatDetectedAccess(run);
  return [
    "",
    `- Target: ${target}${versions === "" ? "" : ` ${versions}`}`,
    `- Profile: ${markdownName(run.profile)}${run.strict ? " (strict)" : ""}`,
    ...(access === undefined ? [] : [`- Access: ${access}`]),
    `- Run: ${markdownName(run.id)}, seed ${run.seed}, assay ${markdownName(tool.version)}`,
    `- Seen: ${describeReceived(exchanges)}`,
  ];
};

/** Maximum number of interfaces in a table, for edited files. Our own results have four. */
const maxInterfaces = 8;

const formatCell = (text: string): string => cellProse(escapeForDisplay(text, "name"));

/** Formats the counts of verdicts for each interface and for all interfaces. Omits empty columns except `passed`. */
export const renderCountsMarkdown = ({ counts, verdicts }: RunResult): readonly string[] => {
  const columns = ruleStandings.filter((standing) => standing === "passed" || counts[standing] > 0);
  const countsRow = (label: string, numbers: RunResult["counts"]): readonly string[] => [
    label,
    ...columns.map((standing) => String(numbers[standing])),
  ];
  const groups = groupByInterface(verdicts).slice(0, maxInterfaces);
  const rows = groups.map((rules) => countsRow(formatCell(rules[0]?.interface ?? ""), countOutcomes(rules)));
  return markdownTable(
    ["interface", ...columns.map((standing) => getCountWord(standing, 2))],
    [...(groups.length > 1 ? rows : []), countsRow("all", counts)],
  );
};

const maxSections = 60;

/** Sorts chapters by specification, in the order of first use, then by section number. Chapters without a number are last. */
const sortChapters = (chapters: readonly (readonly RuleVerdict[])[]): readonly (readonly RuleVerdict[])[] => {
  const documents = [...new Set(chapters.map(([first]) => first?.requirements[0]?.specification))];
  const sortKey = ([first]: readonly RuleVerdict[]): number => {
    const { specification, section = "" } = first?.requirements[0] ?? {};
    const number = Number.parseInt(section, 10);
    return documents.indexOf(specification) * 10_000 + (Number.isNaN(number) ? 9999 : Math.min(number, 9998));
  };
  return chapters.toSorted((a, b) => sortKey(a) - sortKey(b));
};

/** Formats chapters by interface, with the most severe sign and counts in each cell. Empty if it would only repeat the counts. */
export const renderMatrixMarkdown = ({ verdicts, run }: RunResult): readonly string[] => {
  const interfaces = groupByInterface(verdicts)
    .slice(0, maxInterfaces)
    .map((rules) => rules[0]?.interface ?? "");
  const chapters = groupBy(verdicts, ({ requirements: [first] }) =>
    JSON.stringify([first?.specification ?? "", getTopSection(first?.section ?? "")]),
  );
  const rows = sortChapters(chapters)
    .slice(0, maxSections)
    .map((rules) => {
      const { specification = "", section = "" } = rules[0]?.requirements[0] ?? {};
      const label = [
        getSpecificationName(specification),
        getTopSection(section),
        getSectionName(specification, section),
      ]
        .join(" ")
        .trim();
      const cells = interfaces.map((name) => {
        const interfaceRules = rules.filter((rule) => rule.interface === name);
        return interfaceRules.length === 0
          ? ""
          : cellProse(`${getMostSevereSign(interfaceRules, run.strict)} ${formatCounts(interfaceRules)}`);
      });
      return [formatCell(label), ...cells];
    });
  return rows.length < 2 && interfaces.length < 2
    ? []
    : markdownTable(["chapter", ...interfaces.map(formatCell)], rows, interfaces.length + 1).slice(1);
};

const maxChanges = 10;

const changeLine = ({ rule, title }: ChangedVerdict): string => `- ${markdownName(rule)}: ${markdownProse(title)}`;

const renderChangeList = ({ title, verdicts }: ChangeList): readonly string[] => [
  "",
  `${title}:`,
  "",
  ...cutList(verdicts, maxChanges, changeLine),
];

/** Formats the changes since the baseline: one sentence, rules that fail now or pass again, others folded. Empty without a baseline. */
export const renderChangeMarkdown = (change: RunChange | undefined): readonly string[] => {
  if (change === undefined) {
    return [];
  }
  const { baseline, sentence, caveats } = change;
  const lists = createChangeLists(change);
  return markdownSection("What changed", [
    `${markdownProse(sentence)}.`,
    "",
    `Compared with run ${markdownName(baseline.id)} of ${codeSpan(escapeForDisplay(baseline.target, "url"))}, started ${markdownName(baseline.startedAt)}.`,
    ...lists.filter(({ isOpen }) => isOpen).flatMap(renderChangeList),
    ...markdownDetails(
      "Other changes",
      lists
        .filter(({ isOpen }) => !isOpen)
        .flatMap(renderChangeList)
        .slice(1),
    ),
    ...(caveats.length === 0 ? [] : ["", "Compare with care:", ""]),
    ...cutList(caveats, maxChanges, (caveat) => `- ${markdownProse(caveat)}`),
  ]);
};
