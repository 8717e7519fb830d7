import { counted } from "../../document/counted.ts";
import { type Page, pageOf, type PageOptions } from "./page.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** A requirement and its coverage. */
export interface CoveredRequirement {
  readonly id: string;
  readonly text: string;
  readonly coverage:
    | { readonly kind: "rules"; readonly rules: readonly string[]; readonly partly?: string }
    | { readonly kind: "unspecified"; readonly behaviour: string }
    | { readonly kind: "not-observable"; readonly reason: string };
}

/** The verdict on each rule in a run, by id. */
export type SeenRules = ReadonlyMap<string, string>;

/** The verdicts of a run, and its confirmed passes. */
type Shown = Pick<CoverageOptions, "seen" | "confirmed">;

const words: ReadonlyMap<string, string> = new Map(
  Object.entries(verdictWords).map(([standing, { word }]) => [standing, word]),
);

const wordOf = (standing: string | undefined): string =>
  standing === undefined ? "not selected" : (words.get(standing) ?? standing);

const ruleText = (rule: string, { seen, confirmed }: Shown): string => {
  const standing = seen === undefined ? undefined : wordOf(seen.get(rule));
  const confirmedText = confirmed?.has(rule) === true ? ", confirmed" : "";
  return standing === undefined ? shownText(rule, "name") : `${shownText(rule, "name")} (${standing}${confirmedText})`;
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
  /** The verdicts of a run, which are printed with each rule. Tested requirements are then counted [no run]. */
  readonly seen?: SeenRules;
  /** Rules whose pass is confirmed by altered responses of the run [none]. */
  readonly confirmed?: ReadonlySet<string>;
}

/** Standings of rules that were tested. */
const judged: ReadonlySet<string> = new Set(["passed", "failed", "warned", "known-failure", "fixed"]);

const isSeen = ({ coverage }: CoveredRequirement, seen: SeenRules): boolean =>
  coverage.kind === "rules" && coverage.rules.some((rule) => judged.has(seen.get(rule) ?? ""));

/** Renders all requirements with their rules, unspecified behaviour, or the reason why they are not observable, and their counts. */
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
