import { doctorChecks, doctorGroups } from "@assay/results";
import type { DoctorCheck, DoctorGroup, DoctorReport, DoctorStatus } from "@assay/results";
import { bannerLines } from "./banner-lines.ts";
import { counted } from "../../document/counted.ts";
import { padded } from "./display-columns.ts";
import { painted } from "../../document/outcome-words.ts";
import type { Sign } from "../../document/outcome-words.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { shownText } from "../../document/shown-text.ts";
import { stacked, terminalText } from "./terminal-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** Sign and word of a check; the word stands beside the sign, so that neither colour nor sign is needed. */
const words = {
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

/** Columns of titles, sign and space before them. */
const titleColumns = 24;
const textColumn = titleColumns + 4;

/** Where the terminal is too narrow for two columns. */
const twoColumns = 72;

const adviceOf = (check: DoctorCheck): string | undefined => ("advice" in check ? check.advice : undefined);

const saidBy = (check: DoctorCheck): string => JSON.stringify([check.status, check.found, adviceOf(check)]);

/** Checks that say the same, side by side, say it once. */
function merged(checks: readonly DoctorCheck[]): readonly (readonly [DoctorCheck, ...DoctorCheck[]])[] {
  const groups: [DoctorCheck, ...DoctorCheck[]][] = [];
  for (const check of checks) {
    const last = groups.at(-1);
    if (last !== undefined && saidBy(last[0]) === saidBy(check)) {
      last.push(check);
    } else {
      groups.push([check]);
    }
  }
  return groups;
}

/** So many checks that could not be made for one reason have a block of their own, below the others. */
const leastApart = 3;

/** The checks that could not be made for the reason that most could not be made for. */
function notMade(checks: readonly DoctorCheck[]): readonly DoctorCheck[] {
  const unknown = checks.filter(({ status }) => status === "could-not-tell");
  const same = unknown.map((one) => unknown.filter((other) => saidBy(one) === saidBy(other)));
  const [most = []] = same.toSorted((one, other) => other.length - one.length);
  return most.length >= leastApart ? most : [];
}

const shown = (text: string): string => shownText(text, "command");

/** What is said of a check, below or beside its title. */
function textLines(check: DoctorCheck, page: Page, indent: number): readonly string[] {
  const { word } = words[check.status];
  const found = check.status === "fine" ? shown(check.found) : `${word}: ${shown(check.found)}`;
  const advice = adviceOf(check);
  const columns = page.columns;
  return [
    ...wrapIndented(found, { columns, indent }),
    ...(advice === undefined ? [] : wrapIndented(`→ ${shown(advice)}`, { columns, indent, hanging: indent + 2 })),
  ];
}

function checkLines([check, ...others]: readonly [DoctorCheck, ...DoctorCheck[]], page: Page): readonly string[] {
  const { sign } = words[check.status];
  const names = [check, ...others].map(({ id }) => doctorChecks[id].title);
  const [name = ""] = names;
  const isBeside = others.length === 0 && page.columns >= twoColumns;
  if (!isBeside) {
    const title = wrapIndented(`${sign} ${names.join(", ")}`, { columns: page.columns, indent: 2, hanging: 4 });
    return [...title.map((line) => painted(sign, line, page)), ...textLines(check, page, 4)];
  }
  const [first = "", ...rest] = textLines(check, page, textColumn);
  return [`  ${painted(sign, padded(`${sign} ${name}`, titleColumns + 2), page)}${first.slice(textColumn)}`, ...rest];
}

function groupLines(made: readonly DoctorCheck[], group: DoctorGroup, page: Page): readonly string[] {
  const checks = made.filter(({ id }) => doctorChecks[id].group === group);
  return checks.length === 0
    ? []
    : [page.paint.bold(headings[group]), ...merged(checks).flatMap((same) => checkLines(same, page))];
}

const headLines = (
  { embedded, query, requests, target, tool }: DoctorReport,
  { columns, paint }: Page,
): readonly string[] => [
  ...wrapText(
    `assay ${shownText(tool.version, "name")} doctor · ${shownText(target, "url")}${embedded ? " (embedded reference server)" : ""}`,
    columns,
  ).map(paint.bold),
  ...wrapText(
    `${counted(requests, "request")}, none of them a question; searched for "${shownText(query, "name")}"`,
    columns,
  ).map(paint.dim),
];

/** Options of `renderDoctor`. */
export interface DoctorPageOptions extends PageOptions {
  /** Where the evidence was written. */
  readonly folder?: string;
  /** Whether checks without a finding have their lines too [false]. */
  readonly verbose?: boolean;
}

/** Whether a check has something to say: a problem, a note, or that it is unknown. */
const isFinding = ({ status }: DoctorCheck): boolean => status !== "fine" && status !== "not-applicable";

/** How many checks are left out, in one line. */
function othersLine(others: readonly DoctorCheck[], { paint }: Page): readonly string[] {
  const passed = others.filter(({ status }) => status === "fine").length;
  const parts = [
    ...(passed === 0 ? [] : [`${counted(passed, "other check")} passed`]),
    ...(passed === others.length ? [] : [`${others.length - passed} not applicable`]),
  ];
  return parts.length === 0 ? [] : [paint.dim(`${parts.join(", ")} (--verbose lists them)`)];
}

/** A report without a problem in which something is unknown has not just passed. */
function endWords({ checks, outcome }: DoctorReport): {
  readonly words?: { readonly sign: Sign; readonly word: string };
} {
  const unknown = checks.filter(({ status }) => status === "could-not-tell").length;
  return outcome !== "passed" || unknown === 0
    ? {}
    : { words: { sign: words["could-not-tell"].sign, word: `no problem found, ${unknown} unknown` } };
}

/** A doctor's report for people at a terminal: a line for each problem, note and unknown, what to do about it, and how many other checks passed. */
export function renderDoctor(report: DoctorReport, options: DoctorPageOptions): string {
  const page = pageOf(options);
  const verbose = options.verbose ?? false;
  const shown = report.checks.filter((check) => verbose || isFinding(check));
  const others = report.checks.filter((check) => !shown.includes(check));
  const apart = notMade(shown);
  const made = shown.filter((check) => !apart.includes(check));
  return terminalText(
    stacked([
      headLines(report, page),
      ...doctorGroups.map((group) => groupLines(made, group, page)),
      merged(apart).flatMap((same) => checkLines(same, page)),
      othersLine(others, page),
      bannerLines({ ...report, ...endWords(report) }, { folder: options.folder }, page),
    ]),
  );
}

/** The same as JSON, two spaces deep, with a line feed at its end. */
export const renderDoctorJson = (report: DoctorReport): string => `${JSON.stringify(report, undefined, 2)}\n`;
