import { sideText, isAnythingJudged, isJudgedWhole, loadRuleOutcomes } from "@assay/results";
import type { BrokenRule, LoadDependence, LoadJudgement, LoadResult, LoadRule, LoadRuleOutcome } from "@assay/results";
import { counted } from "./counted.ts";
import { type Block, type Entry, folded, list, namesLine, onPage, type Section, text } from "./document.ts";
import { isUnsent } from "./load-facts.ts";
import { type Sign, verdictWords } from "./outcome-words.ts";

const maxRules = 10;

/** Clauses that describe whether a rule fails only under load. */
export const dependenceWords: Readonly<Record<LoadDependence, string>> = {
  "under-load": "fails only under load; it passed without load",
  "without-load-too": "also fails without load",
  unknown: "not tested without load",
};

/** Describes the load at the time of the first violation as a clause. */
const firstSeen = ({ atSeconds, phase, inFlight, ratePerSecond }: BrokenRule): string =>
  `first seen in second ${atSeconds} of the run${phase === "warmup" ? ", in the warm-up" : ""}, with ${counted(inFlight, "request")} in flight and ${ratePerSecond} per second`;

/** Returns the id of the exchange, followed by its run for merged results. */
const exchangeText = ({ exchange, run }: BrokenRule): string =>
  run === undefined ? exchange : `${exchange} of ${run}`;

const brokenEntry = (broken: BrokenRule): Entry => ({
  sign: verdictWords.failed.sign,
  line: [{ name: broken.rule }, `${sideText(broken)}: `, broken.message, `, ${counted(broken.violations, "time")}`],
  below: [
    text(dependenceWords[broken.dependence]),
    text([`${firstSeen(broken)}: exchange `, { name: exchangeText(broken) }], { isFaint: true }),
  ],
});

const passedText = (passed: readonly LoadRule[]): string => {
  const confirmed = passed.filter((rule) => rule.confirmed === true).length;
  const how = "confirmed by altered responses";
  return confirmed === passed.length
    ? `${counted(passed.length, "rule")} passed, ${how}`
    : `${counted(passed.length, "rule")} passed, ${confirmed} of them ${how}`;
};

const verbs = (rules: readonly LoadRule[], one: string, many: string): string =>
  `${counted(rules.length, "rule")} ${rules.length === 1 ? one : many}`;

/** Whether a canary ran during the load, or undefined if that is unknown. */
export type HasCanary = boolean | undefined;

const canaryHint = (hasCanary: HasCanary): string =>
  hasCanary === false ? " (use `assay run`)" : "; the canary checks them";

const outcomeText: Readonly<Record<LoadRuleOutcome, (rules: readonly LoadRule[], hasCanary: HasCanary) => string>> = {
  failed: (rules) => verbs(rules, "failed", "failed"),
  blocked: (rules) => verbs(rules, "was blocked", "were blocked"),
  warned: (rules) => verbs(rules, "warned", "warned"),
  passed: passedText,
  "known-failure": (rules) => verbs(rules, "is a known failure", "are known failures"),
  fixed: (rules) => verbs(rules, "is fixed: remove its entry", "are fixed: remove their entries"),
  "not-tested": (rules) => `${verbs(rules, "was", "were")} not tested: no response could have shown a failure`,
  "not-applicable": (rules) => verbs(rules, "is not applicable", "are not applicable"),
  "compares-searches": (rules, hasCanary) =>
    `${verbs(rules, "compares", "compare")} several searches and ${rules.length === 1 ? "was" : "were"} not checked on single ones${canaryHint(hasCanary)}`,
};

const signOf = (outcome: LoadRuleOutcome): Sign =>
  outcome === "compares-searches" ? verdictWords["not-applicable"].sign : verdictWords[outcome].sign;

/** Groups rules by reason, in the order of their first rules. The reason is empty if there is none. */
const reasonEntries = (all: readonly LoadRule[]): readonly Entry[] => {
  const byReason = new Map<string, readonly string[]>();
  for (const { rule, reason = "" } of all) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), rule]);
  }
  return [...byReason].map(([reason, rules]) => ({
    line: [...namesLine(rules), ...(reason === "" ? [] : [`: ${reason}`])],
  }));
};

/** Reports whether each rule with this outcome has a reason. */
const hasReasons = (outcome: LoadRuleOutcome): boolean =>
  outcome === "warned" || outcome === "blocked" || outcome === "not-tested";

interface JudgementOptions {
  readonly hasCanary: HasCanary;
  /** Whether rules that were not tested are listed too. The page always lists them. */
  readonly isWhole: boolean;
}

const outcomeEntry = (
  outcome: LoadRuleOutcome,
  { rules, broken }: LoadJudgement,
  { hasCanary, isWhole }: JudgementOptions,
): readonly Entry[] => {
  const own = rules.filter((rule) => rule.outcome === outcome);
  const reasons = hasReasons(outcome) ? list(reasonEntries(own), { max: maxRules }) : [];
  return own.length === 0
    ? []
    : [
        {
          sign: signOf(outcome),
          line: outcomeText[outcome](own, hasCanary),
          below: [
            ...(outcome === "failed" ? list(broken.map(brokenEntry), { max: maxRules }) : []),
            ...(reasons.length === 0
              ? []
              : [onPage(folded("Rules and reasons", reasons), outcome === "not-tested" && !isWhole ? [] : reasons)]),
          ],
        },
      ];
};

/** Returns ✓ if every exchange was judged, ~ if only some were, and ? if none was. Each rule has its own sign. */
const judgementSign = (judgement: LoadJudgement): Sign => {
  if (!isAnythingJudged(judgement)) {
    return verdictWords["blocked"].sign;
  }
  return isJudgedWhole(judgement) ? verdictWords.passed.sign : verdictWords.warned.sign;
};

export const judgementTitle = "Exchanges of the load";

const judgementBlocks = (judgement: LoadJudgement, options: JudgementOptions): readonly Block[] =>
  list([
    {
      sign: judgementSign(judgement),
      line: judgement.sentence,
      below: [
        ...judgement.problems.map((problem) => text(problem)),
        // The report of a load shows these among the reasons why it is incomplete.
        ...(options.hasCanary === undefined ? [judgement.notTheApi, judgement.notAlwaysTheApi] : []).flatMap((reason) =>
          reason === undefined ? [] : [text(reason.message)],
        ),
        ...list(
          isAnythingJudged(judgement)
            ? loadRuleOutcomes.flatMap((outcome) => outcomeEntry(outcome, judgement, options))
            : [],
        ),
      ],
    },
  ]);

/** Lists the verdicts of all rules on the exchanges of the load, and the number of judged exchanges. */
export const judgementSection = (
  { judgement, unjudged }: Pick<LoadResult, "judgement" | "unjudged">,
  options: JudgementOptions,
): Section => {
  if (judgement !== undefined) {
    return { title: judgementTitle, blocks: judgementBlocks(judgement, options) };
  }
  return {
    title: judgementTitle,
    blocks: unjudged === undefined ? [] : list([{ sign: verdictWords["blocked"].sign, line: unjudged }]),
  };
};

/** Like `judgementSection`, for the report of a load. Empty if no load was sent. */
export const judgementSectionOf = (result: LoadResult, isWhole: boolean): Section =>
  isUnsent(result)
    ? { title: judgementTitle, blocks: [] }
    : judgementSection(result, { hasCanary: result.canary !== undefined, isWhole });
