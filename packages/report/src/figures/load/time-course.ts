import { defined } from "@assay/contract";
import type { LoadInterval } from "@assay/results";

/** Maximum number of periods in a figure. Neighbours are merged beyond it. */
export const maxStretches = 360;

const largest = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const asOne = (group: readonly LoadInterval[], first: LoadInterval): LoadInterval => {
  const p50Ms = largest(group.map((one) => one.p50Ms));
  const p95Ms = largest(group.map((one) => one.p95Ms));
  return {
    fromMs: first.fromMs,
    toMs: Math.max(...group.map(({ toMs }) => toMs)),
    phase: first.phase,
    side: first.side,
    planned: sumOf(group.map(({ planned }) => planned)),
    ok: sumOf(group.map(({ ok }) => ok)),
    failed: sumOf(group.map(({ failed }) => failed)),
    ...defined({ p50Ms, p95Ms }),
  };
};

/** Merges neighbouring intervals of one side and phase until they fit a figure. The largest percentile represents them. */
export const roomyIntervals = (
  intervals: readonly LoadInterval[],
  max = maxStretches,
): { readonly intervals: readonly LoadInterval[]; readonly grouped: number } => {
  const grouped = Math.max(1, Math.ceil(intervals.length / max));
  const kinds = [...new Set(intervals.map(({ side, phase }) => `${side} ${phase}`))];
  const shown = kinds.flatMap((kind) => {
    const all = intervals.filter(({ side, phase }) => `${side} ${phase}` === kind);
    return Array.from({ length: Math.ceil(all.length / grouped) }, (_, index) =>
      all.slice(index * grouped, (index + 1) * grouped),
    ).flatMap((group) => group.slice(0, 1).map((first) => asOne(group, first)));
  });
  return { intervals: shown.toSorted((one, other) => one.fromMs - other.fromMs), grouped };
};

/** Rates of all sides in one period, per second. */
export interface RateStretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly planned: number;
  readonly ok: number;
  readonly failed: number;
  readonly plannedPerSecond: number;
  readonly okPerSecond: number;
  readonly failedPerSecond: number;
}

const rateOf = (group: readonly LoadInterval[], fromMs: number): RateStretch => {
  const toMs = Math.max(...group.map((one) => one.toMs));
  const seconds = Math.max(1, toMs - fromMs) / 1000;
  const planned = sumOf(group.map((one) => one.planned));
  const ok = sumOf(group.map((one) => one.ok));
  const failed = sumOf(group.map((one) => one.failed));
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

/** Planned, successful and failed requests of all sides and phases by period. */
export const rateStretches = (intervals: readonly LoadInterval[]): readonly RateStretch[] => {
  const groups = new Map<number, LoadInterval[]>();
  for (const interval of intervals) {
    groups.set(interval.fromMs, [...(groups.get(interval.fromMs) ?? []), interval]);
  }
  return [...groups].toSorted(([one], [other]) => one - other).map(([fromMs, group]) => rateOf(group, fromMs));
};
