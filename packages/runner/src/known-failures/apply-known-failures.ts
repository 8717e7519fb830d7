import { defined } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { findingName } from "@assay/results";
import type { KnownFailure, ReportedFinding, RuleVerdict, Verdict } from "@assay/results";
import type { KnownFailureEntry, KnownFailureList } from "./known-failure-entry.ts";
import { excuses } from "./known-finding.ts";
import { quoted } from "./quoted.ts";
import { matchesTarget } from "./target-pattern.ts";

/** What of a run decides which entries speak of it. */
export interface KnownFailureRun {
  /** Base URL of the target, or the name of a recording. */
  readonly target: string;
  /** Base URLs instead of `target`, for a recording that names them; entries are used where they are for each of them. */
  readonly targets?: readonly string[];
  /** When the run began, ISO 8601 in UTC; entries expire by this day, never by today's. */
  readonly startedAt: string;
}

/** Verdicts with what is known of them. */
export interface AppliedKnownFailures {
  readonly verdicts: readonly RuleVerdict[];
  /** Entries that have expired, or that name a finding which did not come: a sentence each. Any of them fails the run. */
  readonly mistakes: readonly string[];
  /** Rules that hold although a list of the tool says that they fail, and rules of which it excuses a part: a sentence each. */
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
  return { status, reason, owner, ...defined({ expires }), source, line };
};

/** The entries that speak of a rule, the user's before the tool's. */
const speakingOf = (entries: readonly KnownFailureEntry[], rule: string): readonly KnownFailureEntry[] =>
  entries.filter(({ rules }) => rules.some((id) => id === rule));

type Broken = Extract<Verdict, { readonly outcome: "failed" | "warned" }>;

const isBroken = (verdict: Verdict): verdict is Broken => verdict.outcome === "failed" || verdict.outcome === "warned";

const isAlike = (one: ReportedFinding, other: ReportedFinding): boolean =>
  one.code === other.code && one.argument === other.argument;

/**
 * Whether the findings that a verdict kept are of all kinds that there were: one of each kind is kept before a second of
 * any, so where two are alike, none of the findings that were left out is of another kind.
 */
const showsAllKinds = ({ findings, moreFindings }: Broken): boolean =>
  moreFindings === 0 ||
  findings.some((finding, index) => findings.slice(0, index).some((other) => isAlike(finding, other)));

const excusing = (entries: readonly KnownFailureEntry[], finding: ReportedFinding): KnownFailureEntry | undefined =>
  entries.find((entry) => excuses(entry.finding, finding));

/** The entry that is told of where all findings of a verdict are excused; nothing where one of them is not. */
const excuseOf = (verdict: Broken, entries: readonly KnownFailureEntry[]): KnownFailureEntry | undefined => {
  const ofWholeRule = entries.find(({ finding }) => finding === undefined);
  const isExcused =
    showsAllKinds(verdict) && verdict.findings.every((finding) => excusing(entries, finding) !== undefined);
  return isExcused ? excusing(entries, verdict.findings[0]) : ofWholeRule;
};

/** The findings that no entry describes first: they are what fails. */
const unexcusedFirst = (verdict: Broken, entries: readonly KnownFailureEntry[]): Broken => {
  const isUnexcused = (finding: ReportedFinding): boolean => excusing(entries, finding) === undefined;
  const [first = verdict.findings[0], ...rest] = [
    ...verdict.findings.filter(isUnexcused),
    ...verdict.findings.filter((finding) => !isUnexcused(finding)),
  ];
  return { ...verdict, findings: [first, ...rest] };
};

const judgedAnew = (rule: RuleVerdict, ranked: readonly KnownFailureEntry[]): RuleVerdict => {
  const { verdict } = rule;
  const entries = speakingOf(ranked, rule.rule);
  const [first] = entries;
  if (first === undefined) {
    return rule;
  }
  if (isBroken(verdict)) {
    const excuse = excuseOf(verdict, entries);
    return excuse === undefined
      ? { ...rule, verdict: unexcusedFirst(verdict, entries) }
      : { ...rule, known: overlay(excuse, "known-failure") };
  }
  return verdict.outcome === "passed" && !first.isShipped ? { ...rule, known: overlay(first, "fixed") } : rule;
};

const namesOf = ({ findings }: Broken): string =>
  [...new Set(findings.map((finding) => `\`${findingName(finding)}\``))].slice(0, 3).join(", ");

/** Entries of the user's for findings that did not come, although their rule spoke: a sentence each. */
const staleOf = ({ rule, verdict }: RuleVerdict, ranked: readonly KnownFailureEntry[]): readonly string[] =>
  !isBroken(verdict) || !showsAllKinds(verdict)
    ? []
    : speakingOf(ranked, rule)
        .filter((entry) => !entry.isShipped && !verdict.findings.some((finding) => excuses(entry.finding, finding)))
        .map(
          (entry) =>
            `${placeOf(entry)}: ${quoted(entry.rule)} did not come; what was found is ${namesOf(verdict)}; remove the line or correct it`,
        );

const noteOf = (rule: RuleVerdict, ranked: readonly KnownFailureEntry[]): readonly string[] => {
  const { verdict } = rule;
  const entries = speakingOf(ranked, rule.rule);
  const [entry] = entries;
  if (entry?.isShipped === true && verdict.outcome === "passed") {
    return [`${placeOf(entry)}: \`${rule.rule}\` passed on this target, although the list expects it to fail`];
  }
  const isPart =
    isBroken(verdict) &&
    excuseOf(verdict, entries) === undefined &&
    verdict.findings.some((finding) => excusing(entries, finding) !== undefined);
  return isPart ? [`\`${rule.rule}\` is known to fail in part only; what no list names comes first`] : [];
};

/** Why an entry is not used although it is for a target of the recording: a verdict is about all of them. */
const partlyHere = (entry: KnownFailureEntry, targets: readonly string[]): readonly string[] => {
  const other = targets.find((target) => !matchesTarget(entry.target, target));
  const isSome = other !== undefined && targets.some((target) => matchesTarget(entry.target, target));
  return isSome
    ? [`${placeOf(entry)}: the entry for ${quoted(entry.rule)} is not used, since the recording is also of ${other}`]
    : [];
};

/**
 * Lays known failures over verdicts, which keep what they say. A rule that fails or warns becomes a known failure where
 * entries describe all of its findings; one that
 * holds although an entry of the user's says otherwise is unexpectedly fixed, also when its entry is a pattern that fits
 * other rules; every other verdict stays as it is, so nothing hides that a rule was not observed or could not run. Entries
 * for other targets are left alone, and of those for this one the user's come before the tool's. An entry whose day was
 * before that of the run is not used and fails the run. Pure: the same arguments give the same answer on any day.
 */
export const applyKnownFailures = (
  verdicts: readonly RuleVerdict[],
  entries: readonly KnownFailureEntry[],
  { target, targets = [target], startedAt }: KnownFailureRun,
): AppliedKnownFailures => {
  const day = /^\d{4}-\d\d-\d\d/u.exec(startedAt)?.[0];
  const here = entries.filter((entry) => targets.every((one) => matchesTarget(entry.target, one)));
  const valid = here.filter((entry) => expiryOf(entry, day) === undefined);
  const ranked = [...valid.filter(({ isShipped }) => !isShipped), ...valid.filter(({ isShipped }) => isShipped)];
  return {
    verdicts: verdicts.map((rule) => judgedAnew(rule, ranked)),
    mistakes: [
      ...here.flatMap((entry) => expiryOf(entry, day) ?? []),
      ...verdicts.flatMap((rule) => staleOf(rule, ranked)),
    ],
    notes: [
      ...entries.flatMap((entry) => partlyHere(entry, targets)),
      ...verdicts.flatMap((rule) => noteOf(rule, ranked)),
    ],
  };
};

/**
 * Lays lists of known failures over verdicts, as `applyKnownFailures` does with their entries; what is wrong with a list itself comes
 * before what does not fit the run.
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
