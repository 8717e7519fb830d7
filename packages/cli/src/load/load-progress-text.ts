import type { LoadProgress as LoadState } from "@assay/load";
import type { Progress, WorkState } from "@assay/report";
import type { LoadPlan } from "@assay/results";

const formatSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Describes the progress of a load. The text shows the time of the current phase; the bar and the remaining time cover both phases. */
export function describeProgress(
  { scenario, warmupMs, durationMs }: LoadPlan,
  { elapsedMs, ok, failed, notBegun, busyUsers = 0, violations, metric, p50Ms }: LoadState,
): WorkState {
  const plannedMs = warmupMs + durationMs;
  const median = p50Ms === undefined ? [] : [`${metric ?? "median"} p50 ${p50Ms.toFixed(p50Ms < 100 ? 1 : 0)} ms`];
  const violationText = violations === 0 ? [] : [`${violations} with violations`];
  const parts = [
    `${ok} ok`,
    `${failed} failed`,
    ...(busyUsers === 0 ? [] : [`${busyUsers} under way`]),
    ...(notBegun === 0 ? [] : [`${notBegun} could not begin`]),
    ...violationText,
    ...median,
  ];
  return {
    text:
      elapsedMs < warmupMs
        ? `warm-up ${formatSeconds(elapsedMs)} of ${formatSeconds(warmupMs)}`
        : `${formatSeconds(Math.min(elapsedMs - warmupMs, durationMs))} of ${formatSeconds(durationMs)}`,
    share: Math.min(1, elapsedMs / plannedMs),
    ...(elapsedMs < plannedMs ? { remainingMs: plannedMs - elapsedMs } : {}),
    remark: [...parts, scenario].join(", "),
  };
}

/** Prints a note about the warm-up, because it makes a load longer than `--duration`. */
export const announceWarmUp = ({ warmupMs, durationMs }: LoadPlan, progress: Pick<Progress, "note">): void => {
  if (warmupMs > 0) {
    progress.note(`warm-up of ${formatSeconds(warmupMs)}, then ${formatSeconds(durationMs)} are measured`);
  }
};
