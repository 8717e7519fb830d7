import type { UnspecifiedId } from "@assay/contract";
import {
  areOrdered,
  findRegression,
  firstEnd,
  hasOrder,
  lastSent,
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
import { inOrder, newerBy, withValue } from "./timed-value.ts";
import type { Session, TimedValue } from "./timed-value.ts";

/** A read of an older version, and its minimum age. */
export interface StaleRead {
  readonly first: TimedValue;
  readonly second: TimedValue;
  readonly staleMicros: number;
  readonly of?: string;
  readonly question?: number;
  readonly promise?: "session" | "real-time";
  /** Set if the read shows only an update time. */
  readonly isTime?: boolean;
}

/** Input and output of judging one conversation. */
export interface Judging {
  readonly table: StateTable;
  readonly row: ConversationRow;
  readonly epochs: Epochs;
  /** The subjects, including the reads that do not show their epoch. */
  readonly subjects: ReadonlyMap<number, Subject>;
  /** Report incomparable ends even if a cancellation may lie between them. */
  readonly strictEnds: boolean;
  readonly report: (draft: FindingDraft) => void;
  /** Collects stale reads: one finding per conversation. */
  readonly stale: (read: StaleRead) => void;
  /** Exchanges whose reads are stale. */
  readonly staleExchanges: Set<string>;
  /** Exchanges whose reads show that the server's own state went back. */
  readonly backExchanges: Set<string>;
  readonly count: (code: HistoryCode, times: number) => void;
}

/** Returns the id of the unspecified behaviour about cancelling a finished question. */
export const cancelBehaviour = ({ table }: Judging): UnspecifiedId =>
  table.machine.interface === "legacy" ? "legacy/cancel-of-finished" : "current/cancel-of-finished";

/** A subject and its position in the conversation. */
export interface PlacedSubject {
  readonly subject: Subject;
  readonly question?: number;
  /** Owner of the values, as text. Absent for a conversation. */
  readonly of?: string;
}

const place = ({ question, of }: PlacedSubject): { question?: number; of?: string } => ({
  ...(question === undefined ? {} : { question }),
  ...(of === undefined ? {} : { of }),
});

/** Judges every pair of states of a subject by the extremes of both. */
export function judgeStates(judging: Judging, placed: PlacedSubject): void {
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

function countStates({ table, count }: Judging, subject: Subject): void {
  const pairs = countReads(subject, () => true) - 1;
  count("unlisted-transition", table.hasPair("unlisted") ? pairs : 0);
  count("tolerated-transition", pairs);
  // If all responses overlap, none of them is later.
  count("backward-transition", hasOrder(mergeBounds(subject.states.flatMap((bounds) => bounds ?? []))) ? pairs : 0);
  count("incomparable-ends", table.hasPair("ends") ? countReads(subject, table.isTerminal) - 1 : 0);
}

interface StateBoundsEntry {
  readonly state: number;
  readonly bounds: Bounds;
}

const present = (all: StateBounds, states: readonly number[]): readonly Bounds[] =>
  states.flatMap((state) => all[state] ?? []);

/** Finds a state that was shown after a later state. */
function judgeDescent(judging: Judging, placed: PlacedSubject, { state, bounds: low }: StateBoundsEntry): void {
  const { table } = judging;
  const { sessions, states } = placed.subject;
  const above = table.above(state);
  const high = mergeBounds(present(states, above));
  if (high === undefined) {
    return;
  }
  const highEndMicros = ({ number }: Session): number => firstEnd(sessions, number, above);
  const regression = findRegression({ high, low, isLowInitial: state === table.initial, highEndMicros });
  if (regression === undefined) {
    return;
  }
  const inOneSession = [...listSessions(sessions)].some(
    (session) => firstEnd(sessions, session, above) < lastSent(sessions, session, state),
  );
  const observations = {
    ...regression,
    first: withValue(regression.first, table.nameOf(stateShownBy(regression.first, states, above))),
    second: withValue(regression.second, table.nameOf(state)),
  };
  reportRegression(judging, placed, { regression: observations, promise: inOneSession ? "session" : "real-time" });
}

/** Returns the one of the given states that contains the observation. */
const stateShownBy = (observation: TimedValue, all: StateBounds, states: readonly number[]): number =>
  states.find((state) => Object.values(all[state] ?? {}).includes(observation)) ?? -1;

const backwardReasons = {
  newer: "no row of the table leads back",
  undated: "no row of the table leads back",
  stays: "no row of the table leads back, and all later reads show it too",
} as const;

function reportRegression(
  { report, stale, backExchanges }: Judging,
  placed: PlacedSubject,
  { regression, promise }: { regression: Regression; promise: "session" | "real-time" },
): void {
  const { kind, first, second } = regression;
  if (kind === "stale") {
    stale({ first, second, staleMicros: second.sentAtMicros - first.endedAtMicros, promise, ...place(placed) });
    return;
  }
  backExchanges.add(second.exchange);
  const isNewer = newerBy(first, second) > 0;
  const because =
    backwardReasons[kind] + (isNewer ? `, and the later one says it is newer (${formatVersion(second)})` : "");
  report({ code: "backward-transition", first, second, because, promise, ...place(placed) });
}

/** Judges two states that cannot reach each other, so that no order of the reads explains both. */
function judgePair(
  judging: Judging,
  placed: PlacedSubject,
  [one, other]: readonly [StateBoundsEntry, StateBoundsEntry],
): void {
  const { table, report, row, strictEnds } = judging;
  const [first, second] = inOrder(
    withValue(one.bounds.minEnd, table.nameOf(one.state)),
    withValue(other.bounds.minEnd, table.nameOf(other.state)),
  );
  const steps = [table.step(one.state, other.state), table.step(other.state, one.state)];
  const { kind, behaviour } = steps.find((step) => step.kind !== "listed" && step.kind !== "backward") ?? {
    kind: "same",
  };
  const pair = { first, second, ...place(placed) };
  if (kind === "unlisted") {
    report({ code: "unlisted-transition", ...pair, because: "no row of the table leads from one to the other" });
  } else if (kind === "ends" && !strictEnds && mayLieBetween(row.writes.cancels, first, second)) {
    const because = "a cancellation may have come between, and its effect on a finished question is unspecified";
    report({ code: "tolerated-transition", behaviour: cancelBehaviour(judging), ...pair, because });
  } else if (kind === "ends") {
    report({ code: "incomparable-ends", ...pair, because: "both are terminal states, and neither leads to the other" });
  } else if (behaviour !== undefined) {
    report({
      code: "tolerated-transition",
      behaviour,
      ...pair,
      because: "the table does not list this step, which is accepted",
    });
  }
}

/** Owner of a time. Empty for the conversation. */
export interface TimeOwner {
  readonly question?: number;
  readonly of?: string;
}

const ownerSuffix = ({
  question,
  of = question === undefined ? undefined : questionName(question),
}: TimeOwner): string => (of === undefined ? "" : ` of ${of}`);

const questionIndex = ({ question }: TimeOwner): TimeOwner => (question === undefined ? {} : { question });

/** Judges whether a creation time is unchanged. */
export function judgeCreationTime({ report, count }: Judging, addTime: TimeRange | undefined, place: TimeOwner): void {
  if (addTime === undefined) {
    return;
  }
  count("created-at-changed", addTime.reads - 1);
  const apart = differingTimes(addTime);
  if (apart !== undefined) {
    const [first, second] = inOrder(...apart);
    const because = `the time of creation${ownerSuffix(place)} never changes`;
    report({ code: "created-at-changed", first, second, because, ...questionIndex(place) });
  }
}

const measureSpan = ({ first, second }: VersionRegression): number => second.sentAtMicros - first.endedAtMicros;

const largestGap = (regressions: readonly VersionRegression[]): VersionRegression | undefined =>
  regressions.reduce<VersionRegression | undefined>(
    (found, regression) => (found === undefined || measureSpan(regression) > measureSpan(found) ? regression : found),
    undefined,
  );

/** Reports whether every state of the older version precedes a state of a newer one. */
const showsEarlierStates = ({ table }: Judging, { olderStates, newerStates }: VersionRegression): boolean =>
  olderStates.length > 0 &&
  olderStates.every((older) => table.above(older).some((state) => newerStates.includes(state)));

/** Reports whether the read shows a complete older version: one that was shown before, or one with an earlier state. */
const isOlderVersion = (judging: Judging, regression: VersionRegression): boolean =>
  regression.wasShownBefore ||
  showsEarlierStates(judging, regression) ||
  judging.staleExchanges.has(regression.second.exchange);

/**
 * Judges whether update times went back. An update time that was shown before means a stale read. A new one means that the time itself went
 * back. Each case is reported once, with the largest gap.
 */
export function judgeVersions(judging: Judging, versions: VersionBounds, place: TimeOwner): void {
  const { report, stale, count, backExchanges } = judging;
  const pairs = areOrdered(versions) ? versions.reads - 1 : 0;
  count("updated-at-fell", pairs);
  count("stale-read", pairs);
  // If the server's state went back, its update time went back with it.
  const regressions = versionRegressions(versions).filter(({ second }) => !backExchanges.has(second.exchange));
  const older = largestGap(regressions.filter((regression) => isOlderVersion(judging, regression)));
  if (older !== undefined) {
    const of = `the time of update${ownerSuffix(place)} as`;
    stale({ ...withVersionTexts(older), staleMicros: measureSpan(older), of, isTime: true, ...questionIndex(place) });
  }
  const fallen = largestGap(regressions.filter((regression) => !isOlderVersion(judging, regression)));
  if (fallen !== undefined) {
    const because = `the time of update${ownerSuffix(place)} went back`;
    report({ code: "updated-at-fell", ...withVersionTexts(fallen), because, ...questionIndex(place) });
  }
}

const withVersionTexts = ({ first, second }: VersionRegression): Pick<VersionRegression, "first" | "second"> => ({
  first: withValue(first, formatVersion(first)),
  second: withValue(second, formatVersion(second)),
});

/** Reports the oldest stale read of a conversation. */
export function reportStale({ report }: Pick<Judging, "report">, stale: StaleRead): void {
  const { staleMicros } = stale;
  const because = `an older version: reads are at least ${formatMs(staleMicros)} stale`;
  report({ code: "stale-read", ...stale, because });
}
