import type { ReporterOptions } from "../reporter.ts";

/** Options of `assay client`, as commander hands them over. */
export interface ClientOptions extends ReporterOptions {
  readonly trial?: readonly string[];
  readonly interface?: readonly string[];
  readonly timeout: number;
  readonly linger: number;
  readonly parallel: number;
  readonly seed: number;
  readonly repo?: string;
  readonly query?: string;
  readonly question?: string;
  readonly strict?: true;
  /** Number of failed checks after which no further trial begins [all trials run]. */
  readonly bail?: number;
  readonly list?: true;
  readonly out?: string;
}
