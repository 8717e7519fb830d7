/** The first lines of a stream are all checked, and then some of each event: wrong lines are usually wrong everywhere. */
const maxLinesOfStream = 2000;
const maxLinesOfLaterEvent = 20;

/** Limits how many lines of a stream a rule reads, because reading a text takes longer than everything else. */
export class LineBudget {
  readonly #perEvent: number;
  #used = 0;
  #left = 0;

  /** `perEvent`: the maximum number of lines of one event. */
  constructor(perEvent: number) {
    this.#perEvent = perEvent;
  }

  startEvent(): void {
    this.#left = this.#used < maxLinesOfStream ? this.#perEvent : maxLinesOfLaterEvent;
  }

  /** Takes up to this many lines, and returns how many. */
  take(lines: number): number {
    const taken = Math.min(lines, this.#left);
    this.#left -= taken;
    this.#used += taken;
    return taken;
  }

  /** Takes no more lines of this event. */
  endEvent(): void {
    this.#left = 0;
  }
}
