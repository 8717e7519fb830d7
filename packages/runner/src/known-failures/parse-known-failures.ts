import { visibleText } from "@assay/evidence";
import { type LineMistake, readHeading } from "./group-heading.ts";
import type { KnownFailureEntry, KnownFailureList } from "./known-failure-entry.ts";
import { type Line, type LineGroup, lineGroups } from "./line-groups.ts";
import { quoted } from "./quoted.ts";
import { type KnownRules, readRule, retiredNote } from "./rule-pattern.ts";
import { readTarget, type TargetPattern } from "./target-pattern.ts";

/** Options of `parseKnownFailures`. */
export interface ParseOptions {
  /** Whether the list comes with the tool [false]; its groups need no expiry date. */
  readonly isShipped?: boolean;
}

/** What a line of two words says, before it is known why. */
interface RuleOnTarget extends KnownRules {
  readonly rule: string;
  readonly target: TargetPattern;
  readonly line: number;
}

const readWords = ({ text, number }: Line): { readonly words: readonly [string, string] } | LineMistake => {
  const [rule = "", target, third] = text.split(/\s+/u);
  const shape = "write the rule, some space, and the target";
  if (target === undefined) {
    return { line: number, mistake: `${quoted(rule)} stands alone; ${shape}: a base URL, or \`*\` for any` };
  }
  return third === undefined
    ? { words: [rule, target] }
    : { line: number, mistake: `${quoted(third)} is too much; ${shape}, and remarks into comment lines above` };
};

type ReadEntry = RuleOnTarget | { readonly mistakes: readonly LineMistake[] } | { readonly note: string };

const readEntry = (line: Line): ReadEntry => {
  const read = readWords(line);
  if ("mistake" in read) {
    return { mistakes: [read] };
  }
  const note = retiredNote(read.words[0]);
  if (note !== undefined) {
    return { note };
  }
  const rules = readRule(read.words[0]);
  const target = readTarget(read.words[1]);
  if ("mistake" in rules || "mistake" in target) {
    const found = [rules, target].flatMap((part) => ("mistake" in part ? [part.mistake] : []));
    return { mistakes: found.map((mistake) => ({ line: line.number, mistake })) };
  }
  return { rule: read.words[0], ...rules.value, target: target.value, line: line.number };
};

interface Reading {
  readonly entries: KnownFailureEntry[];
  readonly mistakes: LineMistake[];
  readonly notes: LineMistake[];
  /** Line of every rule on a target so far, whether or not its group says why. */
  readonly lines: Map<string, number>;
}

/** Whether the rule has this target for the first time; else the line is a mistake. */
const isNew = ({ rule, target, line }: RuleOnTarget, { lines, mistakes }: Reading): boolean => {
  const key = `${rule} ${target.text}`;
  const before = lines.get(key);
  if (before === undefined) {
    lines.set(key, line);
    return true;
  }
  mistakes.push({ line, mistake: `${quoted(rule)} has this target in line ${before} already; remove one of the two` });
  return false;
};

const readGroup = (
  group: LineGroup,
  { source, isShipped, reading }: { readonly source: string; readonly isShipped: boolean; readonly reading: Reading },
): void => {
  const heading = readHeading(group, { needsExpiry: !isShipped });
  if ("mistakes" in heading) {
    reading.mistakes.push(...heading.mistakes);
  }
  for (const { line, entry } of group.entries.map((line) => ({ line, entry: readEntry(line) }))) {
    if ("note" in entry) {
      reading.notes.push({ line: line.number, mistake: entry.note });
    } else if ("mistakes" in entry) {
      reading.mistakes.push(...entry.mistakes);
    } else if (isNew(entry, reading) && !("mistakes" in heading)) {
      reading.entries.push({ ...entry, ...heading, source, isShipped });
    }
  }
};

/**
 * Reads a list of known failures. A group begins with comment lines that say why, and with `# owner: NAME` and
 * `# expires: YYYY-MM-DD`; each line below them is a rule, one of its findings, or the beginning of rules with `*`, and a target. A blank line
 * ends the group; comments without a line below them are for readers. What has a mistake is no entry and is told in one
 * sentence; nothing is thrown. `source` is what the list is called in sentences.
 */
export const parseKnownFailures = (text: string, source: string, options: ParseOptions = {}): KnownFailureList => {
  const { isShipped = false } = options;
  const reading: Reading = { entries: [], mistakes: [], notes: [], lines: new Map() };
  for (const group of lineGroups(text).filter(({ entries }) => entries.length > 0)) {
    readGroup(group, { source, isShipped, reading });
  }
  const inOrder = (lines: readonly LineMistake[]): readonly string[] =>
    lines
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, mistake }) => `${visibleText(source, 200)}, line ${line}: ${mistake}`);
  return { entries: reading.entries, mistakes: inOrder(reading.mistakes), notes: inOrder(reading.notes) };
};
