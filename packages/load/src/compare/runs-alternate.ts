import type { StoredRun } from "./stored-run.ts";

/**
 * Whether runs of both sides took turns: in the order of time the side changes at least half as often as the smaller side has
 * runs. Where it does not, whatever else changed between the two stretches of time looks like a change of the target.
 */
export const runsAlternate = (base: readonly StoredRun[], head: readonly StoredRun[]): boolean => {
  const inOrder = [
    ...base.map(({ run }) => ({ side: "base", at: Date.parse(run.startedAt) })),
    ...head.map(({ run }) => ({ side: "head", at: Date.parse(run.startedAt) })),
  ].toSorted((one, other) => one.at - other.at);
  const changes = inOrder.filter(({ side }, index) => index > 0 && side !== inOrder[index - 1]?.side).length;
  return inOrder.every(({ at }) => Number.isFinite(at)) && changes * 2 >= Math.min(base.length, head.length);
};
