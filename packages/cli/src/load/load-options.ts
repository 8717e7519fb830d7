import type { ComparisonPreset, LoadShape } from "@assay/results";
import type { TargetOptions } from "../config/file-targets.ts";
import type { ReporterOptions } from "../reporter.ts";
import type { CertificateOptions } from "../run/certificate-flags.ts";

/** Options of `assay load`, as parsed by commander. */
export interface LoadOptions extends TargetOptions, CertificateOptions, ReporterOptions {
  readonly url?: string;
  readonly against?: string;
  /** Factor of every delay of the second embedded server. */
  readonly againstFactor?: number;
  readonly preset?: ComparisonPreset;
  readonly rate?: number;
  /** Milliseconds. */
  readonly duration?: number;
  /** Milliseconds. */
  readonly warmup?: number;
  readonly shape?: LoadShape;
  readonly latency?: string;
  readonly interface?: string;
  readonly query?: readonly string[];
  /** Milliseconds. */
  readonly pollInterval?: number;
  readonly pollers?: number;
  readonly threshold?: readonly string[];
  readonly warnThreshold?: readonly string[];
  readonly abortThreshold?: readonly string[];
  readonly limits?: string;
  readonly confirmHost?: readonly string[];
  readonly questions?: number;
  /** Files of known failures, and names of shipped lists. */
  readonly knownFailures?: readonly string[];
  readonly decide?: true;
  readonly canary: boolean;
  /** MiB of exchanges kept for judging; 0 for none [1024]. */
  readonly keepMb?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly maxVus?: number;
  /** Seconds to wait for each target to answer [0]. */
  readonly waitFor?: number;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
  readonly againstTokenFile?: string;
  readonly k6Out?: readonly string[];
  readonly dashboard?: string | true;
  /** An additional file for the log, or `-`. */
  readonly log?: string;
}
