import { counted } from "./counted.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { terminalText } from "./terminal-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** One sentence of a document and what is done about it. */
export interface CoveredSentence {
  readonly id: string;
  readonly text: string;
  readonly coverage:
    | { readonly kind: "rules"; readonly rules: readonly string[]; readonly partly?: string }
    | { readonly kind: "gap"; readonly gap: string }
    | { readonly kind: "not-observable"; readonly reason: string };
}

const coverageText = ({ coverage }: CoveredSentence): string => {
  switch (coverage.kind) {
    case "rules": {
      const partly = coverage.partly === undefined ? "" : ` (in part, not yet: ${shownText(coverage.partly)})`;
      return `rules ${coverage.rules.map((rule) => shownText(rule, "name")).join(", ")}${partly}`;
    }
    case "gap":
      return `gap ${shownText(coverage.gap, "name")}`;
    case "not-observable":
      return `not observable: ${shownText(coverage.reason)}`;
  }
};

const sentenceLines = (sentence: CoveredSentence, { columns, paint }: Page): readonly string[] => [
  paint.bold(shownText(sentence.id, "name")),
  ...wrapIndented(shownText(sentence.text), { columns, indent: 2 }),
  ...wrapIndented(`→ ${coverageText(sentence)}`, { columns, indent: 2, hanging: 4 }).map(paint.dim),
];

/** Every sentence with the rules that judge it, the gap it opens or why nothing shows it; last the counts of each. */
export const renderCoverage = (sentences: readonly CoveredSentence[], options: PageOptions): string => {
  const page = pageOf(options);
  const count = (kind: CoveredSentence["coverage"]["kind"]) =>
    sentences.filter(({ coverage }) => coverage.kind === kind).length;
  const sum = `${counted(sentences.length, "sentence")}: ${count("rules")} have rules, ${count("gap")} leave a gap, ${count("not-observable")} are not observable from outside`;
  return terminalText([
    ...sentences.flatMap((sentence) => [...sentenceLines(sentence, page), ""]),
    ...wrapIndented(sum, { columns: page.columns, indent: 0 }),
  ]);
};
