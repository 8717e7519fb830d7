import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { formatFindingName } from "@assay/results";
import type { KnownFailure, ReportedFinding, RuleVerdict, Verdict } from "@assay/results";
import type { KnownFailureEntry, KnownFailureList } from "./known-failure-entry.ts";
import { acceptsFinding } from "./known-finding.ts";
import { quoteWord } from "./quote-word.ts";
import { matchesTarget } from "./target-pattern.ts";

/** The properties of a run that determine which entries apply. */
export interface KnownFailureRun {
  /** Base URL of the target, or the name of a recording. */
  readonly target: string;
  /** Base URLs to use instead of `target`, for a recording that contains them. An entry applies if it matches all of them. */
  readonly targets?: readonly string[];
  /** Start of the run, ISO 8601 in UTC. Entries are expired if this day, not the current day, is after their expiry date. */
  readonly startedAt: string;
}

/** Verdicts with their known failures. */
export interface AppliedKnownFailures {
  readonly verdicts: readonly RuleVerdict[];
  /** One sentence for each expired entry and each entry whose finding did not occur. Any of them fails the run. */
  readonly mistakes: readonly string[];
  /** One sentence for each rule that passed although a shipped list expects a failure, and each rule with only some known findings. */
  readonly notes: readonly string[];
}

const describePlace = ({ source, line }: KnownFailureEntry): string => `${visibleText(source, 200)}, line ${line}`;

/** Describes an expired entry in one sentence. Returns undefined if the entry has not expired. */
const describeExpiry = (entry: KnownFailureEntry, day: string | undefined): string | undefined => {
  const { rule, expires } = entry;
  if (expires === undefined || (day !== undefined && day <= expires)) {
    return undefined;
  }
  const subject = `${describePlace(entry)}: the entry for ${quoteWord(rule)}`;
  return day === undefined
    ? `${subject} cannot be used, since the run does not say on which day it began`
    : `${subject} expired on ${expires}, before the run of ${day}; remove it, or give it another date`;
};

const toKnownFailure = (entry: KnownFailureEntry, status: KnownFailure["status"]): KnownFailure => {
  const { reason, owner, expires, source, line } = entry;
  return { status, reason, owner, ...defined({ expires }), source, line };
};

/** Returns the entries for a rule, in order. */
const selectEntries = (entries: readonly KnownFailureEntry[], rule: string): readonly KnownFailureEntry[] =>
  entries.filter(({ rules }) => rules.some((id) => id === rule));

type FailingVerdict = Extract<Verdict, { readonly outcome: "failed" | "warned" }>;

const isFailing = (verdict: Verdict): verdict is FailingVerdict =>
  verdict.outcome === "failed" || verdict.outcome === "warned";

const isSameKind = (first: ReportedFinding, second: ReportedFinding): boolean =>
  first.code === second.code && first.argument === second.argument;

/**
 * Reports whether the kept findings of a verdict include every kind. One finding of each kind is kept before a second of any kind. So if two
 * kept findings are of the same kind, no other kind was dropped.
 */
const showsAllKinds = ({ findings, moreFindings }: FailingVerdict): boolean =>
  moreFindings === 0 ||
  findings.some((finding, index) =>
    findings.slice(0, index).some((earlierFinding) => isSameKind(finding, earlierFinding)),
  );

const findExcusingEntry = (
  entries: readonly KnownFailureEntry[],
  finding: ReportedFinding,
): KnownFailureEntry | undefined => entries.find((entry) => acceptsFinding(entry.finding, finding));

/** Returns the entry to report if all findings of a verdict are known, or undefined if one is unknown. */
const findExcuse = (verdict: FailingVerdict, entries: readonly KnownFailureEntry[]): KnownFailureEntry | undefined => {
  const wholeRuleEntry = entries.find(({ finding }) => finding === undefined);
  const isExcused =
    showsAllKinds(verdict) && verdict.findings.every((finding) => findExcusingEntry(entries, finding) !== undefined);
  return isExcused ? findExcusingEntry(entries, verdict.findings[0]) : wholeRuleEntry;
};

/** Moves unknown findings to the front of a verdict, because they cause the failure. */
const sortUnexcusedFirst = (verdict: FailingVerdict, entries: readonly KnownFailureEntry[]): FailingVerdict => {
  const isUnexcused = (finding: ReportedFinding): boolean => findExcusingEntry(entries, finding) === undefined;
  const [first = verdict.findings[0], ...otherFindings] = [
    ...verdict.findings.filter(isUnexcused),
    ...verdict.findings.filter((finding) => !isUnexcused(finding)),
  ];
  return { ...verdict, findings: [first, ...otherFindings] };
};

const withKnownFailure = (rule: RuleVerdict, rankedEntries: readonly KnownFailureEntry[]): RuleVerdict => {
  const { verdict } = rule;
  const entries = selectEntries(rankedEntries, rule.rule);
  const [first] = entries;
  if (first === undefined) {
    return rule;
  }
  if (isFailing(verdict)) {
    const excuse = findExcuse(verdict, entries);
    return excuse === undefined
      ? { ...rule, verdict: sortUnexcusedFirst(verdict, entries) }
      : { ...rule, known: toKnownFailure(excuse, "known-failure") };
  }
  return verdict.outcome === "passed" && !first.isShipped ? { ...rule, known: toKnownFailure(first, "fixed") } : rule;
};

const listFindingNames = ({ findings }: FailingVerdict): string =>
  [...new Set(findings.map((finding) => `\`${formatFindingName(finding)}\``))].slice(0, 3).join(", ");

/** Returns one sentence for each of the user's entries whose rule failed but whose finding did not occur. */
const describeStaleEntries = (
  { rule, verdict }: RuleVerdict,
  rankedEntries: readonly KnownFailureEntry[],
): readonly string[] =>
  !isFailing(verdict) || !showsAllKinds(verdict)
    ? []
    : selectEntries(rankedEntries, rule)
        .filter(
          (entry) => !entry.isShipped && !verdict.findings.some((finding) => acceptsFinding(entry.finding, finding)),
        )
        .map(
          (entry) =>
            `${describePlace(entry)}: ${quoteWord(entry.rule)} did not occur; the findings were ${listFindingNames(verdict)}; remove the line or correct it`,
        );

const describeNotes = (rule: RuleVerdict, rankedEntries: readonly KnownFailureEntry[]): readonly string[] => {
  const { verdict } = rule;
  const entries = selectEntries(rankedEntries, rule.rule);
  const [entry] = entries;
  if (entry?.isShipped === true && verdict.outcome === "passed") {
    return [`${describePlace(entry)}: \`${rule.rule}\` passed on this target, although the list expects it to fail`];
  }
  const isPartlyKnown =
    isFailing(verdict) &&
    findExcuse(verdict, entries) === undefined &&
    verdict.findings.some((finding) => findExcusingEntry(entries, finding) !== undefined);
  return isPartlyKnown
    ? [`\`${rule.rule}\` is a known failure only in part; findings that no list names come first`]
    : [];
};

/** Returns a note if an entry matches only some targets of a recording. Such entries are ignored, because verdicts cover all targets. */
const notePartialMatch = (entry: KnownFailureEntry, targets: readonly string[]): readonly string[] => {
  const otherTarget = targets.find((target) => !matchesTarget(entry.target, target));
  const matchesSome = otherTarget !== undefined && targets.some((target) => matchesTarget(entry.target, target));
  return matchesSome
    ? [
        `${describePlace(entry)}: the entry for ${quoteWord(entry.rule)} is not used, since the recording also has the target ${otherTarget}`,
      ]
    : [];
};

/**
 * Marks verdicts as known failures or as fixed, without changing their outcomes.
 *
 * - A rule that failed or warned is a known failure if entries match all of its findings.
 * - A rule that passed although one of the user's entries matches it is fixed, even if the entry is a pattern that matches other rules.
 * - All other verdicts are unchanged, so rules that were not tested or were blocked remain visible.
 *
 * Entries for other targets are ignored. The user's entries take precedence over shipped lists. An entry that expired before the day of
 * the run is ignored and fails the run. The result does not depend on the current date.
 */
export const applyKnownFailures = (
  verdicts: readonly RuleVerdict[],
  entries: readonly KnownFailureEntry[],
  { target, targets = [target], startedAt }: KnownFailureRun,
): AppliedKnownFailures => {
  const day = /^\d{4}-\d\d-\d\d/u.exec(startedAt)?.[0];
  const matchingEntries = entries.filter((entry) =>
    targets.every((judgedTarget) => matchesTarget(entry.target, judgedTarget)),
  );
  const validEntries = matchingEntries.filter((entry) => describeExpiry(entry, day) === undefined);
  const rankedEntries = [
    ...validEntries.filter(({ isShipped }) => !isShipped),
    ...validEntries.filter(({ isShipped }) => isShipped),
  ];
  return {
    verdicts: verdicts.map((rule) => withKnownFailure(rule, rankedEntries)),
    mistakes: [
      ...matchingEntries.flatMap((entry) => describeExpiry(entry, day) ?? []),
      ...verdicts.flatMap((rule) => describeStaleEntries(rule, rankedEntries)),
    ],
    notes: [
      ...entries.flatMap((entry) => notePartialMatch(entry, targets)),
      ...verdicts.flatMap((rule) => describeNotes(rule, rankedEntries)),
    ],
  };
};

/**
 * Like `applyKnownFailures`, but takes whole lists. Mistakes in the lists precede those about the run.
 */
export const applyKnownFailureLists = (
  verdicts: readonly RuleVerdict[],
  lists: readonly KnownFailureList[],
  run: KnownFailureRun,
): AppliedKnownFailures => {
  const entries = lists.flatMap((list) => list.entries);
  const result = applyKnownFailures(verdicts, entries, run);
  return {
    ...result,
    mistakes: [...lists.flatMap(({ mistakes }) => mistakes), ...result.mistakes],
    notes: [...lists.flatMap(({ notes }) => notes), ...result.notes],
  };
};
