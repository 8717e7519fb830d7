import { groupBy, isJudged } from "@assay/results";
import type { BlockedBy, RuleVerdict } from "@assay/results";
import { type Sign, verdictWords } from "./outcome-words.ts";
import { escapeForDisplay } from "./shown-text.ts";

const blockLabels: Readonly<Record<BlockedBy, string>> = {
  prerequisite: "",
  transport: "transport: ",
  limit: "limit of Assay: ",
};

/** Describes as a clause what blocks a verdict. A missing prerequisite needs no label. */
export const describeBlock = ({
  blockedBy,
  missing,
}: {
  readonly blockedBy: BlockedBy;
  readonly missing: string;
}): string => `${blockLabels[blockedBy]}${missing}`;

/** Rules that were not judged for the same reason. */
export interface UnjudgedGroup {
  readonly sign: Sign;
  readonly word: string;
  /** The reason, if the verdict has one. Not escaped. */
  readonly reason?: string;
  /** Ids of the rules. Not escaped. */
  readonly rules: readonly string[];
}

const findVerdictReason = ({ verdict }: RuleVerdict): string | undefined => {
  if (verdict.outcome === "not-applicable") {
    return verdict.reason;
  }
  if (verdict.outcome === "not-tested") {
    return verdict.reason;
  }
  return verdict.outcome === "blocked" ? describeBlock(verdict) : undefined;
};

const toGroup = (rules: readonly RuleVerdict[]): readonly UnjudgedGroup[] => {
  const [firstRule] = rules;
  if (firstRule === undefined) {
    return [];
  }
  const reason = findVerdictReason(firstRule);
  const group = { ...verdictWords[firstRule.verdict.outcome], rules: rules.map(({ rule }) => rule) };
  return [reason === undefined ? group : { ...group, reason }];
};

/** Groups rules that were not tested, not applicable or blocked by verdict and printed reason. */
export const groupUnjudged = (verdicts: readonly RuleVerdict[]): readonly UnjudgedGroup[] => {
  const unjudged = verdicts.filter((rule) => !isJudged(rule));
  return groupBy(unjudged, (rule) =>
    JSON.stringify([rule.verdict.outcome, escapeForDisplay(findVerdictReason(rule) ?? "")]),
  ).flatMap(toGroup);
};
