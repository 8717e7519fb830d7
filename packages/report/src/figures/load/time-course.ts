import { defined } from "@assay/contract";
import type { LoadInterval } from "@assay/results";

/** Maximum number of periods in a figure. Neighbours are merged beyond it. */
export const maxPeriods = 360;

const findLargest = (values: readonly (number | undefined)[]): number | undefined => {
  const knownValues = values.filter((value) => value !== undefined);
  return knownValues.length === 0 ? undefined : Math.max(...knownValues);
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const mergeGroup = (group: readonly LoadInterval[], first: LoadInterval): LoadInterval => {
  const p50Ms = findLargest(group.map((interval) => interval.p50Ms));
  const p95Ms = findLargest(group.map((interval) => interval.p95Ms));
  return {
    fromMs: first.fromMs,
    toMs: Math.max(...group.map(({ toMs }) => toMs)),
    phase: first.phase,
    side: first.side,
    planned: sum(group.map(({ planned }) => planned)),
    ok: sum(group.map(({ ok }) => ok)),
    failed: sum(group.map(({ failed }) => failed)),
    ...defined({ p50Ms, p95Ms }),
  };
};

/** Merges neighbouring intervals of one side and phase until they fit a figure. A merged interval has the largest percentiles of its group. */
export const mergeIntervals = (
  intervals: readonly LoadInterval[],
  max = maxPeriods,
): { readonly intervals: readonly LoadInterval[]; readonly groupSize: number } => {
  const groupSize = Math.max(1, Math.ceil(intervals.length / max));
  const kinds = [...new Set(intervals.map(({ side, phase }) => `${side} ${phase}`))];
  const mergedByKind = kinds.flatMap((kind) => {
    const sameKind = intervals.filter(({ side, phase }) => `${side} ${phase}` === kind);
    return Array.from({ length: Math.ceil(sameKind.length / groupSize) }, (_, index) =>
      sameKind.slice(index * groupSize, (index + 1) * groupSize),
    ).flatMap((group) => group.slice(0, 1).map((first) => mergeGroup(group, first)));
  });
  return { intervals: mergedByKind.toSorted((a, b) => a.fromMs - b.fromMs), groupSize };
};

/** Requests of all sides in one period: counts, and rates per second. */
export interface RatePeriod {
  readonly fromMs: number;
  readonly toMs: number;
  readonly planned: number;
  readonly ok: number;
  readonly failed: number;
  readonly plannedPerSecond: number;
  readonly okPerSecond: number;
  readonly failedPerSecond: number;
}

const toRatePeriod = (group: readonly LoadInterval[], fromMs: number): RatePeriod => {
  const toMs = Math.max(...group.map((interval) => interval.toMs));
  const seconds = Math.max(1, toMs - fromMs) / 1000;
  const planned = sum(group.map((interval) => interval.planned));
  const ok = sum(group.map((interval) => interval.ok));
  const failed = sum(group.map((interval) => interval.failed));
  return {
    fromMs,
    toMs,
    planned,
    ok,
    failed,
    plannedPerSecond: planned / seconds,
    okPerSecond: ok / seconds,
    failedPerSecond: failed / seconds,
  };
};

/** Returns planned, successful and failed requests of all sides and phases by period. */
export const createRatePeriods = (intervals: readonly LoadInterval[]): readonly RatePeriod[] => {
  const groups = new Map<number, LoadInterval[]>();
  for (const interval of intervals) {
    groups.set(interval.fromMs, [...(groups.get(interval.fromMs) ?? []), interval]);
  }
  return [...groups].toSorted(([a], [b]) => a - b).map(([fromMs, group]) => toRatePeriod(group, fromMs));
};
