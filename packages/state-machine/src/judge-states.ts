import type { UnspecifiedId } from "@assay/contract";
import {
  findRegression,
  firstEndMicros,
  hasOrderedPair,
  lastSentMicros,
  listObservations,
  mergeBounds,
  countReads,
  listSessions,
  versionRegressions,
} from "./bounds.ts";
import type { Bounds, Regression, StateBounds, Subject, VersionBounds, VersionRegression } from "./bounds.ts";
import { differingTimes } from "./constancy.ts";
import type { TimeRange } from "./constancy.ts";
import { mayLieBetween } from "./conversation-row.ts";
import type { ConversationRow, Epochs } from "./conversation-row.ts";
import { formatMs, questionName, formatVersion } from "./history-report.ts";
import type { FindingDraft, HistoryCode } from "./history-report.ts";
import type { StateTable } from "./state-table.ts";
import { inOrder, versionDifference, withValue } from "./timed-value.ts";
import type { Session, TimedValue } from "./timed-value.ts";

/** A read of an older version, and its minimum age. */
export interface StaleRead {
  readonly first: TimedValue;
  readonly second: TimedValue;
  readonly staleMicros: number;
  readonly owner?: string;
  readonly question?: number;
  readonly promise?: "session" | "real-time";
  /** Set if the read shows only an update time. */
  readonly showsOnlyTime?: boolean;
}

/** Input and output of judging one conversation. */
export interface JudgingContext {
  readonly table: StateTable;
  readonly row: ConversationRow;
  readonly epochs: Epochs;
  /** The subjects, including the reads that do not show their epoch. */
  readonly subjects: ReadonlyMap<number, Subject>;
  /** Report incomparable ends even if a cancellation may lie between them. */
  readonly strictEnds: boolean;
  readonly report: (draft: FindingDraft) => void;
  /** Collects stale reads: one finding per conversation. */
  readonly collectStaleRead: (read: StaleRead) => void;
  /** Exchanges whose reads are stale. */
  readonly staleExchanges: Set<string>;
  /** Exchanges whose reads show that the server's own state went back. */
  readonly regressedExchanges: Set<string>;
  readonly count: (code: HistoryCode, times: number) => void;
}

/** Returns the id of the unspecified behaviour about cancelling a finished question. */
export const cancelBehaviour = ({ table }: JudgingContext): UnspecifiedId =>
  table.machine.interface === "legacy" ? "legacy/cancel-of-finished" : "current/cancel-of-finished";

/** A subject and its position in the conversation. */
export interface PlacedSubject {
  readonly subject: Subject;
  readonly question?: number;
  /** Owner of the values, as text. Absent for a conversation. */
  readonly owner?: string;
}

const toOwner = ({ question, owner }: PlacedSubject): { question?: number; owner?: string } => ({
  ...(question === undefined ? {} : { question }),
  ...(owner === undefined ? {} : { owner }),
});

/** Judges every pair of states of a subject by the extremes of both. */
export function judgeStates(judging: JudgingContext, placed: PlacedSubject): void {
  const { subject } = placed;
  const shownStates = subject.states.flatMap((bounds, state) => (bounds === undefined ? [] : [{ state, bounds }]));
  countStates(judging, subject);
  for (const [index, low] of shownStates.entries()) {
    judgeDescent(judging, placed, low);
    for (const other of shownStates.slice(index + 1)) {
      judgePair(judging, placed, [low, other]);
    }
  }
}

function countStates({ table, count }: JudgingContext, subject: Subject): void {
  const pairs = countReads(subject, () => true) - 1;
  count("unlisted-transition", table.hasPair("unlisted") ? pairs : 0);
  count("tolerated-transition", pairs);
  // If all responses overlap, none of them is later.
  count("backward-transition", hasOrderedPair(subject.states.flatMap((bounds) => bounds ?? [])) ? pairs : 0);
  count("incomparable-ends", table.hasPair("ends") ? countReads(subject, table.isTerminal) - 1 : 0);
}

interface StateBoundsEntry {
  readonly state: number;
  readonly bounds: Bounds;
}

const findBounds = (stateBounds: StateBounds, states: readonly number[]): readonly Bounds[] =>
  states.flatMap((state) => stateBounds[state] ?? []);

/** Finds a state that was shown after a later state. */
function judgeDescent(judging: JudgingContext, placed: PlacedSubject, { state, bounds: low }: StateBoundsEntry): void {
  const { table } = judging;
  const { sessions, states } = placed.subject;
  const above = table.statesAbove(state);
  const high = mergeBounds(findBounds(states, above));
  if (high === undefined) {
    return;
  }
  const highEndMicros = ({ number }: Session): number => firstEndMicros(sessions, number, above);
  const regression = findRegression({ high, low, isLowInitial: state === table.initial, highEndMicros });
  if (regression === undefined) {
    return;
  }
  const isInOneSession = [...listSessions(sessions)].some(
    (session) => firstEndMicros(sessions, session, above) < lastSentMicros(sessions, session, state),
  );
  const observations = {
    ...regression,
    first: withValue(regression.first, table.nameOf(findStateShowing(regression.first, states, above))),
    second: withValue(regression.second, table.nameOf(state)),
  };
  reportRegression(judging, placed, { regression: observations, promise: isInOneSession ? "session" : "real-time" });
}

/** Returns the one of the given states that contains the observation. */
const findStateShowing = (observation: TimedValue, stateBounds: StateBounds, states: readonly number[]): number =>
  states.find((state) => {
    const bounds = stateBounds[state];
    return bounds !== undefined && listObservations(bounds).includes(observation);
  }) ?? -1;

const backwardReasons = {
  newer: "no row of the table leads back",
  undated: "no row of the table leads back",
  stays: "no row of the table leads back, and all later reads show it too",
} as const;

function reportRegression(
  { report, collectStaleRead, regressedExchanges }: JudgingContext,
  placed: PlacedSubject,
  { regression, promise }: { regression: Regression; promise: "session" | "real-time" },
): void {
  const { kind, first, second } = regression;
  if (kind === "stale") {
    collectStaleRead({
      first,
      second,
      staleMicros: second.sentAtMicros - first.endedAtMicros,
      promise,
      ...toOwner(placed),
    });
    return;
  }
  regressedExchanges.add(second.exchange);
  const isNewer = versionDifference(first, second) > 0;
  const reason =
    backwardReasons[kind] + (isNewer ? `, and the later one says it is newer (${formatVersion(second)})` : "");
  report({ code: "backward-transition", first, second, reason, promise, ...toOwner(placed) });
}

/** Judges two states that cannot reach each other, so that no order of the reads explains both. */
function judgePair(
  judging: JudgingContext,
  placed: PlacedSubject,
  [a, b]: readonly [StateBoundsEntry, StateBoundsEntry],
): void {
  const { table, report, row, strictEnds } = judging;
  const [first, second] = inOrder(
    withValue(a.bounds.minEnd, table.nameOf(a.state)),
    withValue(b.bounds.minEnd, table.nameOf(b.state)),
  );
  const steps = [table.step(a.state, b.state), table.step(b.state, a.state)];
  const { kind, behaviour } = steps.find((step) => step.kind !== "listed" && step.kind !== "backward") ?? {
    kind: "same",
  };
  const pair = { first, second, ...toOwner(placed) };
  if (kind === "unlisted") {
    report({ code: "unlisted-transition", ...pair, reason: "no row of the table leads from one to the other" });
  } else if (kind === "ends" && !strictEnds && mayLieBetween(row.writes.cancels, first, second)) {
    const reason = "a cancellation may have come between, and its effect on a finished question is unspecified";
    report({ code: "tolerated-transition", behaviour: cancelBehaviour(judging), ...pair, reason });
  } else if (kind === "ends") {
    report({ code: "incomparable-ends", ...pair, reason: "both are terminal states, and neither leads to the other" });
  } else if (behaviour !== undefined) {
    report({
      code: "tolerated-transition",
      behaviour,
      ...pair,
      reason: "the table does not list this step, which is accepted",
    });
  }
}

/** Owner of a time. Empty for the conversation. */
export interface TimeOwner {
  readonly question?: number;
  readonly owner?: string;
}

const ownerSuffix = ({
  question,
  owner = question === undefined ? undefined : questionName(question),
}: TimeOwner): string => (owner === undefined ? "" : ` of ${owner}`);

const questionIndex = ({ question }: TimeOwner): TimeOwner => (question === undefined ? {} : { question });

/** Judges whether a creation time is unchanged. */
export function judgeCreationTime(
  { report, count }: JudgingContext,
  creationTime: TimeRange | undefined,
  place: TimeOwner,
): void {
  if (creationTime === undefined) {
    return;
  }
  count("created-at-changed", creationTime.readCount - 1);
  const differingPair = differingTimes(creationTime);
  if (differingPair !== undefined) {
    const [first, second] = inOrder(...differingPair);
    const reason = `the time of creation${ownerSuffix(place)} never changes`;
    report({ code: "created-at-changed", first, second, reason, ...questionIndex(place) });
  }
}

const measureGap = ({ first, second }: VersionRegression): number => second.sentAtMicros - first.endedAtMicros;

const largestGap = (regressions: readonly VersionRegression[]): VersionRegression | undefined =>
  regressions.reduce<VersionRegression | undefined>(
    (largest, regression) =>
      largest === undefined || measureGap(regression) > measureGap(largest) ? regression : largest,
    undefined,
  );

/** Reports whether every state of the older version precedes a state of a newer one. */
const showsEarlierStates = ({ table }: JudgingContext, { olderStates, newerStates }: VersionRegression): boolean =>
  olderStates.length > 0 &&
  olderStates.every((older) => table.statesAbove(older).some((state) => newerStates.includes(state)));

/** Reports whether the read shows a complete older version: one that was shown before, or one with an earlier state. */
const isOlderVersion = (judging: JudgingContext, regression: VersionRegression): boolean =>
  regression.wasShownBefore ||
  showsEarlierStates(judging, regression) ||
  judging.staleExchanges.has(regression.second.exchange);

/**
 * Judges whether update times went back. An update time that was shown before means a stale read. A new one means that the time itself went
 * back. Each case is reported once, with the largest gap.
 */
export function judgeVersions(judging: JudgingContext, versions: VersionBounds, place: TimeOwner): void {
  const { report, collectStaleRead, count, regressedExchanges } = judging;
  const pairs = hasOrderedPair(versions.buckets) ? versions.readCount - 1 : 0;
  count("updated-at-fell", pairs);
  count("stale-read", pairs);
  // If the server's state went back, its update time went back with it.
  const regressions = versionRegressions(versions).filter(({ second }) => !regressedExchanges.has(second.exchange));
  const staleRegression = largestGap(regressions.filter((regression) => isOlderVersion(judging, regression)));
  if (staleRegression !== undefined) {
    const owner = `the time of update${ownerSuffix(place)} as`;
    collectStaleRead({
      ...withVersionTexts(staleRegression),
      staleMicros: measureGap(staleRegression),
      owner,
      showsOnlyTime: true,
      ...questionIndex(place),
    });
  }
  const timeRegression = largestGap(regressions.filter((regression) => !isOlderVersion(judging, regression)));
  if (timeRegression !== undefined) {
    const reason = `the time of update${ownerSuffix(place)} went back`;
    report({ code: "updated-at-fell", ...withVersionTexts(timeRegression), reason, ...questionIndex(place) });
  }
}

const withVersionTexts = ({ first, second }: VersionRegression): Pick<VersionRegression, "first" | "second"> => ({
  first: withValue(first, formatVersion(first)),
  second: withValue(second, formatVersion(second)),
});

/** Reports the oldest stale read of a conversation. */
export function reportStale({ report }: Pick<JudgingContext, "report">, stale: StaleRead): void {
  const { staleMicros } = stale;
  const reason = `an older version: reads are at least ${formatMs(staleMicros)} stale`;
  report({ code: "stale-read", ...stale, reason });
}
