import type { RuleId } from "@assay/contract";
import type { KnownFinding } from "./known-finding.ts";
import type { TargetPattern } from "./target-pattern.ts";

/** One line of a list of known failures: rules that are known to fail on some targets, and why. */
export interface KnownFailureEntry {
  /** The rule as written: an id, one with the code of a finding, or the beginning of ids with `*` at its end. */
  readonly rule: string;
  /** The rules it matches that can fail; at least one. */
  readonly rules: readonly RuleId[];
  /** The findings of its rule that it accepts [all: they are of one kind]. */
  readonly finding?: KnownFinding;
  readonly target: TargetPattern;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which the entry applies, `YYYY-MM-DD`. Optional only in shipped lists. */
  readonly expires?: string;
  /** The list, as the user named it. */
  readonly source: string;
  /** Line of the entry in the list, from 1. */
  readonly line: number;
  /** True if the list is shipped with the tool. Then a rule that passed after all only gets a note. */
  readonly isShipped: boolean;
}

/** A parsed list of known failures. */
export interface KnownFailureList {
  /** The entries without a mistake, in the order of the list. */
  readonly entries: readonly KnownFailureEntry[];
  /** Mistakes in the other entries: one sentence each, which begins with list and line; in the order of lines. */
  readonly mistakes: readonly string[];
  /** Entries for removed rules, which have no effect: one sentence each, which begins in the same way. */
  readonly notes: readonly string[];
}
