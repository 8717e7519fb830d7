import type { TargetOptions } from "../config/file-targets.ts";
import type { ReporterOptions } from "../reporter.ts";
import type { CertificateOptions } from "./certificate-flags.ts";

/** Options of `assay run`, as commander hands them over. */
export interface RunOptions extends TargetOptions, CertificateOptions, ReporterOptions {
  readonly url?: string;
  readonly embedded?: true;
  readonly profile: string;
  readonly out?: string;
  readonly rule?: readonly string[];
  /** A version whose rules alone are judged by [this one]. */
  readonly rulesAsOf?: string;
  readonly strict?: true;
  /** Number of failed rules after which nothing more is sent [everything is sent]. */
  readonly bail?: number;
  /** False with `--no-proof`. */
  readonly proof?: boolean;
  /** Only rules with one of these tags. */
  readonly tag?: readonly string[];
  /** Rules that are left out, by id and by tag. */
  readonly notRule?: readonly string[];
  readonly notTag?: readonly string[];
  readonly knownFailures?: readonly string[];
  readonly interface?: readonly string[];
  readonly access?: string;
  readonly sharing?: string;
  readonly limits?: string;
  readonly questions?: number;
  readonly questionTimeout?: number;
  readonly openapi?: string;
  readonly query: string;
  readonly repo?: readonly string[];
  readonly fault?: readonly string[];
  readonly seed?: number;
  readonly timeout: number;
  /** How long to wait for the target to answer, in seconds [not at all]. */
  readonly waitFor?: number;
  readonly parallel: number;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
  /** What is spoken with the target [1.1]. */
  readonly http?: string;
  /** A run to compare with. */
  readonly baseline?: string;
  /** A further file for the log, or `-`. */
  readonly log?: string;
}
