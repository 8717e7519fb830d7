import { counted, durationOf, sizeOf } from "../document/counted.ts";
import { fitting, padded } from "./display-columns.ts";
import { shownText } from "../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";

/** Where progress is written: standard error, or anything that can stand in for it. */
export interface ProgressStream {
  readonly columns?: number;
  write(text: string): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

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

/** Told what a run is doing, in order; `end` comes last. None of it ever throws. */
export interface ProgressReporter {
  probeStarted(name: string): void;
  probeFinished(probe: FinishedProbe): void;
  judging(): void;
  end(): void;
}

/** Options of `createProgressReporter`. */
export interface ProgressOptions {
  readonly stream: ProgressStream;
  readonly isTty: boolean;
  readonly isCi: boolean;
  /** Whether each request has a line of its own where no line is rewritten [false]. */
  readonly isVerbose?: boolean;
}

const eraseLine = "\r\u001B[K";

const finishedText = ({ name, status, bytes, ms, httpStatus, failure }: FinishedProbe): string => {
  const sign = status === "complete" ? "done" : "? failed";
  const answer = httpStatus === undefined ? "" : `status ${httpStatus}, `;
  const seen = `${answer}${sizeOf(bytes)}, ${durationOf(ms * 1000)}`;
  return `${padded(sign, 8)}  ${shownText(name, "name")}  ${seen}${failure === undefined ? "" : `  ${shownText(failure)}`}`;
};

/** Writes until the first error; a reader that went away (EPIPE) is no reason to stop a run. */
const forgiving = (stream: ProgressStream): ((text: string) => void) => {
  let isOpen = true;
  const close = () => {
    isOpen = false;
  };
  // Stays attached: a late error without a listener would end the process.
  stream.on("error", close);
  return (text) => {
    try {
      if (isOpen) {
        stream.write(text);
      }
    } catch {
      close();
    }
  };
};

/** A line for each request. */
const verboseReporter = (write: (text: string) => void): ProgressReporter => ({
  probeStarted: () => undefined,
  probeFinished: (probe) => write(terminalText([finishedText(probe)])),
  judging: () => write(terminalText(["judging"])),
  end: () => undefined,
});

const plainEveryMs = 10_000;
/** So many failed probes have a line of their own; all of them are counted. */
const toldFailures = 5;
const toldRunning = 3;

/** How long ago, in whole seconds. */
const secondsSince = (startedMs: number): string => `${Math.round((performance.now() - startedMs) / 1000)} s`;

/** What a plain reporter has been told so far. */
interface SoFar {
  finished: number;
  failed: number;
  bytes: number;
  readonly running: Map<string, number>;
}

const runningText = ({ running }: SoFar): string => {
  const names = [...running].map(([name, startedMs]) => `${name} for ${secondsSince(startedMs)}`);
  const more = names.length - toldRunning;
  return names.length === 0
    ? ""
    : `; running ${names.slice(0, toldRunning).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

const soFarText = ({ finished, failed, bytes }: SoFar): string =>
  `${counted(finished, "probe")} done, ${sizeOf(bytes)}, ${failed === 0 ? "none failed" : `${failed} failed`}`;

/** A line every ten seconds, also while nothing comes; the beginning and the end of driving always have one. */
const plainReporter = (write: (text: string) => void): ProgressReporter => {
  const soFar: SoFar = { finished: 0, failed: 0, bytes: 0, running: new Map() };
  const tell = (text: string): void => write(terminalText([text]));
  let startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (timer === undefined) {
      startedMs = performance.now();
      tell(`sending requests; progress every ${plainEveryMs / 1000} s`);
      timer = setInterval(
        () => tell(`${secondsSince(startedMs)}: ${soFarText(soFar)}${runningText(soFar)}`),
        plainEveryMs,
      );
      // Nobody waits for a line.
      timer.unref();
    }
  };
  let isOver = false;
  const finish = (what: string): void => {
    clearInterval(timer);
    if (timer !== undefined && !isOver) {
      tell(`${what}: ${soFarText(soFar)}, in ${secondsSince(startedMs)}`);
    }
    isOver = true;
  };
  return {
    probeStarted: (name) => {
      begin();
      soFar.running.set(shownText(name, "name"), performance.now());
    },
    probeFinished: (probe) => {
      soFar.finished += 1;
      soFar.bytes += probe.bytes;
      soFar.running.delete(shownText(probe.name, "name"));
      if (probe.status === "failed" && (soFar.failed += 1) <= toldFailures) {
        tell(finishedText(probe));
      }
    },
    judging: () => finish("judging"),
    end: () => finish("ended before it was judged"),
  };
};

const liveReporter = (write: (text: string) => void, columnsNow: () => number): ProgressReporter => {
  let finished = 0;
  let last = "";
  const running = new Set<string>();
  const show = (text: string) => write(`${eraseLine}${fitting(text, columnsNow() - 1)}`);
  const state = () =>
    `${counted(finished, "probe")} done${running.size > 0 ? `, running ${[...running].join(", ")}` : last}`;
  return {
    probeStarted: (name) => {
      running.add(shownText(name, "name"));
      show(state());
    },
    probeFinished: (probe) => {
      finished += 1;
      running.delete(shownText(probe.name, "name"));
      last = `, last ${finishedText(probe).slice(10)}`;
      if (probe.status === "failed") {
        write(`${eraseLine}${terminalText([finishedText(probe)])}`);
      }
      show(state());
    },
    judging: () => show(`${counted(finished, "probe")} done, judging`),
    end: () => write(eraseLine),
  };
};

/**
 * Reports progress while a run drives: on a terminal one live line that is rewritten, with a line of its own for each probe
 * that failed; elsewhere, and in continuous integration, a plain line every ten seconds that says how far it has come, or one for
 * each request, and no cursor movement.
 */
export const createProgressReporter = ({
  stream,
  isTty,
  isCi,
  isVerbose = false,
}: ProgressOptions): ProgressReporter => {
  const write = forgiving(stream);
  if (isTty && !isCi) {
    return liveReporter(write, () => stream.columns ?? 80);
  }
  return isVerbose ? verboseReporter(write) : plainReporter(write);
};
