import type { RuleId } from "@assay/contract";
import type { KnownFinding } from "./known-finding.ts";
import type { TargetPattern } from "./target-pattern.ts";

/** One line of a list of known failures: rules that are known to fail on some targets, and why. */
export interface KnownFailureEntry {
  /** The rule as written: an id, one with the code of a finding, or the beginning of ids with `*` at its end. */
  readonly rule: string;
  /** The rules it stands for that can fail; at least one. */
  readonly rules: readonly RuleId[];
  /** Which of the findings of its rule it excuses [all: they are of one kind]. */
  readonly finding?: KnownFinding;
  readonly target: TargetPattern;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which the entry holds, `YYYY-MM-DD`. Only entries of the tool's own lists may be without one. */
  readonly expires?: string;
  /** The list, as the user named it. */
  readonly source: string;
  /** Line of the entry in the list, from 1. */
  readonly line: number;
  /** Whether the list comes with the tool: then a rule that holds after all is worth a note and no more. */
  readonly isShipped: boolean;
}

/** A list of known failures as it was read. */
export interface KnownFailureList {
  /** The entries without a mistake, in the order of the list. */
  readonly entries: readonly KnownFailureEntry[];
  /** What is wrong with the others: a sentence each, which begins with list and line; in the order of lines. */
  readonly mistakes: readonly string[];
  /** Entries for rules that are gone: a sentence each, which begins in the same way. They say nothing any more. */
  readonly notes: readonly string[];
}
