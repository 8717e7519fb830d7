import { isRuleId, ruleRecord } from "@assay/contract";

/** Returns the likely cause of a finding, or of any finding of a rule, or undefined. `assay doctor` checks for each cause. */
export const findLikelyCause = (rule: string, code?: string): string | undefined =>
  isRuleId(rule) && (code === undefined || rule !== "stream/two-fields" || code === "comment")
    ? ruleRecord(rule).likelyCause
    : undefined;
