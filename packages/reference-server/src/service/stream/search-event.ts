/** An event before it is encoded, where faults act. `data` is any JSON value. */
export interface SearchEvent {
  readonly name: string;
  readonly data: unknown;
}
