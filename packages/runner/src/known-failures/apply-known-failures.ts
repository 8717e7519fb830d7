import { visibleText } from "@assay/evidence";
import type { KnownFailure, RuleVerdict } from "@assay/results";
import type { KnownFailureEntry } from "./known-failure-entry.ts";
import { quoted } from "./quoted.ts";
import { matchesTarget } from "./target-pattern.ts";

/** What of a run decides which entries speak of it. */
export interface KnownFailureRun {
  /** Base URL of the target, or the name of a recording. */
  readonly target: string;
  /** When the run began, ISO 8601 in UTC; entries expire by this day, never by today's. */
  readonly startedAt: string;
}

/** Verdicts with what is known of them. */
export interface AppliedKnownFailures {
  readonly verdicts: readonly RuleVerdict[];
  /** Entries that have expired: a sentence each. Any of them fails the run. */
  readonly mistakes: readonly string[];
  /** Rules that hold although a list of the tool says that they fail: a sentence each. */
  readonly notes: readonly string[];
}

const placeOf = ({ source, line }: KnownFailureEntry): string => `${visibleText(source, 200)}, line ${line}`;

/** Why an entry is past its day, one sentence; `undefined` while it holds. */
const expiryOf = (entry: KnownFailureEntry, day: string | undefined): string | undefined => {
  const { rule, expires } = entry;
  if (expires === undefined || (day !== undefined && day <= expires)) {
    return undefined;
  }
  const what = `${placeOf(entry)}: the entry for ${quoted(rule)}`;
  return day === undefined
    ? `${what} cannot be used, since the run does not say on which day it began`
    : `${what} expired on ${expires}, before the run of ${day}; remove it, or give it another date`;
};

const overlay = (entry: KnownFailureEntry, status: KnownFailure["status"]): KnownFailure => {
  const { reason, owner, expires, source, line } = entry;
  return { status, reason, owner, ...(expires === undefined ? {} : { expires }), source, line };
};

const speakingOf = (entries: readonly KnownFailureEntry[], rule: string): KnownFailureEntry | undefined =>
  entries.find(({ rules }) => rules.some((id) => id === rule));

const judgedAnew = (rule: RuleVerdict, entries: readonly KnownFailureEntry[]): RuleVerdict => {
  const entry = speakingOf(entries, rule.rule);
  const { outcome } = rule.verdict;
  if (entry === undefined) {
    return rule;
  }
  if (outcome === "failed" || outcome === "warned") {
    return { ...rule, known: overlay(entry, "known-failure") };
  }
  return outcome === "passed" && !entry.isShipped ? { ...rule, known: overlay(entry, "unexpectedly-fixed") } : rule;
};

const noteOf = ({ rule, verdict }: RuleVerdict, entries: readonly KnownFailureEntry[]): readonly string[] => {
  const entry = speakingOf(entries, rule);
  return entry?.isShipped === true && verdict.outcome === "passed"
    ? [`${placeOf(entry)}: \`${rule}\` holds on this target, although the list expects it to fail`]
    : [];
};

/**
 * Lays known failures over verdicts, which keep what they say. A rule that fails or warns becomes a known failure; one that
 * holds although an entry of the user's says otherwise is unexpectedly fixed, also when its entry is a pattern that fits
 * other rules; every other verdict stays as it is, so nothing hides that a rule was not observed or could not run. Entries
 * for other targets are left alone, and of those for this one the user's come before the tool's. An entry whose day was
 * before that of the run is not used and fails the run. Pure: the same arguments give the same answer on any day.
 */
export const applyKnownFailures = (
  verdicts: readonly RuleVerdict[],
  entries: readonly KnownFailureEntry[],
  { target, startedAt }: KnownFailureRun,
): AppliedKnownFailures => {
  const day = /^\d{4}-\d\d-\d\d/u.exec(startedAt)?.[0];
  const here = entries.filter((entry) => matchesTarget(entry.target, target));
  const valid = here.filter((entry) => expiryOf(entry, day) === undefined);
  const ranked = [...valid.filter(({ isShipped }) => !isShipped), ...valid.filter(({ isShipped }) => isShipped)];
  return {
    verdicts: verdicts.map((rule) => judgedAnew(rule, ranked)),
    mistakes: here.flatMap((entry) => expiryOf(entry, day) ?? []),
    notes: verdicts.flatMap((rule) => noteOf(rule, ranked)),
  };
};
