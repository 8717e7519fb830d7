import { lineGroups, parseKnownFailures } from "./parse-known-failures.ts";
import { readTarget } from "./target-pattern.ts";

/** Failures of one target that are accepted for the same reason. */
export interface AcceptedFailures {
  /** One line. */
  readonly reason: string;
  readonly owner: string;
  /** The last day on which they are accepted, `YYYY-MM-DD`. */
  readonly expires: string;
  /** Rules or findings, in the notation of list entries. */
  readonly rules: readonly string[];
  /** Base URL, or `*`. */
  readonly target: string;
}

const normalizeTarget = (word: string): string | undefined => {
  const target = readTarget(word);
  return "value" in target ? target.value.text : undefined;
};

/** Reports whether a line is an entry for one of the failures. */
const matchesFailure = ({ rules, target }: Pick<AcceptedFailures, "rules" | "target">, line: string): boolean => {
  const [rule = "", targetWord = ""] = line.split(/\s+/u);
  return rules.includes(rule) && normalizeTarget(targetWord) === normalizeTarget(target);
};

/** Reports whether a list contains an entry for one of the failures, regardless of its reason and date. */
export const listsFailure = (text: string, failures: Pick<AcceptedFailures, "rules" | "target">): boolean =>
  lineGroups(text).some(({ entries }) => entries.some((line) => matchesFailure(failures, line.text)));

/** Returns the numbers of the lines to remove: entries that get a new reason and date, and comments whose entries are all removed. */
function findReplacedLines(text: string, acceptedFailures: AcceptedFailures): ReadonlySet<number> {
  const lines = lineGroups(text).flatMap(({ comments, entries }) => {
    const replacedEntries = entries.filter((line) => matchesFailure(acceptedFailures, line.text));
    return replacedEntries.length > 0 && replacedEntries.length === entries.length
      ? [...comments, ...entries]
      : replacedEntries;
  });
  return new Set(lines.map(({ number }) => number));
}

/**
 * Appends a group for these failures to the text of a list. Replaces existing entries for them. Preserves all other lines and the style of
 * line endings. Returns a mistake, as a clause, if the reason or owner cannot be parsed back.
 */
export function acceptInList(
  text: string,
  acceptedFailures: AcceptedFailures,
): { readonly text: string } | { readonly mistake: string } {
  const { reason, owner, expires, rules, target } = acceptedFailures;
  const lineEnd = /\r\n|\n|\r/u.exec(text)?.[0] ?? "\n";
  const group = [
    `# ${reason}`,
    `# owner: ${owner}   expires: ${expires}`,
    ...rules.map((rule) => `${rule}   ${target}`),
  ];
  const { entries } = parseKnownFailures(group.join("\n"), "");
  if (entries.length !== rules.length || entries.some((entry) => entry.reason !== reason || entry.owner !== owner)) {
    return {
      mistake:
        "the list cannot contain this reason or owner; neither begins with `owner:` or `expires:`, and the owner has no brackets",
    };
  }
  const replacedNumbers = findReplacedLines(text, acceptedFailures);
  const remainingText = text
    .split(/(?<=\r\n|\n|\r(?!\n))/u)
    .filter((_, index) => !replacedNumbers.has(index + 1))
    .join("")
    .replace(/[\r\n]+$/u, "");
  const precedingText = remainingText === "" ? "" : `${remainingText}${lineEnd}${lineEnd}`;
  return { text: `${precedingText}${group.join(lineEnd)}${lineEnd}` };
}
