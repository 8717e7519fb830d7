import { visibleText } from "@assay/evidence";
import type { KnownFailureEntry, KnownFailureList } from "./known-failure-entry.ts";
import { quoteWord } from "./quote-word.ts";
import { readRule, describeRetirement } from "./rule-pattern.ts";
import type { MatchedRules } from "./rule-pattern.ts";
import { readTarget } from "./target-pattern.ts";
import type { TargetPattern } from "./target-pattern.ts";

/** A non-blank line, trimmed. */
interface Line {
  /** Line number, from 1. */
  readonly number: number;
  readonly text: string;
}

/** Comments, without `#`, and the entries below them. One of the two may be empty, but not both. */
export interface LineGroup {
  readonly comments: readonly Line[];
  readonly entries: readonly Line[];
}

interface OpenGroup {
  readonly comments: Line[];
  readonly entries: Line[];
}

const splitLines = (text: string): readonly Line[] =>
  text
    .replace(/^\uFEFF/u, "")
    .split(/\r\n|\n|\r/u)
    .map((line, index) => ({ number: index + 1, text: line.trim() }));

/** Splits a list into groups. A blank line or a comment after an entry ends a group. */
export const lineGroups = (text: string): readonly LineGroup[] => {
  const groups: OpenGroup[] = [];
  let group: OpenGroup | undefined;
  for (const line of splitLines(text)) {
    const isComment = line.text.startsWith("#");
    if (line.text === "" || (isComment && (group?.entries.length ?? 0) > 0)) {
      group = undefined;
    }
    if (line.text === "") {
      continue;
    }
    if (group === undefined) {
      group = { comments: [], entries: [] };
      groups.push(group);
    }
    if (isComment) {
      group.comments.push({ ...line, text: line.text.replace(/^#+\s*/u, "") });
    } else {
      group.entries.push(line);
    }
  }
  return groups;
};

/** A mistake, as a clause, and its line number. */
interface LineMistake {
  readonly line: number;
  readonly mistake: string;
}

/** The content of the comments above the entries of a group. */
interface GroupHeading {
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

interface Field {
  readonly name: "owner" | "expires";
  readonly value: string;
  readonly line: number;
}

const fieldName = /(?:^|\s)(?<name>owner|expires)\s*:/giu;
const bracketedText = /\([^()]*\)/gu;
const isFieldLine = ({ text }: Line): boolean => /^(?:owner|expires)\s*:/iu.test(text);

/** Parses the fields of a line such as `owner: platform-team   expires: 2027-01-31   (OPS-412)`, and the text in parentheses. */
const parseFields = ({ text, number }: Line): { readonly fields: readonly Field[]; readonly remark: string } => {
  const withoutRemarks = text.replaceAll(bracketedText, " ");
  const names = [...withoutRemarks.matchAll(fieldName)];
  const fields = names.map((match, index): Field => {
    const name = match.groups?.["name"]?.toLowerCase() === "owner" ? "owner" : "expires";
    const end = names[index + 1]?.index ?? withoutRemarks.length;
    return { name, value: withoutRemarks.slice(match.index + match[0].length, end).trim(), line: number };
  });
  return { fields, remark: text.match(bracketedText)?.join(" ") ?? "" };
};

/** Reports whether a string is a valid date in the form `YYYY-MM-DD`. */
export const isDate = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

interface RequiredField {
  readonly name: Field["name"];
  readonly problem: string;
}
const requiredOwner: RequiredField = { name: "owner", problem: "no owner; add `# owner: NAME` above its entries" };
const requiredExpiry: RequiredField = {
  name: "expires",
  problem: "no expiry date; add `# expires: YYYY-MM-DD`, the last day on which it applies, above its entries",
};

const requireField = (
  fields: readonly Field[],
  { name, problem }: RequiredField,
  line: number,
): Field | LineMistake => {
  const [first, second] = fields.filter((field) => field.name === name && field.value !== "");
  if (first === undefined) {
    return { line, mistake: `the group has ${problem}` };
  }
  return second === undefined ? first : { line: second.line, mistake: `the group has a second \`${name}:\`; keep one` };
};

const checkDate = (field: Field | LineMistake): Field | LineMistake =>
  "mistake" in field || isDate(field.value)
    ? field
    : { line: field.line, mistake: `${quoteWord(field.value)} is not a day; write it as YYYY-MM-DD` };

/** Options of `readHeading`. */
interface HeadingOptions {
  /** True if a group without an expiry date is a mistake. */
  readonly needsExpiry: boolean;
}

const firstLineNumber = ({ comments, entries }: LineGroup): number => comments[0]?.number ?? entries[0]?.number ?? 1;

/**
 * Parses the comments of a group: fields from lines that begin with `owner:` or `expires:`, and the reason, which is all other text. Text
 * in parentheses after a field is added to the reason. Reports every mistake, not only the first.
 */
const readHeading = (
  group: LineGroup,
  { needsExpiry }: HeadingOptions,
): GroupHeading | { readonly mistakes: readonly LineMistake[] } => {
  const line = firstLineNumber(group);
  const parsed = group.comments.filter(isFieldLine).map(parseFields);
  const fields = parsed.flatMap((parsedLine) => parsedLine.fields);
  const reasonLines = group.comments.filter((comment) => !isFieldLine(comment)).map(({ text }) => text);
  const hasReason = reasonLines.some((text) => text !== "");
  const owner = requireField(fields, requiredOwner, line);
  const needsDate = needsExpiry || fields.some(({ name }) => name === "expires");
  const expires = needsDate ? checkDate(requireField(fields, requiredExpiry, line)) : undefined;
  const missingReason = "no reason; write in a comment line directly above its entries why they fail";
  const reasonMistakes: readonly LineMistake[] = hasReason ? [] : [{ line, mistake: `the group has ${missingReason}` }];
  const mistakes = [owner, ...(expires === undefined ? [] : [expires])].filter((field) => "mistake" in field);
  if (!hasReason || "mistake" in owner || (expires !== undefined && "mistake" in expires)) {
    return { mistakes: [...reasonMistakes, ...mistakes] };
  }
  const reason = [...reasonLines, ...parsed.map(({ remark }) => remark)].filter((text) => text !== "").join(" ");
  return { reason, owner: owner.value, ...(expires === undefined ? {} : { expires: expires.value }) };
};

/** Options of `parseKnownFailures`. */
export interface ParseOptions {
  /** True if the list is shipped with the tool. Its groups need no expiry date. Default: false. */
  readonly isShipped?: boolean;
}

/** A rule and a target from one line, without the reason of the group. */
interface RuleOnTarget extends MatchedRules {
  readonly rule: string;
  readonly target: TargetPattern;
  readonly line: number;
}

const readWords = ({ text, number }: Line): { readonly words: readonly [string, string] } | LineMistake => {
  const [rule = "", target, third] = text.split(/\s+/u);
  const shape = "write the rule, some space, and the target";
  if (target === undefined) {
    return { line: number, mistake: `${quoteWord(rule)} has no target; ${shape}: a base URL, or \`*\` for any` };
  }
  return third === undefined
    ? { words: [rule, target] }
    : {
        line: number,
        mistake: `${quoteWord(third)} is one word too many; ${shape}, and put remarks into comment lines above`,
      };
};

type ParsedEntry = RuleOnTarget | { readonly mistakes: readonly LineMistake[] } | { readonly note: string };

const readEntry = (line: Line): ParsedEntry => {
  const parsedWords = readWords(line);
  if ("mistake" in parsedWords) {
    return { mistakes: [parsedWords] };
  }
  const note = describeRetirement(parsedWords.words[0]);
  if (note !== undefined) {
    return { note };
  }
  const rules = readRule(parsedWords.words[0]);
  const target = readTarget(parsedWords.words[1]);
  if ("mistake" in rules || "mistake" in target) {
    const mistakes = [rules, target].flatMap((part) => ("mistake" in part ? [part.mistake] : []));
    return { mistakes: mistakes.map((mistake) => ({ line: line.number, mistake })) };
  }
  return { rule: parsedWords.words[0], ...rules.value, target: target.value, line: line.number };
};

interface ListDraft {
  readonly entries: KnownFailureEntry[];
  readonly mistakes: LineMistake[];
  readonly notes: LineMistake[];
  /** Line number of each rule and target so far, including those in groups without a reason. */
  readonly lines: Map<string, number>;
}

/** Reports whether the combination of rule and target is new. Adds a mistake if it is not. */
const isNewEntry = ({ rule, target, line }: RuleOnTarget, { lines, mistakes }: ListDraft): boolean => {
  const key = `${rule} ${target.text}`;
  const earlierLine = lines.get(key);
  if (earlierLine === undefined) {
    lines.set(key, line);
    return true;
  }
  mistakes.push({
    line,
    mistake: `${quoteWord(rule)} has this target in line ${earlierLine} already; remove one of the two`,
  });
  return false;
};

const readGroup = (
  group: LineGroup,
  { source, isShipped, draft }: { readonly source: string; readonly isShipped: boolean; readonly draft: ListDraft },
): void => {
  const heading = readHeading(group, { needsExpiry: !isShipped });
  if ("mistakes" in heading) {
    draft.mistakes.push(...heading.mistakes);
  }
  for (const line of group.entries) {
    const entry = readEntry(line);
    if ("note" in entry) {
      draft.notes.push({ line: line.number, mistake: entry.note });
    } else if ("mistakes" in entry) {
      draft.mistakes.push(...entry.mistakes);
    } else if (isNewEntry(entry, draft) && !("mistakes" in heading)) {
      draft.entries.push({ ...entry, ...heading, source, isShipped });
    }
  }
};

/**
 * Parses a list of known failures. A group begins with comment lines that contain the reason, `# owner: NAME` and
 * `# expires: YYYY-MM-DD`. Each following line contains a target and a rule, a finding, or a prefix of rules followed by `*`. A blank line
 * ends the group. Comments without entries are ignored. Lines with mistakes are skipped and reported in one sentence each. Does not
 * throw. `source` is the name of the list in messages.
 */
export const parseKnownFailures = (text: string, source: string, options: ParseOptions = {}): KnownFailureList => {
  const { isShipped = false } = options;
  const draft: ListDraft = { entries: [], mistakes: [], notes: [], lines: new Map() };
  for (const group of lineGroups(text).filter(({ entries }) => entries.length > 0)) {
    readGroup(group, { source, isShipped, draft });
  }
  const toSentences = (lines: readonly LineMistake[]): readonly string[] =>
    lines
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, mistake }) => `${visibleText(source, 200)}, line ${line}: ${mistake}`);
  return { entries: draft.entries, mistakes: toSentences(draft.mistakes), notes: toSentences(draft.notes) };
};
