/** One event between the search and the writer; faults see and change these. `data` is whatever JSON can write. */
export interface SearchEvent {
  readonly name: string;
  readonly data: unknown;
}
