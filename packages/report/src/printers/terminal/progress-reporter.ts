import { listNames } from "@assay/contract";
import { formatDuration, formatSize } from "../../document/counted.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { padToColumns } from "./display-columns.ts";
import type { Progress } from "./progress.ts";

/** The end of one probe. */
export interface FinishedProbe {
  readonly name: string;
  /** Whether all of its exchanges ended as HTTP requires. Nothing is judged yet. */
  readonly status: "complete" | "failed";
  readonly bytes: number;
  readonly ms: number;
  /** Status of the response. Absent without a response. */
  readonly httpStatus?: number;
  /** A message if the probe failed. */
  readonly failure?: string;
}

/** Receives the requests of a run, in order. Each request of a probe starts and finishes. Its functions do not throw. */
export interface ProgressReporter {
  probeStarted(name: string): void;
  probeFinished(probe: FinishedProbe): void;
  /** Called if the probe is not sent. */
  probeSkipped(name: string): void;
}

/** Options of `createProgressReporter`. */
export interface ProgressReporterOptions {
  readonly progress: Progress;
  /** Estimated number of probes. */
  readonly expectedProbes: number;
  /** Whether each request has its own line. Default: false. */
  readonly isVerbose?: boolean;
}

/** Maximum number of failed requests with their own line. */
const maxFailures = 5;
const maxRunning = 3;
/** Longer requests are shown with their duration. */
const longMs = 5000;

const describeFinished = ({ name, status, bytes, ms, httpStatus, failure }: FinishedProbe): string => {
  const sign = status === "complete" ? "done" : "? failed";
  const statusText = httpStatus === undefined ? "" : `status ${httpStatus}, `;
  const result = `${statusText}${formatSize(bytes)}, ${formatDuration(ms * 1000)}`;
  return `${padToColumns(sign, 8)}  ${escapeForDisplay(name, "name")}  ${result}${failure === undefined ? "" : `  ${escapeForDisplay(failure)}`}`;
};

/** Lists the names of requests in flight, with the duration of long ones. */
function describeRunning(running: ReadonlyMap<string, number>): string {
  const names = [...running].map(([name, startedMs]) => {
    const ms = performance.now() - startedMs;
    return ms < longMs ? name : `${name} for ${Math.round(ms / 1000)} s`;
  });
  return listNames(names, maxRunning);
}

/** Shows the number of finished probes and failed requests during a run. */
export const createProgressReporter = ({
  progress,
  expectedProbes,
  isVerbose = false,
}: ProgressReporterOptions): ProgressReporter => {
  const finished = new Set<string>();
  const running = new Map<string, number>();
  let failureCount = 0;
  const show = (): void => {
    const total = Math.max(expectedProbes, finished.size + running.size);
    const failures = failureCount === 0 ? "" : `, ${failureCount} failed`;
    progress.state({
      text: `${finished.size} of about ${total} probes${failures}`,
      share: finished.size / total,
      remark: describeRunning(running),
    });
  };
  const markFinished = (name: string): void => {
    running.delete(escapeForDisplay(name, "name"));
    finished.add(name);
    show();
  };
  return {
    probeStarted: (name) => {
      running.set(escapeForDisplay(name, "name"), performance.now());
      show();
    },
    probeFinished: (probe) => {
      failureCount += probe.status === "failed" ? 1 : 0;
      if (isVerbose || (probe.status === "failed" && failureCount <= maxFailures)) {
        progress.note(describeFinished(probe));
      }
      markFinished(probe.name);
    },
    probeSkipped: markFinished,
  };
};
