/**
 * The first 2,000 lines of a stream are checked. In longer streams, at most one line in fifty is checked in total:
 * wrong lines are usually wrong everywhere.
 */
const maxLinesOfStream = 2000;
const linesPerCheckedLine = 50;

/** Limits how many lines of a stream a rule reads, because reading a text takes longer than everything else. */
export class LineBudget {
  readonly #maxLinesOfEvent: number;
  #offered = 0;
  #taken = 0;
  #leftOfEvent = 0;

  constructor(maxLinesOfEvent: number) {
    this.#maxLinesOfEvent = maxLinesOfEvent;
  }

  startEvent(): void {
    this.#leftOfEvent = this.#maxLinesOfEvent;
  }

  /** Takes at most `lines` lines, and returns how many were taken. */
  take(lines: number): number {
    this.#offered += lines;
    const leftOfStream = Math.max(maxLinesOfStream, Math.floor(this.#offered / linesPerCheckedLine)) - this.#taken;
    const takenLines = Math.max(0, Math.min(lines, this.#leftOfEvent, leftOfStream));
    this.#leftOfEvent -= takenLines;
    this.#taken += takenLines;
    return takenLines;
  }

  /** Takes no more lines of this event. */
  endEvent(): void {
    this.#leftOfEvent = 0;
  }
}
