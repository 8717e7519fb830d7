import type { PlanCoverage } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { type TerminalLayout, createTerminalLayout, type TerminalLayoutOptions } from "./terminal-layout.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "./terminal-text.ts";
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

/** The standing of each rule in a run, by id. */
export type RuleStandings = ReadonlyMap<string, string>;

/** The verdicts of a run, and its confirmed passes. */
type RunVerdicts = Pick<CoverageOptions, "standings" | "confirmed">;

const standingWords: ReadonlyMap<string, string> = new Map(
  Object.entries(verdictWords).map(([standing, { word }]) => [standing, word]),
);

const getStandingWord = (standing: string | undefined): string =>
  standing === undefined ? "not selected" : (standingWords.get(standing) ?? standing);

const formatRule = (rule: string, { standings, confirmed }: RunVerdicts): string => {
  const standing = standings === undefined ? undefined : getStandingWord(standings.get(rule));
  const confirmedText = confirmed?.has(rule) === true ? ", confirmed" : "";
  return standing === undefined
    ? escapeForDisplay(rule, "name")
    : `${escapeForDisplay(rule, "name")} (${standing}${confirmedText})`;
};

const formatCoverage = ({ coverage }: CoveredRequirement, run: RunVerdicts): string => {
  switch (coverage.kind) {
    case "rules": {
      const partly = coverage.partly === undefined ? "" : ` (in part, not yet: ${escapeForDisplay(coverage.partly)})`;
      return `rules ${coverage.rules.map((rule) => formatRule(rule, run)).join(", ")}${partly}`;
    }
    case "unspecified":
      return `unspecified: ${escapeForDisplay(coverage.behaviour, "name")}`;
    case "not-observable":
      return `not observable: ${escapeForDisplay(coverage.reason)}`;
  }
};

const renderRequirementLines = (
  requirement: CoveredRequirement,
  { layout: { columns, paint }, shown: run }: { readonly layout: TerminalLayout; readonly shown: RunVerdicts },
): readonly string[] => [
  paint.bold(escapeForDisplay(requirement.id, "name")),
  ...wrapIndented(escapeForDisplay(requirement.text), { columns, indent: 2 }),
  ...wrapIndented(`→ ${formatCoverage(requirement, run)}`, { columns, indent: 2, hanging: 4 }).map(paint.dim),
];

/** Describes the pairs that an ordinary run covers, as paragraphs. */
const describePairs = (pairs: PlanCoverage): readonly string[] => [
  `an ordinary run sends ${pairs.searchCount} different searches; parts of a search are parameters, filters, the connection and the token`,
  `${pairs.partPairCount - pairs.neverTogether.length} of ${counted(pairs.partPairCount, "pair")} of parts are in one search${listNever(pairs.neverTogether)}`,
  `${2 * pairs.partPairCount - pairs.neverWithout.length} of ${2 * pairs.partPairCount} ordered pairs have a search with the first part and without the second one${listNever(pairs.neverWithout)}`,
  `${pairs.differenceCount - pairs.neverVaried.length} of ${counted(pairs.differenceCount, "difference")} between two searches occur while both have another part${listNever(pairs.neverVaried)}`,
  `assay run --sequences ${pairs.sequencesForAllPairs} sends all ${counted(pairs.commandPairCount, "pair")} of commands on one conversation, one after the other and at once, in both interfaces`,
];

const listNever = (names: readonly string[]): string => (names.length === 0 ? "" : `; never: ${names.join(", ")}`);

/** Options of `renderCoverage`. */
export interface CoverageOptions extends TerminalLayoutOptions {
  /** The verdicts of a run, which are printed with each rule. Tested requirements are then counted. Default: no run. */
  readonly standings?: RuleStandings;
  /** Rules whose pass is confirmed by altered responses of the run. Default: none. */
  readonly confirmed?: ReadonlySet<string>;
  /** The pairs that an ordinary run covers. Default: not printed. */
  readonly pairs?: PlanCoverage;
}

/** Standings of rules that were tested. */
const testedStandings: ReadonlySet<string> = new Set(["passed", "failed", "warned", "known-failure", "fixed"]);

const isTested = ({ coverage }: CoveredRequirement, standings: RuleStandings): boolean =>
  coverage.kind === "rules" && coverage.rules.some((rule) => testedStandings.has(standings.get(rule) ?? ""));

/** Renders all requirements with their rules, unspecified behaviour, or the reason they are not observable, and their counts. */
export const renderCoverage = (requirements: readonly CoveredRequirement[], options: CoverageOptions): string => {
  const layout = createTerminalLayout(options);
  const { standings } = options;
  const count = (kind: CoveredRequirement["coverage"]["kind"]) =>
    requirements.filter(({ coverage }) => coverage.kind === kind).length;
  const summary = `${counted(requirements.length, "requirement")}: ${count("rules")} have rules, ${count("unspecified")} unspecified, ${count("not-observable")} are not observable from outside`;
  const testedSummary =
    standings === undefined
      ? []
      : [
          `${requirements.filter((requirement) => isTested(requirement, standings)).length} of those with rules were seen in the run`,
        ];
  const pairLines = (options.pairs === undefined ? [] : describePairs(options.pairs)).flatMap((line) => [
    "",
    ...wrapIndented(line, { columns: layout.columns, indent: 0 }),
  ]);
  return joinTerminalLines([
    ...requirements.flatMap((requirement) => [...renderRequirementLines(requirement, { layout, shown: options }), ""]),
    ...[summary, ...testedSummary].flatMap((line) => wrapIndented(line, { columns: layout.columns, indent: 0 })),
    ...pairLines,
  ]);
};
