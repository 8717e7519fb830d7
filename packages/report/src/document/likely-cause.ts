import { isRuleId, ruleRecord } from "@assay/contract";

/** The likely cause of a finding, or of any finding of a rule; undefined if none is known. `assay doctor` checks for each. */
export const likelyCause = (rule: string, code?: string): string | undefined =>
  isRuleId(rule) && (code === undefined || rule !== "stream/two-fields" || code === "comment")
    ? ruleRecord(rule).likelyCause
    : undefined;
