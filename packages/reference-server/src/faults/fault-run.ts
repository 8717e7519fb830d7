/** What a running fault knows about its request. */
export interface FaultRun {
  /** Values of the fault's parameters, defaults filled in. */
  readonly values: Readonly<Record<string, string | number>>;
  /** Parameters of the request as they came. */
  readonly given: URLSearchParams;
  /** Fires when the client has left or the server closes. */
  readonly signal: AbortSignal;
  /** To be called when the answer really was changed; the journal shows it. */
  readonly applied: () => void;
  /** A number from 0; the server gives each one out once, so that a fault can leave later requests alone. */
  readonly ticket: () => number;
}
