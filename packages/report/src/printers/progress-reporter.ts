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

const plainReporter = (write: (text: string) => void): ProgressReporter => ({
  probeStarted: () => undefined,
  probeFinished: (probe) => write(terminalText([finishedText(probe)])),
  judging: () => write(terminalText(["judging"])),
  end: () => undefined,
});

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
 * that failed; elsewhere, and in continuous integration, one plain line for each finished probe and no cursor movement.
 */
export const createProgressReporter = ({ stream, isTty, isCi }: ProgressOptions): ProgressReporter => {
  const write = forgiving(stream);
  return isTty && !isCi ? liveReporter(write, () => stream.columns ?? 80) : plainReporter(write);
};
