/** How a run of k6 ended. */
export interface K6End {
  /** Undefined when a signal ended it. */
  readonly exitCode?: number;
  /**
   * `complete`: as planned. `interrupted`: by the caller's signal, or a signal to k6. `deadline`: the wall-clock limit.
   * `not-started`: it was not begun, since the target is not what is to be loaded. `distress`: ended early to spare the target. `decided`: ended early, because a threshold could not be kept any more. `crashed`: everything else.
   */
  readonly cause: "complete" | "not-started" | "interrupted" | "deadline" | "distress" | "decided" | "crashed";
  /** What happened and what next; absent when it is complete. */
  readonly sentence?: string;
  /** Whether it is the fault of the harness and not of its surroundings: a panic of k6, wrong options. */
  readonly isHarnessFault?: boolean;
}
