import { counted } from "../../document/counted.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** One sentence of a document and what is done about it. */
export interface CoveredRequirement {
  readonly id: string;
  readonly text: string;
  readonly coverage:
    | { readonly kind: "rules"; readonly rules: readonly string[]; readonly partly?: string }
    | { readonly kind: "unspecified"; readonly behaviour: string }
    | { readonly kind: "not-observable"; readonly reason: string };
}

/** How each rule ended in a run, by its id. */
export type SeenRules = ReadonlyMap<string, string>;

/** What a run has shown of the rules. */
type Shown = Pick<CoverageOptions, "seen" | "confirmed">;

const words: ReadonlyMap<string, string> = new Map(
  Object.entries(verdictWords).map(([standing, { word }]) => [standing, word]),
);

const wordOf = (standing: string | undefined): string =>
  standing === undefined ? "not selected" : (words.get(standing) ?? standing);

const ruleText = (rule: string, { seen, confirmed }: Shown): string => {
  const standing = seen === undefined ? undefined : wordOf(seen.get(rule));
  const isProven = confirmed?.has(rule) === true ? ", confirmed" : "";
  return standing === undefined ? shownText(rule, "name") : `${shownText(rule, "name")} (${standing}${isProven})`;
};

const coverageText = ({ coverage }: CoveredRequirement, shown: Shown): string => {
  switch (coverage.kind) {
    case "rules": {
      const partly = coverage.partly === undefined ? "" : ` (in part, not yet: ${shownText(coverage.partly)})`;
      return `rules ${coverage.rules.map((rule) => ruleText(rule, shown)).join(", ")}${partly}`;
    }
    case "unspecified":
      return `unspecified: ${shownText(coverage.behaviour, "name")}`;
    case "not-observable":
      return `not observable: ${shownText(coverage.reason)}`;
  }
};

const requirementLines = (
  sentence: CoveredRequirement,
  { page: { columns, paint }, shown }: { readonly page: Page; readonly shown: Shown },
): readonly string[] => [
  paint.bold(shownText(sentence.id, "name")),
  ...wrapIndented(shownText(sentence.text), { columns, indent: 2 }),
  ...wrapIndented(`→ ${coverageText(sentence, shown)}`, { columns, indent: 2, hanging: 4 }).map(paint.dim),
];

/** Options of `renderCoverage`. */
export interface CoverageOptions extends PageOptions {
  /** How the rules ended in a run; then each rule says so, and what was seen is counted [no run]. */
  readonly seen?: SeenRules;
  /** Rules whose pass is confirmed by altered responses of the run [none]. */
  readonly confirmed?: ReadonlySet<string>;
}

/** Standings of rules that had something to judge. */
const judged: ReadonlySet<string> = new Set(["passed", "failed", "warned", "known-failure", "fixed"]);

const isSeen = ({ coverage }: CoveredRequirement, seen: SeenRules): boolean =>
  coverage.kind === "rules" && coverage.rules.some((rule) => judged.has(seen.get(rule) ?? ""));

/** Every sentence with the rules that judge it, the behaviour it opens or why nothing shows it; last the counts of each. */
export const renderCoverage = (requirements: readonly CoveredRequirement[], options: CoverageOptions): string => {
  const page = pageOf(options);
  const { seen } = options;
  const count = (kind: CoveredRequirement["coverage"]["kind"]) =>
    requirements.filter(({ coverage }) => coverage.kind === kind).length;
  const sum = `${counted(requirements.length, "requirement")}: ${count("rules")} have rules, ${count("unspecified")} unspecified, ${count("not-observable")} are not observable from outside`;
  const seenSum =
    seen === undefined
      ? []
      : [`${requirements.filter((one) => isSeen(one, seen)).length} of those with rules were seen in the run`];
  return terminalText([
    ...requirements.flatMap((sentence) => [...requirementLines(sentence, { page, shown: options }), ""]),
    ...[sum, ...seenSum].flatMap((line) => wrapIndented(line, { columns: page.columns, indent: 0 })),
  ]);
};
