import type { LoadProgress as LoadState } from "@assay/load";
import type { LoadProgress } from "@assay/report";
import type { LoadPlan } from "@assay/results";

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** How a load stands, one clause: the warm-up has a count of its own. */
export function progressText(
  { scenario, warmupMs, durationMs }: LoadPlan,
  { elapsedMs, ok, failed, notBegun, underWay = 0, violations, metric, p50Ms }: LoadState,
): string {
  const median = p50Ms === undefined ? [] : [`${metric ?? "median"} p50 ${p50Ms.toFixed(p50Ms < 100 ? 1 : 0)} ms`];
  const broken = violations === 0 ? [] : [`${violations} with violations`];
  const parts = [
    elapsedMs < warmupMs
      ? `${scenario}  warm-up ${seconds(elapsedMs)} of ${seconds(warmupMs)}`
      : `${scenario}  ${seconds(Math.min(elapsedMs - warmupMs, durationMs))} of ${seconds(durationMs)}`,
    `${ok} ok`,
    `${failed} failed`,
    ...(underWay === 0 ? [] : [`${underWay} under way`]),
    ...(notBegun === 0 ? [] : [`${notBegun} could not begin`]),
    ...broken,
    ...median,
  ];
  return parts.join(", ");
}

/** Says that a load takes longer than its measured part. */
export const announceWarmUp = ({ warmupMs, durationMs }: LoadPlan, progress: LoadProgress): void => {
  if (warmupMs > 0) {
    progress.note(`warm-up of ${seconds(warmupMs)}, then ${seconds(durationMs)} are measured`);
  }
};
