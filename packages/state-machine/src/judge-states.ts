import { hasOrder, merged } from "./bounds.ts";
import type { Bounds, StateBounds } from "./bounds.ts";
import { cancelBehaviour, versionOf } from "./judging.ts";
import type { Judging } from "./judging.ts";
import { findRegression } from "./regression.ts";
import type { Regression } from "./regression.ts";
import { firstEnd, lastSent, readsOf, sessionsIn } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { inOrder, newerBy, withValue } from "./witness.ts";
import type { Session, Witness } from "./witness.ts";
import { mayLieBetween } from "./write-log.ts";

/** A subject and its place in the conversation. */
export interface PlacedSubject {
  readonly subject: Subject;
  readonly question?: number;
  /** Owner of the values, as text; absent for a conversation. */
  readonly of?: string;
}

const place = ({ question, of }: PlacedSubject): { question?: number; of?: string } => ({
  ...(question === undefined ? {} : { question }),
  ...(of === undefined ? {} : { of }),
});

/** Judges every pair of states of a subject by the extremes of both. */
export function judgeStates(judging: Judging, placed: PlacedSubject): void {
  const { subject } = placed;
  const seen = subject.states.flatMap((bounds, state) => (bounds === undefined ? [] : [{ state, bounds }]));
  countStates(judging, subject);
  for (const [index, low] of seen.entries()) {
    judgeDescent(judging, placed, low);
    for (const other of seen.slice(index + 1)) {
      judgePair(judging, placed, [low, other]);
    }
  }
}

function countStates({ table, count }: Judging, subject: Subject): void {
  const pairs = readsOf(subject, () => true) - 1;
  count("unlisted-transition", table.hasPair("unlisted") ? pairs : 0);
  count("tolerated-transition", pairs);
  // If all answers overlap, none of them is later.
  count("backward-transition", hasOrder(merged(subject.states.flatMap((bounds) => bounds ?? []))) ? pairs : 0);
  count("incomparable-ends", table.hasPair("ends") ? readsOf(subject, table.isTerminal) - 1 : 0);
}

interface StateBoundsEntry {
  readonly state: number;
  readonly bounds: Bounds;
}

const present = (all: StateBounds, states: readonly number[]): readonly Bounds[] =>
  states.flatMap((state) => all[state] ?? []);

/** Looks for a state that was shown after a later state. */
function judgeDescent(judging: Judging, placed: PlacedSubject, { state, bounds: low }: StateBoundsEntry): void {
  const { table } = judging;
  const { sessions, states } = placed.subject;
  const above = table.above(state);
  const high = merged(present(states, above));
  if (high === undefined) {
    return;
  }
  const highEndMicros = ({ number }: Session): number => firstEnd(sessions, number, above);
  const regression = findRegression({ high, low, isLowInitial: state === table.initial, highEndMicros });
  if (regression === undefined) {
    return;
  }
  const inOneSession = [...sessionsIn(sessions)].some(
    (session) => firstEnd(sessions, session, above) < lastSent(sessions, session, state),
  );
  const named = {
    ...regression,
    first: withValue(regression.first, table.nameOf(stateShownBy(regression.first, states, above))),
    second: withValue(regression.second, table.nameOf(state)),
  };
  reportRegression(judging, placed, { regression: named, promise: inOneSession ? "session" : "real-time" });
}

/** The state, of those given, that has the observation among its witnesses. */
const stateShownBy = (witness: Witness, all: StateBounds, states: readonly number[]): number =>
  states.find((state) => Object.values(all[state] ?? {}).includes(witness)) ?? -1;

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
    backwardReasons[kind] + (isNewer ? `, and the later one says it is newer (${versionOf(second)})` : "");
  report({ code: "backward-transition", first, second, because, promise, ...place(placed) });
}

/** Judges two states of which neither leads to the other, so that no order of the reads explains both. */
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
