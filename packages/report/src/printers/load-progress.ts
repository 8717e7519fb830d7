import { fitting } from "./display-columns.ts";
import { shownText } from "../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";

/** Told what a load run is doing. None of it ever throws. */
export interface LoadProgress {
  /** Where it stands, one clause; may be told often. */
  state(text: string): void;
  /** Something to be seen whatever comes after it, one sentence. */
  note(text: string): void;
  /** Comes last. */
  end(): void;
}

export interface LoadProgressOptions {
  readonly write: (text: string) => unknown;
  /** A monotonic clock. */
  readonly nowMs: () => number;
  /** Whether the line may be rewritten. */
  readonly isLive: boolean;
  readonly columns: number;
}

const eraseLine = "\r\u001B[K";
const plainEveryMs = 10_000;

const forgiving =
  (write: LoadProgressOptions["write"]): ((text: string) => void) =>
  (text) => {
    try {
      write(text);
    } catch {
      // A reader that went away is no reason to stop a run.
    }
  };

const liveProgress = (write: (text: string) => void, columns: number): LoadProgress => ({
  state: (text) => write(`${eraseLine}${fitting(shownText(text), columns - 1)}`),
  note: (text) => write(`${eraseLine}${terminalText([shownText(text)])}`),
  end: () => write(eraseLine),
});

const plainProgress = (write: (text: string) => void, nowMs: () => number): LoadProgress => {
  let nextMs = Number.NEGATIVE_INFINITY;
  const tell = (text: string): void => write(terminalText([shownText(text)]));
  return {
    state(text) {
      const atMs = nowMs();
      if (atMs >= nextMs) {
        nextMs = atMs + plainEveryMs;
        tell(text);
      }
    },
    note: tell,
    end: () => undefined,
  };
};

/** Reports the progress of a load run: on a terminal one line that is rewritten, elsewhere a plain line every ten seconds. */
export const createLoadProgress = ({ write, nowMs, isLive, columns }: LoadProgressOptions): LoadProgress =>
  isLive ? liveProgress(forgiving(write), columns) : plainProgress(forgiving(write), nowMs);
