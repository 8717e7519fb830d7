import { hasOrder, merged } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { versionOf } from "./finding-draft.ts";
import { fallOf } from "./going-back.ts";
import type { Fall } from "./going-back.ts";
import { cancelGap } from "./report-draft.ts";
import type { Judging } from "./report-draft.ts";
import type { Session } from "./session.ts";
import { firstEnd, lastSent, sessionsIn } from "./session-times.ts";
import { inOrder, newerBy, showing } from "./witness.ts";
import type { Witness } from "./witness.ts";
import type { StateBounds } from "./state-bounds.ts";
import { readsOf } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { mayLieBetween } from "./write-log.ts";

/** A subject and where it stands in its conversation. */
export interface Placed {
  readonly subject: Subject;
  readonly question?: number;
  /** What its values are of, in words; nothing for a conversation. */
  readonly of?: string;
}

const place = ({ question, of }: Placed): { question?: number; of?: string } => ({
  ...(question === undefined ? {} : { question }),
  ...(of === undefined ? {} : { of }),
});

/** Judges the states that a subject showed: every pair of states, by the extremes of both. */
export function judgeStates(judging: Judging, placed: Placed): void {
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
  // Of answers that all overlap none is the later one.
  count("backward-transition", hasOrder(merged(subject.states.flatMap((bounds) => bounds ?? []))) ? pairs : 0);
  count("incomparable-ends", table.hasPair("ends") ? readsOf(subject, table.isTerminal) - 1 : 0);
}

interface SeenState {
  readonly state: number;
  readonly bounds: Bounds;
}

const present = (all: StateBounds, states: readonly number[]): readonly Bounds[] =>
  states.flatMap((state) => all[state] ?? []);

/** Looks for a state that was shown after one that comes after it. */
function judgeDescent(judging: Judging, placed: Placed, { state, bounds: low }: SeenState): void {
  const { table } = judging;
  const { sessions, states } = placed.subject;
  const above = table.above(state);
  const high = merged(present(states, above));
  if (high === undefined) {
    return;
  }
  const highEndMicros = ({ number }: Session): number => firstEnd(sessions, number, above);
  const fall = fallOf({ high, low, isLowInitial: state === table.initial, highEndMicros });
  if (fall === undefined) {
    return;
  }
  const inOneSession = [...sessionsIn(sessions)].some(
    (session) => firstEnd(sessions, session, above) < lastSent(sessions, session, state),
  );
  const named = {
    ...fall,
    first: showing(fall.first, table.nameOf(stateShownBy(fall.first, states, above))),
    second: showing(fall.second, table.nameOf(state)),
  };
  reportFall(judging, placed, { fall: named, promise: inOneSession ? "session" : "real-time" });
}

/** Which of some states has an observation among its witnesses. */
const stateShownBy = (witness: Witness, all: StateBounds, states: readonly number[]): number =>
  states.find((state) => Object.values(all[state] ?? {}).includes(witness)) ?? -1;

const whyBackward = {
  newer: "no row of the table leads back",
  undated: "no row of the table leads back",
  stays: "no row of the table leads back, and every later read shows it too",
} as const;

function reportFall(
  { report, stale, backExchanges }: Judging,
  placed: Placed,
  { fall, promise }: { fall: Fall; promise: "session" | "real-time" },
): void {
  const { kind, first, second } = fall;
  if (kind === "stale") {
    stale({ first, second, staleMicros: second.sentAtMicros - first.endedAtMicros, promise, ...place(placed) });
    return;
  }
  backExchanges.add(second.exchange);
  const isNewer = newerBy(first, second) > 0;
  const because = whyBackward[kind] + (isNewer ? `, and the later one says it is newer (${versionOf(second)})` : "");
  report({ code: "backward-transition", first, second, because, promise, ...place(placed) });
}

/** Judges two states that do not lie one behind the other: no order of the two helps. */
function judgePair(judging: Judging, placed: Placed, [one, other]: readonly [SeenState, SeenState]): void {
  const { table, report, row, strictEnds } = judging;
  const [first, second] = inOrder(
    showing(one.bounds.minEnd, table.nameOf(one.state)),
    showing(other.bounds.minEnd, table.nameOf(other.state)),
  );
  const steps = [table.step(one.state, other.state), table.step(other.state, one.state)];
  const { kind, behaviour } = steps.find((step) => step.kind !== "listed" && step.kind !== "backward") ?? {
    kind: "same",
  };
  const pair = { first, second, ...place(placed) };
  if (kind === "unlisted") {
    report({ code: "unlisted-transition", ...pair, because: "no row of the table leads from one to the other" });
  } else if (kind === "ends" && !strictEnds && mayLieBetween(row.writes.cancels, first, second)) {
    const because = "a cancellation may have come between, and what it does to what is finished is left open";
    report({ code: "tolerated-transition", behaviour: cancelGap(judging), ...pair, because });
  } else if (kind === "ends") {
    report({ code: "incomparable-ends", ...pair, because: "both are ends, and one excludes the other" });
  } else if (behaviour !== undefined) {
    report({
      code: "tolerated-transition",
      behaviour,
      ...pair,
      because: "the table does not list this step, which is accepted",
    });
  }
}
