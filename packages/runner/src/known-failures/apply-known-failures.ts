import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { findingName } from "@assay/results";
import type { KnownFailure, ReportedFinding, RuleVerdict, Verdict } from "@assay/results";
import type { KnownFailureEntry, KnownFailureList } from "./known-failure-entry.ts";
import { excuses } from "./known-finding.ts";
import { quoted } from "./quoted.ts";
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
  const subject = `${describePlace(entry)}: the entry for ${quoted(rule)}`;
  return day === undefined
    ? `${subject} cannot be used, since the run does not say on which day it began`
    : `${subject} expired on ${expires}, before the run of ${day}; remove it, or give it another date`;
};

const overlay = (entry: KnownFailureEntry, status: KnownFailure["status"]): KnownFailure => {
  const { reason, owner, expires, source, line } = entry;
  return { status, reason, owner, ...defined({ expires }), source, line };
};

/** Returns the entries for a rule, in order. */
const selectEntries = (entries: readonly KnownFailureEntry[], rule: string): readonly KnownFailureEntry[] =>
  entries.filter(({ rules }) => rules.some((id) => id === rule));

type Failing = Extract<Verdict, { readonly outcome: "failed" | "warned" }>;

const isFailing = (verdict: Verdict): verdict is Failing =>
  verdict.outcome === "failed" || verdict.outcome === "warned";

const isSameKind = (first: ReportedFinding, second: ReportedFinding): boolean =>
  first.code === second.code && first.argument === second.argument;

/**
 * Reports whether the kept findings of a verdict include every kind. One finding of each kind is kept before a second of any kind. So if two
 * kept findings are of the same kind, no other kind was dropped.
 */
const showsAllKinds = ({ findings, moreFindings }: Failing): boolean =>
  moreFindings === 0 ||
  findings.some((finding, index) => findings.slice(0, index).some((earlier) => isSameKind(finding, earlier)));

const entryExcusing = (
  entries: readonly KnownFailureEntry[],
  finding: ReportedFinding,
): KnownFailureEntry | undefined => entries.find((entry) => excuses(entry.finding, finding));

/** Returns the entry to report if all findings of a verdict are known, or undefined if one is unknown. */
const findExcuse = (verdict: Failing, entries: readonly KnownFailureEntry[]): KnownFailureEntry | undefined => {
  const ofWholeRule = entries.find(({ finding }) => finding === undefined);
  const isExcused =
    showsAllKinds(verdict) && verdict.findings.every((finding) => entryExcusing(entries, finding) !== undefined);
  return isExcused ? entryExcusing(entries, verdict.findings[0]) : ofWholeRule;
};

/** Moves unknown findings to the front of a verdict, because they cause the failure. */
const sortUnexcusedFirst = (verdict: Failing, entries: readonly KnownFailureEntry[]): Failing => {
  const isUnexcused = (finding: ReportedFinding): boolean => entryExcusing(entries, finding) === undefined;
  const [first = verdict.findings[0], ...rest] = [
    ...verdict.findings.filter(isUnexcused),
    ...verdict.findings.filter((finding) => !isUnexcused(finding)),
  ];
  return { ...verdict, findings: [first, ...rest] };
};

const withKnownFailure = (rule: RuleVerdict, ranked: readonly KnownFailureEntry[]): RuleVerdict => {
  const { verdict } = rule;
  const entries = selectEntries(ranked, rule.rule);
  const [first] = entries;
  if (first === undefined) {
    return rule;
  }
  if (isFailing(verdict)) {
    const excuse = findExcuse(verdict, entries);
    return excuse === undefined
      ? { ...rule, verdict: sortUnexcusedFirst(verdict, entries) }
      : { ...rule, known: overlay(excuse, "known-failure") };
  }
  return verdict.outcome === "passed" && !first.isShipped ? { ...rule, known: overlay(first, "fixed") } : rule;
};

const listFindingNames = ({ findings }: Failing): string =>
  [...new Set(findings.map((finding) => `\`${findingName(finding)}\``))].slice(0, 3).join(", ");

/** Returns one sentence for each of the user's entries whose rule failed but whose finding did not occur. */
const describeStale = ({ rule, verdict }: RuleVerdict, ranked: readonly KnownFailureEntry[]): readonly string[] =>
  !isFailing(verdict) || !showsAllKinds(verdict)
    ? []
    : selectEntries(ranked, rule)
        .filter((entry) => !entry.isShipped && !verdict.findings.some((finding) => excuses(entry.finding, finding)))
        .map(
          (entry) =>
            `${describePlace(entry)}: ${quoted(entry.rule)} did not occur; the findings were ${listFindingNames(verdict)}; remove the line or correct it`,
        );

const describeNotes = (rule: RuleVerdict, ranked: readonly KnownFailureEntry[]): readonly string[] => {
  const { verdict } = rule;
  const entries = selectEntries(ranked, rule.rule);
  const [entry] = entries;
  if (entry?.isShipped === true && verdict.outcome === "passed") {
    return [`${describePlace(entry)}: \`${rule.rule}\` passed on this target, although the list expects it to fail`];
  }
  const isPart =
    isFailing(verdict) &&
    findExcuse(verdict, entries) === undefined &&
    verdict.findings.some((finding) => entryExcusing(entries, finding) !== undefined);
  return isPart ? [`\`${rule.rule}\` is a known failure only in part; findings that no list names come first`] : [];
};

/** Returns a note if an entry matches only some targets of a recording. Such entries are ignored, because verdicts cover all targets. */
const noteIfForSomeTargets = (entry: KnownFailureEntry, targets: readonly string[]): readonly string[] => {
  const otherTarget = targets.find((target) => !matchesTarget(entry.target, target));
  const isSome = otherTarget !== undefined && targets.some((target) => matchesTarget(entry.target, target));
  return isSome
    ? [
        `${describePlace(entry)}: the entry for ${quoted(entry.rule)} is not used, since the recording also has the target ${otherTarget}`,
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
  const here = entries.filter((entry) => targets.every((judged) => matchesTarget(entry.target, judged)));
  const valid = here.filter((entry) => describeExpiry(entry, day) === undefined);
  const ranked = [...valid.filter(({ isShipped }) => !isShipped), ...valid.filter(({ isShipped }) => isShipped)];
  return {
    verdicts: verdicts.map((rule) => withKnownFailure(rule, ranked)),
    mistakes: [
      ...here.flatMap((entry) => describeExpiry(entry, day) ?? []),
      ...verdicts.flatMap((rule) => describeStale(rule, ranked)),
    ],
    notes: [
      ...entries.flatMap((entry) => noteIfForSomeTargets(entry, targets)),
      ...verdicts.flatMap((rule) => describeNotes(rule, ranked)),
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
  const applied = applyKnownFailures(verdicts, entries, run);
  return {
    ...applied,
    mistakes: [...lists.flatMap(({ mistakes }) => mistakes), ...applied.mistakes],
    notes: [...lists.flatMap(({ notes }) => notes), ...applied.notes],
  };
};
