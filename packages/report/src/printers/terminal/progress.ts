import { countDisplayColumns, takeFittingStart } from "./display-columns.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "./terminal-text.ts";

/** The progress of some work. */
export interface WorkState {
  /** The finished part as a clause, such as `120 of 204 probes`. */
  readonly text: string;
  /** The finished share, from 0 to 1. Default: unknown, which shows neither a bar nor the time left. */
  readonly share?: number;
  /** The time left. Default: estimated from the share. */
  readonly remainingMs?: number;
  /** The current activity, truncated if there is not enough space. */
  readonly remark?: string;
}

/** Shows the progress of some work. Its functions do not throw. */
export interface Progress {
  /** May be called often. */
  state(state: WorkState): void;
  /** Shows a one-sentence message that remains visible. */
  note(text: string): void;
  /** Removes the line from the terminal. Must be the last call. */
  end(): void;
}

/** Options of `createProgress`. */
export interface ProgressOptions {
  readonly write: (text: string) => unknown;
  /** Whether the line may be rewritten, as on a terminal but not in continuous integration. */
  readonly isLive: boolean;
  /** Returns the columns of the terminal. Called for each line. */
  readonly columns: () => number;
}

const eraseLine = "\r\u001B[K";
const plainEveryMs = 10_000;
/** Delay before progress is shown on a terminal. */
const quietMs = 1000;
const liveEveryMs = 100;

/** Formats progress such as `120 of 204 probes`. */
export const formatCountedProgress = (done: number, total: number, noun: string): WorkState => ({
  text: `${done} of ${total} ${noun}`,
  share: total === 0 ? 1 : done / total,
});

const barColumns = { min: 5, max: 20 } as const;

function formatBar(share: number, columns: number): string {
  const filledColumns = Math.round(Math.min(1, Math.max(0, share)) * columns);
  const arrow = filledColumns > 0 && filledColumns < columns ? ">" : "";
  return `[${"=".repeat(filledColumns - arrow.length)}${arrow}${" ".repeat(columns - filledColumns)}]`;
}

/** Formats the time left, rounded to five seconds, or to minutes if it is several minutes. */
function formatTimeLeft(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds > 120) {
    return `${Math.round(seconds / 60)} min left`;
  }
  return `${seconds > 10 ? Math.ceil(seconds / 5) * 5 : seconds} s left`;
}

const formatCount = ({ text }: WorkState, remainingMs: number | undefined): string =>
  `${escapeForDisplay(text)}${remainingMs === undefined ? "" : ` · ${formatTimeLeft(remainingMs)}`}`;

const formatRemark = ({ remark }: WorkState): string => (remark === undefined ? "" : `  ${escapeForDisplay(remark)}`);

/** Formats the line on a terminal, shorter than its columns. Shortens the bar first. */
export function renderProgressLine(state: WorkState, remainingMs: number | undefined, columns: number): string {
  const count = formatCount(state, remainingMs);
  const barSpace = Math.min(barColumns.max, columns - 1 - countDisplayColumns(count) - "[] ".length);
  const bar = state.share === undefined || barSpace < barColumns.min ? "" : `${formatBar(state.share, barSpace)} `;
  return takeFittingStart(`${bar}${count}${formatRemark(state)}`, columns - 1);
}

/** Minimum time and share for an estimate. */
const estimateLimits = { minMs: 3000, minShare: 0.1, smoothMs: 5000 } as const;

/** Estimates the time left from the finished share. The estimate is smoothed, so that a single slow step has little effect. */
function createTimeEstimate(): (share: number) => number | undefined {
  let [startMs, startShare, lastMs, lastShare] = [performance.now(), 0, 0, 0];
  let endMs: number | undefined;
  return (share) => {
    const nowMs = performance.now();
    if (share < lastShare) {
      // New work has begun, or the amount of work has grown.
      [startMs, startShare, endMs] = [nowMs, share, undefined];
    }
    const [elapsedMs, gainedShare, sinceMs] = [nowMs - startMs, share - startShare, nowMs - lastMs];
    [lastMs, lastShare] = [nowMs, share];
    if (elapsedMs < estimateLimits.minMs || gainedShare < estimateLimits.minShare) {
      return undefined;
    }
    const estimatedEndMs = nowMs + (elapsedMs * (1 - share)) / gainedShare;
    endMs =
      endMs === undefined
        ? estimatedEndMs
        : endMs + (estimatedEndMs - endMs) * (1 - Math.exp(-sinceMs / estimateLimits.smoothMs));
    return Math.max(0, endMs - nowMs);
  };
}

/** Stops writing after the first error, because a closed pipe must not end the work. */
function stopAfterError(write: ProgressOptions["write"]): (text: string) => void {
  let isOpen = true;
  return (text) => {
    try {
      if (isOpen) {
        write(text);
      }
    } catch {
      isOpen = false;
    }
  };
}

/** Draws the latest state when it is due, even if there is no new state. */
function createDrawing({
  firstMs,
  everyMs,
  draw,
}: DrawingOptions): Pick<Progress, "state"> & { readonly stop: () => void } {
  const estimateTimeLeft = createTimeEstimate();
  let latest: WorkState | undefined;
  let nextMs = performance.now() + firstMs;
  const drawDue = (): void => {
    if (latest !== undefined && performance.now() >= nextMs) {
      nextMs = performance.now() + everyMs;
      draw(latest, latest.remainingMs ?? (latest.share === undefined ? undefined : estimateTimeLeft(latest.share)));
    }
  };
  const timer = setInterval(drawDue, Math.max(quietMs, everyMs));
  // The timer must not keep the process alive.
  timer.unref();
  return {
    state(state) {
      latest = state;
      drawDue();
    },
    stop: () => clearInterval(timer),
  };
}

interface DrawingOptions {
  readonly firstMs: number;
  readonly everyMs: number;
  readonly draw: (state: WorkState, remainingMs: number | undefined) => void;
}

function createLiveProgress(write: (text: string) => void, columns: () => number): Progress {
  let line = "";
  const { state, stop } = createDrawing({
    firstMs: quietMs,
    everyMs: liveEveryMs,
    draw: (latest, remainingMs) => {
      line = renderProgressLine(latest, remainingMs, columns());
      write(`${eraseLine}${line}`);
    },
  });
  return {
    state,
    note: (text) => write(`${line === "" ? "" : eraseLine}${joinTerminalLines([escapeForDisplay(text)])}${line}`),
    end() {
      stop();
      if (line !== "") {
        write(eraseLine);
      }
      line = "";
    },
  };
}

function createPlainProgress(write: (text: string) => void): Progress {
  const print = (text: string): void => write(joinTerminalLines([text]));
  const { state, stop } = createDrawing({
    firstMs: plainEveryMs,
    everyMs: plainEveryMs,
    draw: (latest, remainingMs) => print(`${formatCount(latest, remainingMs)}${formatRemark(latest)}`),
  });
  return { state, note: (text) => print(escapeForDisplay(text)), end: stop };
}

/** Shows progress: on a terminal, one line that is rewritten, starting after one second; elsewhere, a plain line every ten seconds. */
export const createProgress = ({ write, isLive, columns }: ProgressOptions): Progress =>
  isLive ? createLiveProgress(stopAfterError(write), columns) : createPlainProgress(stopAfterError(write));

/** Shows nothing. */
export const noProgress: Progress = { state() {}, note() {}, end() {} };
