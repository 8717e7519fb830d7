import { createLoadProgress } from "@assay/report";
import type { LoadProgress } from "@assay/report";
import type { LoadProgress as LoadState } from "@assay/load";
import type { LoadPlan, LogEvent } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import type { LoadOptions } from "./load-options.ts";

const silent: LoadProgress = { state() {}, note() {}, end() {} };

/** Progress on standard error; none with `--quiet`, `--json` or `--log -`. */
export const loadProgress = (
  { quiet, json, log }: Pick<LoadOptions, "quiet" | "json" | "log">,
  { terminal, err }: Pick<CommandContext, "terminal" | "err">,
): LoadProgress =>
  quiet === true || json === true || log === "-"
    ? silent
    : createLoadProgress({
        write: err,
        nowMs: () => performance.now(),
        isLive: terminal.isTty && !terminal.isCi,
        columns: terminal.width,
      });

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** How a run stands, one clause. */
export function progressText(
  { scenario, warmupMs, durationMs }: LoadPlan,
  { elapsedMs, ok, failed, violations, metric, p50Ms }: LoadState,
): string {
  const median = p50Ms === undefined ? [] : [`${metric ?? "median"} p50 ${p50Ms.toFixed(p50Ms < 100 ? 1 : 0)} ms`];
  const broken = violations === 0 ? [] : [`${violations} with violations`];
  const parts = [
    `${scenario}  ${seconds(elapsedMs)} of ${seconds(warmupMs + durationMs)}`,
    `${ok} ok`,
    `${failed} failed`,
    ...broken,
    ...median,
  ];
  return parts.join(", ");
}

/** The same for the log. */
export const progressEvent = ({ elapsedMs, ok, failed, violations, p50Ms, metric }: LoadState): LogEvent => ({
  event: "load-progress",
  elapsedMs,
  ok,
  failed,
  violations,
  ...(p50Ms === undefined ? {} : { p50Ms }),
  ...(metric === undefined ? {} : { metric }),
});
