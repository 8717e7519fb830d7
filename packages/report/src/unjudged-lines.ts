import type { Obstacle, RuleVerdict } from "@assay/results";
import { counted } from "./counted.ts";
import { painted, type Sign, verdictWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { groupedBy } from "./rule-groups.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** What stands in the way of a verdict, in a word or two. */
export const obstacleWords: Readonly<Record<Obstacle, string>> = {
  prerequisite: "missing",
  transport: "transport",
  limit: "limit of the harness",
};

/** Rules that were not judged for one and the same reason. */
export interface UnjudgedGroup {
  readonly sign: Sign;
  readonly word: string;
  /** Why, where the verdict says more than its word; visibly escaped and cut, so that no group has a long key. */
  readonly reason?: string;
  /** Ids of the rules; not escaped. */
  readonly rules: readonly string[];
}

const reasonOf = ({ verdict }: RuleVerdict): string | undefined => {
  if (verdict.outcome === "not-applicable") {
    return shownText(verdict.reason);
  }
  if (verdict.outcome === "not-observed") {
    return verdict.reason === undefined ? undefined : shownText(verdict.reason);
  }
  return verdict.outcome === "could-not-run"
    ? `${obstacleWords[verdict.obstacle]}: ${shownText(verdict.missing)}`
    : undefined;
};

const isJudged = ({ verdict }: RuleVerdict): boolean =>
  verdict.outcome === "passed" || verdict.outcome === "failed" || verdict.outcome === "warned";

const groupOf = (rules: readonly RuleVerdict[]): readonly UnjudgedGroup[] => {
  const [first] = rules;
  if (first === undefined) {
    return [];
  }
  const reason = reasonOf(first);
  const group = { ...verdictWords[first.verdict.outcome], rules: rules.map(({ rule }) => rule) };
  return [reason === undefined ? group : { ...group, reason }];
};

/** Every rule that was not observed, does not apply or could not run, grouped by verdict and reason. */
export const unjudgedGroups = (verdicts: readonly RuleVerdict[]): readonly UnjudgedGroup[] => {
  const unjudged = verdicts.filter((rule) => !isJudged(rule));
  return groupedBy(unjudged, (rule) => JSON.stringify([rule.verdict.outcome, reasonOf(rule)])).flatMap(groupOf);
};

const groupLines = ({ sign, word, reason, rules }: UnjudgedGroup, page: Page): readonly string[] => {
  const { columns } = page;
  const why = reason === undefined ? "" : `: ${reason}`;
  const ids = rules.map((rule) => shownText(rule, "name")).join(", ");
  return [
    ...wrapIndented(`${sign} ${word} (${rules.length})${why}`, { columns, indent: 2, hanging: 4 }).map((line) =>
      painted(sign, line, page),
    ),
    ...wrapIndented(ids, { columns, indent: 4 }),
  ];
};

/** Lines for rules that were not judged, each group with its reason and all of its rules; empty when all were judged. */
export const unjudgedLines = (verdicts: readonly RuleVerdict[], page: Page): readonly string[] => {
  const groups = unjudgedGroups(verdicts);
  const count = groups.reduce((sum, { rules }) => sum + rules.length, 0);
  return count === 0
    ? []
    : [
        page.paint.bold(`Not judged: ${count} of ${counted(verdicts.length, "rule")}`),
        ...groups.flatMap((group) => groupLines(group, page)),
      ];
};
