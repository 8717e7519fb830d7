import { armText, isAnythingJudged, isJudgedWhole, loadRuleOutcomes } from "@assay/results";
import type { BrokenRule, LoadDependence, LoadJudgement, LoadResult, LoadRule, LoadRuleOutcome } from "@assay/results";
import { counted } from "./counted.ts";
import { type Block, type Entry, list, type Section, text } from "./document.ts";
import { isUnsent } from "./load-sections.ts";
import { type Sign, verdictWords } from "./outcome-words.ts";

const shownRules = 10;

/** Whether a rule fails only under load, one clause. */
export const dependenceWords: Readonly<Record<LoadDependence, string>> = {
  "under-load": "fails only under load; it passed without load",
  "without-load-too": "fails without load, too",
  unknown: "not tested without load",
};

/** The exchange that shows a violation first, and what was going on then, one clause. */
export const firstSeen = ({ atSeconds, phase, inFlight, ratePerSecond }: BrokenRule): string =>
  `first seen in second ${atSeconds} of the run${phase === "warmup" ? ", in the warm-up" : ""}, with ${counted(inFlight, "request")} on the way and ${ratePerSecond} a second`;

/** The id of the exchange that shows it; of a merge with the run that it is in. */
export const exchangeText = ({ exchange, run }: BrokenRule): string =>
  run === undefined ? exchange : `${exchange} of ${run}`;

const brokenEntry = (broken: BrokenRule): Entry => ({
  sign: verdictWords.failed.sign,
  line: [{ name: broken.rule }, `${armText(broken)}: `, broken.message, `, ${counted(broken.violations, "time")}`],
  below: [
    text(dependenceWords[broken.dependence]),
    text([`${firstSeen(broken)}: exchange `, { name: exchangeText(broken) }], { isFaint: true }),
  ],
});

/** What came of some rules, and of which. */
export interface RuleStatement {
  readonly outcome: LoadRuleOutcome;
  readonly sign: Sign;
  /** One clause that begins with their number. */
  readonly line: string;
  readonly rules: readonly LoadRule[];
}

function heldText(held: readonly LoadRule[]): string {
  const confirmed = held.filter((rule) => rule.confirmed === true).length;
  const passed = `${counted(held.length, "rule")} passed`;
  const how = "confirmed by altered responses";
  return confirmed === held.length ? `${passed}, ${how}` : `${passed}, ${confirmed} of them ${how}`;
}

const verbs = (rules: readonly LoadRule[], one: string, many: string): string =>
  `${counted(rules.length, "rule")} ${rules.length === 1 ? one : many}`;

/** Of the judges that run beside a load: whether they did. Undefined where that is not known. */
export type Beside = boolean | undefined;

/** Whether judges ran beside a load. */
export const isBeside = ({ canary }: Pick<LoadResult, "canary">): boolean => canary !== undefined;

/** Where such rules are checked: by the canary, which runs only where it is asked for. */
const instead = (beside: Beside): string => (beside === false ? " (use `assay run`)" : "; the canary checks them");

const textOf: Readonly<Record<LoadRuleOutcome, (rules: readonly LoadRule[], beside: Beside) => string>> = {
  failed: (rules) => verbs(rules, "failed", "failed"),
  blocked: (rules) => verbs(rules, "was blocked", "were blocked"),
  warned: (rules) => verbs(rules, "warned", "warned"),
  passed: heldText,
  "known-failure": (rules) => verbs(rules, "is a known failure", "are known failures"),
  fixed: (rules) => verbs(rules, "is fixed: remove its entry", "are fixed: remove their entries"),
  "not-tested": (rules) => `${verbs(rules, "was", "were")} not tested: no response could have shown a failure`,
  "not-applicable": (rules) => verbs(rules, "is not applicable", "are not applicable"),
  "compares-searches": (rules, beside) =>
    `${verbs(rules, "compares", "compare")} several searches and ${rules.length === 1 ? "was" : "were"} not checked on single ones${instead(beside)}`,
};

const signOf = (outcome: LoadRuleOutcome): Sign =>
  outcome === "compares-searches" ? verdictWords["not-applicable"].sign : verdictWords[outcome].sign;

/** What came of all rules, a clause for each outcome there is, most severe first; none where nothing came that they could have judged. */
export const ruleStatements = (judgement: LoadJudgement, beside: Beside): readonly RuleStatement[] =>
  loadRuleOutcomes.flatMap((outcome) => {
    const own = isAnythingJudged(judgement) ? judgement.rules.filter((rule) => rule.outcome === outcome) : [];
    return own.length === 0 ? [] : [{ outcome, sign: signOf(outcome), line: textOf[outcome](own, beside), rules: own }];
  });

/** Rules that the same came of for the same reason, which is empty where none is known. */
export interface RulesOfReason {
  readonly rules: readonly string[];
  readonly reason: string;
}

/** Rules by why it came of them what did. */
export function rulesByReason(all: readonly LoadRule[]): readonly RulesOfReason[] {
  const byReason = new Map<string, readonly string[]>();
  for (const { rule, reason = "" } of all) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), rule]);
  }
  return [...byReason].map(([reason, rules]) => ({ rules, reason }));
}

const reasonEntry = ({ rules, reason }: RulesOfReason): Entry => ({
  line: [
    ...rules.flatMap((name, index) => [...(index === 0 ? [] : [", "]), { name }]),
    ...(reason === "" ? [] : [`: ${reason}`]),
  ],
});

/** Of what is not as it should be, each rule is named; of the others where there is room. */
const isNamed = (outcome: LoadRuleOutcome, isWhole: boolean): boolean =>
  outcome === "warned" || outcome === "blocked" || (isWhole && outcome === "not-tested");

const statementBlocks = (
  { outcome, sign, line, rules }: RuleStatement,
  broken: readonly BrokenRule[],
  isWhole: boolean,
): Entry => ({
  sign,
  line,
  below: [
    ...(outcome === "failed" ? list(broken.map(brokenEntry), { most: shownRules }) : []),
    ...(isNamed(outcome, isWhole) ? list(rulesByReason(rules).map(reasonEntry), { most: shownRules }) : []),
  ],
});

/** Whether every exchange was judged, or none at all; what rules say of them has signs of its own. */
export const judgementSign = (judgement: LoadJudgement): Sign => {
  if (!isAnythingJudged(judgement)) {
    return verdictWords["blocked"].sign;
  }
  return isJudgedWhole(judgement) ? verdictWords.passed.sign : verdictWords.warned.sign;
};

/** Of the part of a report that says it. */
export const judgementTitle = "Exchanges of the load";

const judgementBlocks = (judgement: LoadJudgement, beside: Beside, isWhole: boolean): readonly Block[] =>
  list([
    {
      sign: judgementSign(judgement),
      line: judgement.sentence,
      below: [
        ...judgement.problems.map((problem) => text(problem)),
        // In the report of a load it is the reason why it is incomplete.
        ...(beside === undefined ? [judgement.notTheApi, judgement.notAlwaysTheApi] : []).flatMap((reason) =>
          reason === undefined ? [] : [text(reason.message)],
        ),
        ...list(
          ruleStatements(judgement, beside).map((statement) => statementBlocks(statement, judgement.broken, isWhole)),
        ),
      ],
    },
  ]);

/** What all rules say of the exchanges of the load itself, and how many of them were judged; with `isWhole` also which were not observed. */
export const judgementSection = (
  { judgement, unjudged }: Pick<LoadResult, "judgement" | "unjudged">,
  beside: Beside,
  isWhole = false,
): Section => {
  if (judgement !== undefined) {
    return { title: judgementTitle, blocks: judgementBlocks(judgement, beside, isWhole) };
  }
  return {
    title: judgementTitle,
    blocks: unjudged === undefined ? [] : list([{ sign: verdictWords["blocked"].sign, line: unjudged }]),
  };
};

/** The same in the report of a load; empty where none was sent. */
export const judgementSectionOf = (result: LoadResult, isWhole: boolean): Section =>
  isUnsent(result) ? { title: judgementTitle, blocks: [] } : judgementSection(result, isBeside(result), isWhole);
