/** A time span on the same clock as the times of exchanges, in microseconds. */
export interface TimeSpan {
  readonly fromMicros: number;
  readonly toMicros: number;
}
