import type { RuleId } from "@assay/contract";
import type { KnownFinding } from "./known-finding.ts";
import type { TargetPattern } from "./target-pattern.ts";

/** One line of a list of known failures: rules that fail on some targets, and the reason. */
export interface KnownFailureEntry {
  /** The rule as written: an id, an id with the code of a finding, or a prefix of ids followed by `*`. */
  readonly rule: string;
  /** The matching rules that can fail. Contains at least one. */
  readonly rules: readonly RuleId[];
  /** The accepted findings of the rule. Default: all, because they are of one kind. */
  readonly finding?: KnownFinding;
  readonly target: TargetPattern;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which the entry applies, `YYYY-MM-DD`. Optional only in shipped lists. */
  readonly expires?: string;
  /** Name of the list, as passed by the user. */
  readonly source: string;
  /** Line number of the entry in the list, starting at 1. */
  readonly line: number;
  /** True if the list is shipped with the tool. A rule that passes then only gets a note. */
  readonly isShipped: boolean;
}

/** A parsed list of known failures. */
export interface KnownFailureList {
  /** The valid entries, in list order. */
  readonly entries: readonly KnownFailureEntry[];
  /** One sentence for each mistake, in line order. Each begins with the list and line number. */
  readonly mistakes: readonly string[];
  /** One sentence for each entry for a removed rule, which has no effect. Each begins with the list and line number. */
  readonly notes: readonly string[];
}
