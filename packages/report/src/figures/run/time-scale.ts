import { type ScaleLinear, scaleLinear } from "d3-scale";

/** A linear time scale from left to right. */
export interface TimeScale {
  /** Returns the position of a time, limited to the ends. NaN is at the left. */
  readonly x: (micros: number) => number;
  /** The time at the right end. */
  readonly endMicros: number;
  readonly left: number;
  readonly right: number;
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly unit: "µs" | "ms" | "s";
  /** The time at the right end in that unit. */
  readonly endValue: number;
}

const units = [
  { unit: "s", micros: 1_000_000, from: 10_000_000 },
  { unit: "ms", micros: 1000, from: 1000 },
  { unit: "µs", micros: 1, from: 0 },
] as const;

/** Minimum distance between ticks. */
const minTickDistance = 80;

/** Creates a scale from 0 to `endMicros`, or to one microsecond if that is longer. */
export function createTimeScale(endMicros: number, left: number, right: number): TimeScale {
  const end = Number.isFinite(endMicros) ? Math.max(1, endMicros) : 1;
  const { unit, micros } = units.find(({ from }) => end >= from) ?? units[2];
  const scale: ScaleLinear<number, number> = scaleLinear([0, end / micros], [left, right]).clamp(true);
  const x = (time: number): number => (Number.isFinite(time) ? scale(time / micros) : left);
  const ticks = scale
    .ticks(Math.min(8, Math.floor((right - left) / minTickDistance)))
    .map((value) => ({ x: scale(value), text: formatTick(value) }));
  return { x, endMicros: end, left, right, ticks, unit, endValue: end / micros };
}

/** Formats a number with commas between thousands, without floating-point noise. */
const formatTick = (value: number): string => {
  const [whole = "", part] = String(Number(value.toPrecision(9))).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
  return part === undefined ? grouped : `${grouped}.${part}`;
};
