import type { LoadOutcome } from "@assay/results";

/** What is known of an answer before it is read. */
export interface AnswerHead {
  /** 0 where nothing came back. */
  readonly status: number;
  readonly isTimeout: boolean;
}

/** How a request ended by its status alone; any of 200 to 299 is fine. */
export function callOutcome({ status, isTimeout }: AnswerHead): LoadOutcome {
  if (status === 0) {
    return isTimeout ? "timeout" : "transport";
  }
  if (status === 401 || status === 403) {
    return "refused";
  }
  if (status === 429 || status === 503) {
    return "distress";
  }
  return status >= 200 && status < 300 ? "ok" : "bad-status";
}
