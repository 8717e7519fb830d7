import { groupedBy, isJudged } from "@assay/results";
import type { BlockedBy, RuleVerdict } from "@assay/results";
import { type Sign, verdictWords } from "./outcome-words.ts";
import { shownText } from "./shown-text.ts";

const blockWords: Readonly<Record<BlockedBy, string>> = {
  prerequisite: "",
  transport: "transport: ",
  limit: "limit of Assay: ",
};

/** What blocks a verdict, one clause. A missing prerequisite needs no label. */
export const blockedBy = ({
  blockedBy,
  missing,
}: {
  readonly blockedBy: BlockedBy;
  readonly missing: string;
}): string => `${blockWords[blockedBy]}${missing}`;

/** Rules that were not judged for the same reason. */
export interface UnjudgedGroup {
  readonly sign: Sign;
  readonly word: string;
  /** The reason, if the verdict has one; not escaped. */
  readonly reason?: string;
  /** Ids of the rules; not escaped. */
  readonly rules: readonly string[];
}

const reasonOf = ({ verdict }: RuleVerdict): string | undefined => {
  if (verdict.outcome === "not-applicable") {
    return verdict.reason;
  }
  if (verdict.outcome === "not-tested") {
    return verdict.reason;
  }
  return verdict.outcome === "blocked" ? blockedBy(verdict) : undefined;
};

const groupOf = (rules: readonly RuleVerdict[]): readonly UnjudgedGroup[] => {
  const [first] = rules;
  if (first === undefined) {
    return [];
  }
  const reason = reasonOf(first);
  const group = { ...verdictWords[first.verdict.outcome], rules: rules.map(({ rule }) => rule) };
  return [reason === undefined ? group : { ...group, reason }];
};

/** Rules that were not tested, not applicable or blocked, grouped by verdict and printed reason. */
export const unjudgedGroups = (verdicts: readonly RuleVerdict[]): readonly UnjudgedGroup[] => {
  const unjudged = verdicts.filter((rule) => !isJudged(rule));
  return groupedBy(unjudged, (rule) => JSON.stringify([rule.verdict.outcome, shownText(reasonOf(rule) ?? "")])).flatMap(
    groupOf,
  );
};
