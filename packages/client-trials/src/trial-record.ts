import type { JournalEntry } from "@assay/reference-server";
import type { ClientEnd } from "@assay/results";
import type { TrialInterface } from "./trial.ts";

/** A request to the other host, to which searches were redirected. */
export interface ElsewhereRequest {
  readonly method: string;
  /** Path and query, tokens replaced. */
  readonly url: string;
  /** Where the request contained the token: names of headers, the address, or the body. */
  readonly tokenIn: readonly string[];
}

/** Output of a client, tokens replaced. Used only to search for texts. */
export interface ClientOutput {
  /** The beginning of standard output, as UTF-8. */
  readonly out: string;
  /** The end of standard output after that beginning. Empty if there is no more output. */
  readonly lastOut: string;
  /** The beginning of standard error. */
  readonly err: string;
  /** The end of standard error. */
  readonly lastErr: string;
}

/** The record of one trial of one client. It can be judged later from a file. */
export interface TrialRecord {
  readonly trial: string;
  readonly interface: TrialInterface;
  /** The query or question of the trial. */
  readonly text: string;
  /** Texts of the result. The output of a client that shows the result contains at least one. Empty if unknown. */
  readonly foundTexts: readonly string[];
  /** Requests in order of arrival. */
  readonly requests: readonly JournalEntry[];
  readonly elsewhere: readonly ElsewhereRequest[];
  readonly end: ClientEnd;
  /** Measured by the clock of the requests. */
  readonly startedMicros: number;
  readonly endedMicros: number;
  /** Time that the client was observed after the end of its task. */
  readonly lingerMs: number;
  readonly output: ClientOutput;
}
