import type { TargetOptions } from "../config/file-targets.ts";
import type { ReporterOptions } from "../reporter.ts";
import type { CertificateOptions } from "../run/certificate-flags.ts";

/** Options of `assay doctor`, as commander hands them over. */
export interface DoctorOptions extends TargetOptions, CertificateOptions, ReporterOptions {
  readonly url?: string;
  readonly embedded?: true;
  readonly query?: string;
  readonly access?: string;
  readonly sharing?: string;
  readonly limits?: string;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
  /** What is spoken with the target [1.1]. */
  readonly http?: string;
  readonly timeout?: number;
  /** How long to wait for the target to answer, in seconds [not at all]. */
  readonly waitFor?: number;
  readonly patient?: true;
  readonly out?: string;
  readonly repo?: readonly string[];
  readonly fault?: readonly string[];
  /** Looks at the installation, and at no target. */
  readonly self?: true;
}
