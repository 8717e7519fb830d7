/** A time span in microseconds since the start of the run. */
export interface TimeSpan {
  readonly fromMicros: number;
  readonly toMicros: number;
}
