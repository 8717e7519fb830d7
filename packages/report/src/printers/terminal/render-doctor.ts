import { doctorChecks, doctorGroups } from "@assay/results";
import type { DoctorCheck, DoctorGroup, DoctorReport, DoctorStatus } from "@assay/results";
import { renderBannerLines } from "./banner-lines.ts";
import { counted } from "../../document/counted.ts";
import { padToColumns } from "./display-columns.ts";
import { paintBySign } from "../../document/outcome-words.ts";
import type { Sign } from "../../document/outcome-words.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinBlocks, joinTerminalLines } from "./terminal-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** Sign and word of a check. The word is printed too, so that output does not depend on colour or sign. */
const statusWords = {
  fine: { sign: "✓", word: "fine" },
  note: { sign: "~", word: "note" },
  problem: { sign: "✗", word: "problem" },
  "could-not-tell": { sign: "?", word: "unknown" },
  "not-applicable": { sign: "-", word: "not applicable" },
} as const satisfies Readonly<Record<DoctorStatus, { readonly sign: Sign; readonly word: string }>>;

const headings: Readonly<Record<DoctorGroup, string>> = {
  way: "Connection",
  access: "Access",
  interfaces: "Interfaces",
  stream: "Streaming",
};

/** Width of titles, including the sign and space before them. */
const titleColumns = 24;
const textColumn = titleColumns + 4;

/** Minimum width of a terminal for two columns. */
const minTwoColumns = 72;

const getAdvice = (check: DoctorCheck): string | undefined => ("advice" in check ? check.advice : undefined);

const getTextKey = (check: DoctorCheck): string => JSON.stringify([check.status, check.found, getAdvice(check)]);

/** Groups adjacent checks with the same text, which is printed once. */
function mergeAdjacent(checks: readonly DoctorCheck[]): readonly (readonly [DoctorCheck, ...DoctorCheck[]])[] {
  const groups: [DoctorCheck, ...DoctorCheck[]][] = [];
  for (const check of checks) {
    const last = groups.at(-1);
    if (last !== undefined && getTextKey(last[0]) === getTextKey(check)) {
      last.push(check);
    } else {
      groups.push([check]);
    }
  }
  return groups;
}

/** Minimum number of checks that share a reason for not being run to be shown in a separate block. */
const minSharedReason = 3;

/** Returns the checks that could not be run for the most frequent reason. */
function findChecksWithSharedReason(checks: readonly DoctorCheck[]): readonly DoctorCheck[] {
  const unknown = checks.filter(({ status }) => status === "could-not-tell");
  const groups = unknown.map((check) => unknown.filter((other) => getTextKey(check) === getTextKey(other)));
  const [largest = []] = groups.toSorted((a, b) => b.length - a.length);
  return largest.length >= minSharedReason ? largest : [];
}

const makePrintable = (text: string): string => escapeForDisplay(text, "command");

/** Formats the text of a check, below or next to its title. */
function renderTextLines(check: DoctorCheck, layout: TerminalLayout, indent: number): readonly string[] {
  const { word } = statusWords[check.status];
  const text = check.status === "fine" ? makePrintable(check.found) : `${word}: ${makePrintable(check.found)}`;
  const advice = getAdvice(check);
  const columns = layout.columns;
  return [
    ...wrapIndented(text, { columns, indent }),
    ...(advice === undefined
      ? []
      : wrapIndented(`→ ${makePrintable(advice)}`, { columns, indent, hanging: indent + 2 })),
  ];
}

function renderCheckLines(
  [check, ...others]: readonly [DoctorCheck, ...DoctorCheck[]],
  layout: TerminalLayout,
): readonly string[] {
  const { sign } = statusWords[check.status];
  const names = [check, ...others].map(({ id }) => doctorChecks[id].title);
  const [name = ""] = names;
  const isNextToTitle = others.length === 0 && layout.columns >= minTwoColumns;
  if (!isNextToTitle) {
    const title = wrapIndented(`${sign} ${names.join(", ")}`, { columns: layout.columns, indent: 2, hanging: 4 });
    return [...title.map((line) => paintBySign(sign, line, layout)), ...renderTextLines(check, layout, 4)];
  }
  const [first = "", ...rest] = renderTextLines(check, layout, textColumn);
  return [
    `  ${paintBySign(sign, padToColumns(`${sign} ${name}`, titleColumns + 2), layout)}${first.slice(textColumn)}`,
    ...rest,
  ];
}

function renderGroupLines(
  shownChecks: readonly DoctorCheck[],
  group: DoctorGroup,
  layout: TerminalLayout,
): readonly string[] {
  const checks = shownChecks.filter(({ id }) => doctorChecks[id].group === group);
  return checks.length === 0
    ? []
    : [
        layout.paint.bold(headings[group]),
        ...mergeAdjacent(checks).flatMap((adjacent) => renderCheckLines(adjacent, layout)),
      ];
}

const renderHeadLines = (
  { embedded, query, requests, target, tool }: DoctorReport,
  { columns, paint }: TerminalLayout,
): readonly string[] => [
  ...wrapText(
    `assay ${escapeForDisplay(tool.version, "name")} doctor · ${escapeForDisplay(target, "url")}${embedded ? " (embedded reference server)" : ""}`,
    columns,
  ).map(paint.bold),
  ...wrapText(
    `${counted(requests, "request")}, none of them a question; searched for "${escapeForDisplay(query, "name")}"`,
    columns,
  ).map(paint.dim),
];

/** Options of `renderDoctor`. */
export interface DoctorPageOptions extends TerminalLayoutOptions {
  /** The folder of the evidence. */
  readonly folder?: string;
  /** Whether checks without a finding are printed too. Default: false. */
  readonly verbose?: boolean;
}

/** Reports whether a check is a problem, a note or an unknown. */
const needsAttention = ({ status }: DoctorCheck): boolean => status !== "fine" && status !== "not-applicable";

/** Formats the number of checks that are not printed, on one line. */
function renderHiddenChecksLine(hiddenChecks: readonly DoctorCheck[], { paint }: TerminalLayout): readonly string[] {
  const passedCount = hiddenChecks.filter(({ status }) => status === "fine").length;
  const parts = [
    ...(passedCount === 0 ? [] : [`${counted(passedCount, "other check")} passed`]),
    ...(passedCount === hiddenChecks.length ? [] : [`${hiddenChecks.length - passedCount} not applicable`]),
  ];
  return parts.length === 0 ? [] : [paint.dim(`${parts.join(", ")} (--verbose lists them)`)];
}

/** Overrides the words of the outcome if there are no problems, to include the number of unknowns. */
function createOutcomeOverride({ checks, outcome }: DoctorReport): {
  readonly words?: { readonly sign: Sign; readonly word: string };
} {
  const unknownCount = checks.filter(({ status }) => status === "could-not-tell").length;
  return outcome !== "passed" || unknownCount === 0
    ? {}
    : { words: { sign: statusWords["could-not-tell"].sign, word: `no problem found, ${unknownCount} unknown` } };
}

/** Renders the report of `assay doctor` for a terminal: each problem, note and unknown with advice, and the number of other checks. */
export function renderDoctor(report: DoctorReport, options: DoctorPageOptions): string {
  const layout = createTerminalLayout(options);
  const verbose = options.verbose ?? false;
  const shownChecks = report.checks.filter((check) => verbose || needsAttention(check));
  const hiddenChecks = report.checks.filter((check) => !shownChecks.includes(check));
  const separateChecks = findChecksWithSharedReason(shownChecks);
  const groupedChecks = shownChecks.filter((check) => !separateChecks.includes(check));
  return joinTerminalLines(
    joinBlocks([
      renderHeadLines(report, layout),
      ...doctorGroups.map((group) => renderGroupLines(groupedChecks, group, layout)),
      mergeAdjacent(separateChecks).flatMap((same) => renderCheckLines(same, layout)),
      renderHiddenChecksLine(hiddenChecks, layout),
      renderBannerLines({ ...report, ...createOutcomeOverride(report) }, { folder: options.folder }, layout),
    ]),
  );
}

/** Renders the report as JSON, indented by two spaces, with a line feed at the end. */
export const renderDoctorJson = (report: DoctorReport): string => `${JSON.stringify(report, undefined, 2)}\n`;
