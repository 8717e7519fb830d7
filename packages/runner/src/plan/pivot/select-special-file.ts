import { elementsOf, member } from "@assay/reading";
import type { RecordedExchange } from "@assay/evidence";
import { readEvents } from "../read-events.ts";
import type { Pivot, SpecialFile } from "./pivot.ts";
import { readPlainFile } from "./select-pivot.ts";

/**
 * Texts with one kind of character each, as regular expressions. Every syntax of regular expressions and of queries reads them alike:
 * the characters are within a word, where no quote begins, and a plus sign is in brackets.
 */
const kinds: readonly ((line: string) => string | undefined)[] = [
  (line) => /[\p{L}\p{N}]{0,20}(?![a-z])[\p{Ll}\p{Lo}][\p{L}\p{N}]{0,20}(?!\p{M})/u.exec(line)?.[0],
  (line) => /\w{1,20}\+\w{1,20}/u.exec(line)?.[0].replace("+", "[+]"),
  (line) => /\w{1,20}%\w{1,20}/u.exec(line)?.[0],
  (line) => /\w{2,20}['"]\w{1,20}/u.exec(line)?.[0],
];

/** Further lines are ignored. */
const maxLinesRead = 2000;

/** Returns the lines of a content match that have a word. */
const readLinesWith = (match: unknown, word: string): readonly string[] =>
  elementsOf(member(match, "lineMatches"))
    .map((entry) => member(entry, "line"))
    .filter((line): line is string => typeof line === "string" && line.length <= 1000 && line.includes(word));

function createSpecialFile(match: unknown, word: string): SpecialFile | undefined {
  const file = readPlainFile(match);
  if (file === undefined) {
    return undefined;
  }
  const lines = readLinesWith(match, word).slice(0, maxLinesRead);
  const expressions = kinds.flatMap((findText) => lines.map((line) => findText(line)).find(Boolean) ?? []);
  return expressions.length === 0 ? undefined : { ...file, word, expressions };
}

/**
 * Selects the file with the most kinds of special characters on matched lines with the word of the pivot. Returns undefined if no line has
 * one.
 */
export function selectSpecialFile(exchange: RecordedExchange, { word }: Pivot): SpecialFile | undefined {
  let best: SpecialFile | undefined;
  readEvents(exchange, ({ name, value }) => {
    for (const match of name === "matches" ? elementsOf(value) : []) {
      const candidate = createSpecialFile(match, word);
      best =
        candidate !== undefined && candidate.expressions.length > (best?.expressions.length ?? 0) ? candidate : best;
    }
  });
  return best;
}
