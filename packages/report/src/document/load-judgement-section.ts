import { formatSide, hasJudgedExchanges, isFullyJudged, loadRuleOutcomes } from "@assay/results";
import type {
  FailedLoadRule,
  LoadDependence,
  LoadJudgement,
  LoadResult,
  LoadRule,
  LoadRuleOutcome,
} from "@assay/results";
import { counted } from "./counted.ts";
import { type Block, type Entry, fold, list, joinNames, onPage, type Section, paragraph } from "./document.ts";
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
const describeFirstViolation = ({ atSeconds, phase, inFlight, ratePerSecond }: FailedLoadRule): string =>
  `first seen in second ${atSeconds} of the run${phase === "warmup" ? ", in the warm-up" : ""}, with ${counted(inFlight, "request")} in flight and ${ratePerSecond} per second`;

/** Returns the id of the exchange, followed by its run for merged results. */
const formatExchange = ({ exchange, run }: FailedLoadRule): string =>
  run === undefined ? exchange : `${exchange} of ${run}`;

const createFailedRuleEntry = (failedRule: FailedLoadRule): Entry => ({
  sign: verdictWords.failed.sign,
  line: [
    { name: failedRule.rule },
    `${formatSide(failedRule)}: `,
    failedRule.message,
    `, ${counted(failedRule.violations, "time")}`,
  ],
  children: [
    paragraph(dependenceWords[failedRule.dependence]),
    paragraph([`${describeFirstViolation(failedRule)}: exchange `, { name: formatExchange(failedRule) }], {
      isFaint: true,
    }),
  ],
});

const describePassed = (passed: readonly LoadRule[]): string => {
  const confirmed = passed.filter((rule) => rule.confirmed === true).length;
  const confirmation = "confirmed by altered responses";
  return confirmed === passed.length
    ? `${counted(passed.length, "rule")} passed, ${confirmation}`
    : `${counted(passed.length, "rule")} passed, ${confirmed} of them ${confirmation}`;
};

const countWithVerb = (rules: readonly LoadRule[], singular: string, plural: string): string =>
  `${counted(rules.length, "rule")} ${rules.length === 1 ? singular : plural}`;

const getCanaryHint = (hasCanary: boolean | undefined): string =>
  hasCanary === false ? " (use `assay run`)" : "; the canary checks them";

const outcomeText: Readonly<
  Record<LoadRuleOutcome, (rules: readonly LoadRule[], hasCanary: boolean | undefined) => string>
> = {
  failed: (rules) => countWithVerb(rules, "failed", "failed"),
  blocked: (rules) => countWithVerb(rules, "was blocked", "were blocked"),
  warned: (rules) => countWithVerb(rules, "warned", "warned"),
  passed: describePassed,
  "known-failure": (rules) => countWithVerb(rules, "is a known failure", "are known failures"),
  fixed: (rules) => countWithVerb(rules, "is fixed: remove its entry", "are fixed: remove their entries"),
  "not-tested": (rules) => `${countWithVerb(rules, "was", "were")} not tested: no response could have shown a failure`,
  "not-applicable": (rules) => countWithVerb(rules, "is not applicable", "are not applicable"),
  "compares-searches": (rules, hasCanary) =>
    `${countWithVerb(rules, "compares", "compare")} several searches and ${rules.length === 1 ? "was" : "were"} not checked on single ones${getCanaryHint(hasCanary)}`,
};

const getOutcomeSign = (outcome: LoadRuleOutcome): Sign =>
  outcome === "compares-searches" ? verdictWords["not-applicable"].sign : verdictWords[outcome].sign;

/** Groups rules by reason, in the order of their first rules. The reason is empty if there is none. */
const createReasonEntries = (rulesWithReasons: readonly LoadRule[]): readonly Entry[] => {
  const byReason = new Map<string, readonly string[]>();
  for (const { rule, reason = "" } of rulesWithReasons) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), rule]);
  }
  return [...byReason].map(([reason, rules]) => ({
    line: [...joinNames(rules), ...(reason === "" ? [] : [`: ${reason}`])],
  }));
};

/** Reports whether each rule with this outcome has a reason. */
const hasReasons = (outcome: LoadRuleOutcome): boolean =>
  outcome === "warned" || outcome === "blocked" || outcome === "not-tested";

interface JudgementOptions {
  /** Whether a canary ran during the load. Undefined if unknown. */
  readonly hasCanary: boolean | undefined;
  /** Whether rules that were not tested are listed too. The page always lists them. */
  readonly showUntested: boolean;
}

const createOutcomeEntry = (
  outcome: LoadRuleOutcome,
  { rules, broken }: LoadJudgement,
  { hasCanary, showUntested }: JudgementOptions,
): readonly Entry[] => {
  const outcomeRules = rules.filter((rule) => rule.outcome === outcome);
  const reasons = hasReasons(outcome) ? list(createReasonEntries(outcomeRules), { max: maxRules }) : [];
  return outcomeRules.length === 0
    ? []
    : [
        {
          sign: getOutcomeSign(outcome),
          line: outcomeText[outcome](outcomeRules, hasCanary),
          children: [
            ...(outcome === "failed" ? list(broken.map(createFailedRuleEntry), { max: maxRules }) : []),
            ...(reasons.length === 0
              ? []
              : [onPage(fold("Rules and reasons", reasons), outcome === "not-tested" && !showUntested ? [] : reasons)]),
          ],
        },
      ];
};

/** Returns ✓ if every exchange was judged, ~ if only some were, and ? if none was. */
const getJudgementSign = (judgement: LoadJudgement): Sign => {
  if (!hasJudgedExchanges(judgement)) {
    return verdictWords["blocked"].sign;
  }
  return isFullyJudged(judgement) ? verdictWords.passed.sign : verdictWords.warned.sign;
};

export const judgementTitle = "Exchanges of the load";

const createJudgementBlocks = (judgement: LoadJudgement, options: JudgementOptions): readonly Block[] =>
  list([
    {
      sign: getJudgementSign(judgement),
      line: judgement.sentence,
      children: [
        ...judgement.problems.map((problem) => paragraph(problem)),
        // The report of a load shows these among the reasons it is incomplete.
        ...(options.hasCanary === undefined ? [judgement.notTheApi, judgement.notAlwaysTheApi] : []).flatMap((reason) =>
          reason === undefined ? [] : [paragraph(reason.message)],
        ),
        ...list(
          hasJudgedExchanges(judgement)
            ? loadRuleOutcomes.flatMap((outcome) => createOutcomeEntry(outcome, judgement, options))
            : [],
        ),
      ],
    },
  ]);

/** Lists the verdicts of all rules on the exchanges of the load, and the number of judged exchanges. */
export const createJudgementSection = (
  { judgement, unjudged }: Pick<LoadResult, "judgement" | "unjudged">,
  options: JudgementOptions,
): Section => {
  if (judgement !== undefined) {
    return { title: judgementTitle, blocks: createJudgementBlocks(judgement, options) };
  }
  return {
    title: judgementTitle,
    blocks: unjudged === undefined ? [] : list([{ sign: verdictWords["blocked"].sign, line: unjudged }]),
  };
};

/** Like `createJudgementSection`, for the report of a load. Empty if no load was sent. */
export const createLoadJudgementSection = (result: LoadResult, showUntested: boolean): Section =>
  isUnsent(result)
    ? { title: judgementTitle, blocks: [] }
    : createJudgementSection(result, { hasCanary: result.canary !== undefined, showUntested });
