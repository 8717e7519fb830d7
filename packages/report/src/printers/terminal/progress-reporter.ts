import { durationOf, sizeOf } from "../../document/counted.ts";
import { shownText } from "../../document/shown-text.ts";
import { padded } from "./display-columns.ts";
import type { Progress } from "./progress.ts";

/** How one probe ended. */
export interface FinishedProbe {
  readonly name: string;
  /** Whether all of its exchanges ended as HTTP says. Nothing is judged yet. */
  readonly status: "complete" | "failed";
  readonly bytes: number;
  readonly ms: number;
  /** Status of the response, when there was one. */
  readonly httpStatus?: number;
  /** One sentence, when it failed. */
  readonly failure?: string;
}

/** Told what a run is sending, in order. A probe may have several requests: each of them starts and finishes. None of it ever throws. */
export interface ProgressReporter {
  probeStarted(name: string): void;
  probeFinished(probe: FinishedProbe): void;
  /** It is not sent. */
  probeSkipped(name: string): void;
}

/** Options of `createProgressReporter`. */
export interface ProgressReporterOptions {
  readonly progress: Progress;
  /** About how many probes there are. */
  readonly expected: number;
  /** Whether each request has a line of its own [false]. */
  readonly isVerbose?: boolean;
}

/** This many failed requests have a line of their own. */
const maxFailures = 5;
const maxRunning = 3;
/** A request that takes longer is named. */
const longMs = 5000;

const finishedText = ({ name, status, bytes, ms, httpStatus, failure }: FinishedProbe): string => {
  const sign = status === "complete" ? "done" : "? failed";
  const answer = httpStatus === undefined ? "" : `status ${httpStatus}, `;
  const seen = `${answer}${sizeOf(bytes)}, ${durationOf(ms * 1000)}`;
  return `${padded(sign, 8)}  ${shownText(name, "name")}  ${seen}${failure === undefined ? "" : `  ${shownText(failure)}`}`;
};

/** Names of requests that are on their way, with how long where that is long. */
function runningText(running: ReadonlyMap<string, number>): string {
  const names = [...running].map(([name, startedMs]) => {
    const ms = performance.now() - startedMs;
    return ms < longMs ? name : `${name} for ${Math.round(ms / 1000)} s`;
  });
  const more = names.length - maxRunning;
  return `${names.slice(0, maxRunning).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Shows how many probes are done while a run sends them, and which requests failed. */
export const createProgressReporter = ({
  progress,
  expected,
  isVerbose = false,
}: ProgressReporterOptions): ProgressReporter => {
  const done = new Set<string>();
  const running = new Map<string, number>();
  let failed = 0;
  const show = (): void => {
    const all = Math.max(expected, done.size + running.size);
    const failures = failed === 0 ? "" : `, ${failed} failed`;
    progress.state({
      text: `${done.size} of about ${all} probes${failures}`,
      share: done.size / all,
      remark: runningText(running),
    });
  };
  const finish = (name: string): void => {
    running.delete(shownText(name, "name"));
    done.add(name);
    show();
  };
  return {
    probeStarted: (name) => {
      running.set(shownText(name, "name"), performance.now());
      show();
    },
    probeFinished: (probe) => {
      failed += probe.status === "failed" ? 1 : 0;
      if (isVerbose || (probe.status === "failed" && failed <= maxFailures)) {
        progress.note(finishedText(probe));
      }
      finish(probe.name);
    },
    probeSkipped: finish,
  };
};
