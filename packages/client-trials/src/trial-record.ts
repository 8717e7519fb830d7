import type { JournalEntry } from "@assay/reference-server";
import type { ClientEnd } from "@assay/results";
import type { TrialInterface } from "./trial.ts";

/** A request that arrived at the other host, to which searches were redirected. */
export interface ElsewhereRequest {
  readonly method: string;
  /** Path and query, tokens replaced. */
  readonly url: string;
  /** Where the token of the client was: in which header, in the address, or in the body. */
  readonly tokenIn: readonly string[];
}

/** What a client wrote, tokens replaced. Nobody relies on it but to see whether a text is in it. */
export interface ClientOutput {
  /** The beginning of standard output, as UTF-8. */
  readonly out: string;
  /** The end of standard output beyond that beginning; empty where there is nothing beyond. */
  readonly lastOut: string;
  /** The beginning of standard error. */
  readonly err: string;
  /** The end of standard error. */
  readonly lastErr: string;
}

/** What one trial of one client came to, as it is judged: now, or again from a file. */
export interface TrialRecord {
  readonly trial: string;
  readonly interface: TrialInterface;
  /** The query or question that the client was told. */
  readonly text: string;
  /** Texts of which the client shows one when it shows what was found; none when that is not known. */
  readonly foundTexts: readonly string[];
  /** Requests in the order in which they arrived. */
  readonly requests: readonly JournalEntry[];
  readonly elsewhere: readonly ElsewhereRequest[];
  readonly end: ClientEnd;
  /** Instants on the clock of the requests. */
  readonly startedMicros: number;
  readonly endedMicros: number;
  /** How long the client was watched once its task was over, if it did not end before. */
  readonly lingerMs: number;
  readonly output: ClientOutput;
}
